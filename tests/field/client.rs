//! A client of either era, over HTTP and by lines, that can be told to send what is wrong.

use std::net::SocketAddr;

use mcp_runtime::{Library, Server};
use mcp_runtime_tests::lines::{self, Lines};
pub use mcp_runtime_tests::listen::listen;
use mcp_runtime_tests::raw::{Answer, send};
use serde_json::{Value, json};

/// Every revision, the oldest first.
pub const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];
/// The revision of the modern era.
pub const MODERN: &str = "2026-07-28";
/// The last revision of the handshake era.
pub const HANDSHAKE: &str = "2025-11-25";

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// A server of what is registered in a group.
pub fn server(group: &str) -> Server<Library> {
    mcp_runtime::server().server_info("field", "1").groups([group])
}

/// A connection by lines to a server of what is registered in a group.
pub fn connect(group: &'static str) -> Lines {
    lines::serve(move || server(group))
}

/// A request without anything of the modern era.
pub fn bare(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A request of the modern era.
pub fn modern(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"][VERSION] = json!(MODERN);
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    bare(id, method, params)
}

/// A request of the era of that revision.
pub fn request(revision: &str, id: impl Into<Value>, method: &str, params: Value) -> Value {
    if revision == MODERN { modern(id, method, params) } else { bare(id, method, params) }
}

/// A call of a tool, in the modern era.
pub fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    modern(id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

/// What opens the handshake era.
pub fn initialize(revision: &str) -> Value {
    bare(
        0,
        "initialize",
        json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    )
}

/// A notification.
pub fn note(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method})
}

/// The headers that belong to a message; those given are in the place of those of the same name.
pub fn headers(message: &Value, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut headers = vec![
        ("Host", "127.0.0.1"),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let params = &message["params"];
    if let Some(version) = params["_meta"][VERSION].as_str() {
        headers.push(("MCP-Protocol-Version", version));
        headers.extend(message["method"].as_str().map(|method| ("Mcp-Method", method)));
        headers.extend(
            ["name", "uri"].iter().find_map(|key| params[*key].as_str()).map(|name| ("Mcp-Name", name)),
        );
    }
    headers.retain(|(name, _)| !more.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)));
    headers.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Posts a message.
pub fn post(address: SocketAddr, message: &Value, more: &[(&str, &str)]) -> Answer {
    send_as(address, &headers(message, more), message.to_string().as_bytes())
}

/// Posts bytes with these headers, and their length.
pub fn send_as(address: SocketAddr, headers: &[(String, String)], body: &[u8]) -> Answer {
    let mut headers = headers.to_vec();
    headers.push(("Content-Length".to_owned(), body.len().to_string()));
    send(address, "POST", "/mcp", &headers, body)
}

/// Sends a request of another HTTP method, without a body.
pub fn ask(address: SocketAddr, method: &str, path: &str, more: &[(&str, &str)]) -> Answer {
    let headers: Vec<_> = std::iter::once(&("Host", "127.0.0.1"))
        .filter(|(name, _)| !more.iter().any(|(known, _)| known == name))
        .chain(more)
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    send(address, method, path, &headers, b"")
}

/// Sends one request by lines on a connection of its own, and gives the answer.
pub fn asked(group: &'static str, revision: &str, method: &str, params: Value) -> Value {
    let mut lines = connect(group);
    if revision != MODERN {
        lines.send(&initialize(revision).to_string());
        lines.message().expect("the handshake is answered");
    }
    lines.send(&request(revision, 1, method, params).to_string());
    lines.message().expect("it is answered")
}

/// Calls a tool of a group in the modern era by lines, and gives the answer.
pub fn called(group: &'static str, tool: &str, arguments: Value) -> Value {
    asked(group, MODERN, "tools/call", json!({"name": tool, "arguments": arguments}))
}

/// The tools of a group, as a client of a revision is told of them.
pub fn tools(group: &'static str, revision: &str) -> Vec<Value> {
    let mut answer = asked(group, revision, "tools/list", json!({}));
    let Value::Array(tools) = answer["result"]["tools"].take() else { panic!("no list in {answer}") };
    tools
}

/// One of them, as a modern client is told of it.
pub fn tool(group: &'static str, name: &str) -> Value {
    let known = tools(group, MODERN);
    known.into_iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("there is no `{name}`"))
}

/// The first text of a result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}

/// The code of an error; none in a result.
pub fn code(answer: &Value) -> Option<i64> {
    answer["error"]["code"].as_i64()
}
