//! Arguments that come as texts of what they are, for servers that take them so.

use mcp_runtime::prelude::*;
use mcp_runtime_tests::lines;
use serde_json::json;

use crate::{ask, call, text};

#[derive(mcp::Args)]
struct Page {
    start: u32,
    tags: Vec<String>,
}

/// Takes values of several types.
#[mcp::tool(group = "texts")]
fn find(
    id: String,
    #[arg(range = 1..=10)] count: u8,
    exact: bool,
    page: Page,
    scores: Vec<f64>,
    limit: Option<i64>,
) -> String {
    format!("{id} {count} {exact} {} {:?} {scores:?} {limit:?}", page.start, page.tags)
}

fn as_texts() -> Value {
    json!({
        "id": "007", "count": "3", "exact": "true", "page": "{\"start\": 1.0, \"tags\": [\"1\"]}", "scores": "[1, 0.5]",
        "limit": "-4",
    })
}

/// The same call of a server that takes texts.
fn lenient(arguments: &Value) -> Value {
    let mut lines = lines::serve(|| {
        let server = mcp_runtime::server().server_info("judging", "1").groups(["texts"]).lenient_arguments();
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        server.tool(mcp::Tool::new("made", schema, async |arguments: Value, _: mcp::Context| {
            arguments["n"].to_string()
        }))
    });
    let tool = if arguments.get("n").is_some() { "made" } else { "find" };
    ask(&mut lines, tool, arguments)
}

#[test]
fn a_text_is_refused_unless_the_server_takes_texts() {
    let refused = call("texts", "find", &as_texts());
    assert_eq!(refused["isError"], true);
    for fault in [
        "`count`: expected integer, got \"3\"",
        "`exact`: expected boolean, got \"true\"",
        "`page`: expected object",
        "`scores`: expected array",
        "`limit`: expected integer",
    ] {
        assert!(text(&refused).contains(fault), "{fault} in {refused}");
    }
    assert_eq!(text(&lenient(&as_texts())), r#"007 3 true 1 ["1"] [1.0, 0.5] Some(-4)"#);
    assert_eq!(text(&lenient(&json!({"n": "5"}))), "5", "tools of closures take them too");
}

#[test]
fn what_a_text_holds_is_judged_as_if_it_came_so() {
    let mut arguments = as_texts();
    arguments["count"] = json!("11");
    arguments["exact"] = json!("yes");
    arguments["page"] = json!("{\"start\": -1, \"tags\": []}");
    let refused = lenient(&arguments);
    for fault in [
        "`count`: expected at most 10, got 11",
        "`exact`: expected boolean, got \"yes\"",
        "`page.start`: expected at least 0, got -1",
    ] {
        assert!(text(&refused).contains(fault), "{fault} in {refused}");
    }
}
