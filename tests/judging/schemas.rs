//! Schemas that somebody wrote: those that cannot be judged in bounded time are refused.

use mcp_runtime::prelude::*;
use serde_json::{Map, json};

fn told(schema: Value) -> String {
    let tool = mcp::Tool::new("written", schema, |_: Value, _: mcp::Context| async { "called" });
    let server = mcp_runtime::server().server_info("judging", "1").groups(["points"]).tool(tool);
    server.into_router().err().map(|problems| problems.to_string()).unwrap_or_default()
}

#[test]
fn references_that_lead_nowhere_but_back_are_refused() {
    let told = told(json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}));
    assert!(
        told.contains("tool `written`: the schema cannot be used: `#/properties/a` leads back to itself"),
        "{told}"
    );
}

#[test]
fn a_schema_that_doubles_itself_is_refused() {
    let mut definitions = Map::new();
    for level in 0..30 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        definitions.insert(format!("L{level}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("L30".to_owned(), json!({"type": "string"}));
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": definitions});
    assert!(told(schema).contains("more than 10000 of its parts apply to one value"));
}

#[test]
fn references_that_go_into_the_value_are_fine() {
    assert_eq!(told(json!({"type": "object", "properties": {"next": {"$ref": "#"}}})), "");
}
