//! A program with everything that a server is warned of at boot.

use std::collections::BTreeMap;

use mcp_runtime::prelude::*;
use serde_json::json;

#[mcp::tool]
fn without_description() {}

#[mcp::prompt]
fn prompt_without_description() -> &'static str {
    ""
}

#[mcp::resource("careless://resource")]
fn resource_without_description() -> &'static str {
    ""
}

#[mcp::resource("careless://template/{name}")]
fn template_without_description(name: String) -> String {
    name
}

/// Is long.
#[mcp::tool(name = "a_name_that_is_longer_than_the_sixty_four_characters_that_some_hosts_take")]
fn long_name() {}

#[derive(mcp::Args)]
struct Node {
    next: Option<Box<Node>>,
}

/// Takes what some models cannot be told.
#[mcp::tool]
fn untold(any: Value, labels: BTreeMap<String, String>, node: Node) -> String {
    format!("{any} {labels:?} {}", node.next.is_some())
}

/// Takes arguments by a name that some models cannot be told.
#[mcp::tool]
fn named(#[arg(name = "größe")] size: u8) -> u8 {
    size
}

/// Takes one thing or the other.
#[mcp::tool(input_schema = json!({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {
    "a": {"type": "string"}, "b": {"type": "array"}}}))]
fn by_hand(arguments: Value) -> String {
    arguments.to_string()
}

/// Is in order.
#[mcp::tool]
fn careful(pair: (u8, String), when: Option<u64>) -> String {
    format!("{pair:?} {when:?}")
}

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    let made = mcp::Tool::new("made", json!({"type": "object"}), async |_: Value, _: mcp::Context| "");
    let server = mcp_runtime::serve().server_info("careless", "1").tool(made);
    let added = mcp::Tool::new("added", json!({"type": "object"}), async |_: Value, _: mcp::Context| "");
    server.handle().register(added)?;
    server.await
}
