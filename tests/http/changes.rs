//! Changing what a server offers while it runs.

use mcp_runtime::prelude::*;
use serde_json::{Value, json};

use mcp_runtime_tests::raw::send;

use crate::{ask, call, headers, listen, server, shown};

/// Stays.
#[mcp::tool(group = "changes")]
async fn stays() -> &'static str {
    "here"
}

/// Comes and goes.
#[mcp::tool(group = "changes")]
async fn comes_and_goes() -> &'static str {
    "here"
}

/// Takes the other tool away, or brings it back.
#[mcp::tool(group = "changes")]
async fn switch(on: bool, handle: mcp::Handle) -> Result<(), mcp::UnknownName> {
    if on { handle.enable("comes_and_goes") } else { handle.disable("comes_and_goes") }
}

/// Adds a tool.
#[mcp::tool(group = "changes")]
async fn add_tool(name: String, handle: mcp::Handle) -> Result<(), String> {
    let tool = mcp::Tool::new(name, json!({"type": "object"}), |_: Value, _: mcp::Context| async { "added" });
    handle.register(tool).map_err(|problems| problems.to_string())
}

fn names(address: std::net::SocketAddr) -> Vec<String> {
    let answer = ask(address, "tools/list", json!({}), &[]).message();
    let tools = answer["result"]["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_is_disabled_is_neither_listed_nor_callable() {
    let address = listen(|| server("changes"));
    let switch =
        |on: bool| ask(address, "tools/call", json!({"name": "switch", "arguments": {"on": on}}), &[]);
    assert_eq!(names(address), ["add_tool", "comes_and_goes", "stays", "switch"]);
    switch(false);
    assert_eq!(names(address), ["add_tool", "stays", "switch"]);
    assert_eq!(
        call(address, "comes_and_goes", &[]).message()["error"]["message"],
        "Unknown tool: comes_and_goes"
    );
    assert_eq!(shown(&call(address, "stays", &[])), "here");
    switch(true);
    assert_eq!(shown(&call(address, "comes_and_goes", &[])), "here");
}

#[test]
fn a_tool_can_be_added_once() {
    let address = listen(|| server("changes"));
    let add = |name: &str| {
        ask(address, "tools/call", json!({"name": "add_tool", "arguments": {"name": name}}), &[])
    };
    assert_eq!(add("new").message()["result"].get("isError"), None);
    assert_eq!(shown(&call(address, "new", &[])), "added");
    assert!(shown(&add("new")).contains("second tool named `new`"));
    assert!(shown(&add("not a name")).contains("the name \"not a name\""));
}

#[test]
fn what_a_tool_of_run_time_needs_is_told_once_it_is_there() {
    let server = server("changes");
    let handle = server.handle();
    let address = listen(|| server);
    let allowed = || {
        let answer = send(address, "OPTIONS", "/mcp", &headers(&[("Origin", "http://localhost")], 0), b"");
        answer.header("access-control-allow-headers").unwrap_or_default().to_owned()
    };
    let logs = || {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        ask(address, "initialize", params, &[]).message()["result"]["capabilities"].get("logging").is_some()
    };
    assert!(!allowed().contains("Mcp-Param-") && !logs());
    let schema =
        json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
    let tool = mcp::Tool::new("routed", schema, |_: Value, ctx: mcp::Context| async move {
        ctx.log(mcp::LogLevel::Info, "called").await;
    });
    handle.register(tool).expect("it is in order");
    assert!(allowed().ends_with(", Mcp-Param-Region") && logs(), "{}", allowed());
    handle.disable("routed").expect("it is known");
    assert!(!allowed().contains("Mcp-Param-"));
}

#[test]
fn the_builders_handle_changes_a_server_that_runs() {
    let server = server("changes");
    let handle = server.handle();
    let address = listen(|| server);
    handle.disable("stays").expect("it is known");
    assert_eq!(names(address), ["add_tool", "comes_and_goes", "switch"]);
    assert_eq!(
        handle.disable("nothing").expect_err("unknown").to_string(),
        "no tool, prompt or resource is registered as `nothing`"
    );
}

#[test]
fn methods_and_tools_of_run_time_are_served() {
    let address = listen(|| {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}, "required": ["n"]});
        let double = mcp::Tool::new("double", schema, |arguments: Value, _: mcp::Context| async move {
            mcp::Json(json!({"n": arguments["n"].as_u64().unwrap_or_default() * 2}))
        });
        server("changes").tool(double).method("acme/upper", |params: Value, _: mcp::Context| async move {
            json!({"text": params["text"].as_str().unwrap_or_default().to_uppercase()})
        })
    });
    let double = |n: Value| ask(address, "tools/call", json!({"name": "double", "arguments": {"n": n}}), &[]);
    assert_eq!(shown(&double(json!(21))), r#"{"n":42}"#);
    assert!(shown(&double(json!(-1))).contains("`n`: expected at least 0, got -1"));
    assert_eq!(
        ask(address, "acme/upper", json!({"text": "a"}), &[]).message()["result"],
        json!({"text": "A"})
    );
}
