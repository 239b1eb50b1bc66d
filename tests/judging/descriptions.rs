//! What is written of a handler, its parameters and their types arrives as it is written.

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::serve;

/// How far.
#[derive(mcp::Args)]
#[serde(rename_all = "lowercase")]
enum Depth {
    /// Only this place.
    Here,
    /// Everything *below*.
    Below,
}

/// Where to look.
#[derive(mcp::Args)]
struct Place {
    /// The path, such as `/srv`.
    ///
    /// No links are followed.
    path: String,
}

/// Looks for text.
///
/// It takes:
///
/// * words,
///     - and parts of them
/// * "quoted" {braces}
///
/// ```sh
/// look --for 'this \ that'
/// ```
#[mcp::tool(group = "described")]
fn look(
    /** What to look for. */
    text: String,
    /// How far to go.
    depth: Depth,
    place: Place,
) -> String {
    let depth = match depth {
        Depth::Here => 0,
        Depth::Below => 1,
    };
    format!("{text} {depth} {}", place.path)
}

#[doc = include_str!("described.md")]
#[mcp::tool(group = "described")]
fn from_a_file() {}

/// Before.
#[doc = include_str!("described.md")]
#[doc = "After."]
#[mcp::prompt(group = "described")]
fn around_a_file(#[doc = "What."] what: String) -> String {
    what
}

/// Not this.
#[mcp::tool(group = "described", description = "But this.")]
fn overridden() {}

#[test]
fn texts_arrive_as_they_are_written() {
    let mut lines = serve("described");
    let mut list = |method: &str, member: &str| {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
        lines.send(
            &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}}).to_string(),
        );
        lines.message().expect("it is answered")["result"][member].take()
    };
    let tools = list("tools/list", "tools");
    let described = |name: &str| {
        let all = tools.as_array().expect("a list");
        all.iter().find(|tool| tool["name"] == name).expect("it is listed")["description"].clone()
    };
    assert_eq!(
        described("look"),
        "Looks for text.\n\nIt takes:\n\n* words,\n    - and parts of them\n* \"quoted\" {braces}\n\n```sh\nlook --for 'this \\ that'\n```"
    );
    let file = include_str!("described.md").trim_end();
    assert_eq!(described("from_a_file"), file);
    assert_eq!(described("overridden"), "But this.");
    let prompt = &list("prompts/list", "prompts")[0];
    assert_eq!(prompt["description"], format!("Before.\n{file}\n\nAfter."));
    assert_eq!(prompt["arguments"][0]["description"], "What.");

    let look =
        tools.as_array().expect("a list").iter().find(|tool| tool["name"] == "look").expect("it is listed");
    let arguments = &look["inputSchema"]["properties"];
    assert_eq!(arguments["text"]["description"], "What to look for.");
    assert_eq!(
        arguments["depth"]["description"],
        "How far to go.\n\n- `here`: Only this place.\n- `below`: Everything *below*."
    );
    assert_eq!(arguments["place"]["description"], "Where to look.");
    assert_eq!(
        arguments["place"]["properties"]["path"]["description"],
        "The path, such as `/srv`.\n\nNo links are followed."
    );
}
