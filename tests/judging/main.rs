//! How arguments and results are judged: in bounded time and memory, in a text of bounded length, and by the schema
//! that the client was shown.

mod arguments;
mod declared;
mod descriptions;
mod results;
mod schemas;
mod texts;

use mcp_runtime_tests::lines::{self, Lines};
use serde_json::{Value, json};

/// A connection to a server of what this target registers in a group.
fn serve(group: &'static str) -> Lines {
    lines::serve(move || mcp_runtime::server().server_info("judging", "1").groups([group]))
}

/// Calls a tool of the group in the modern era, and gives its result.
fn call(group: &'static str, tool: &str, arguments: &Value) -> Value {
    ask(&mut serve(group), tool, arguments)
}

/// The same of a connection that there is.
fn ask(lines: &mut Lines, tool: &str, arguments: &Value) -> Value {
    lines.send(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }}})
        .to_string(),
    );
    lines.message().expect("the call is answered")["result"].take()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
