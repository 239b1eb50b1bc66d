//! What an author declares is what clients read: members in their order, and defaults of whatever type.

use mcp_runtime::prelude::*;
use serde_json::json;

#[derive(mcp::Args)]
enum Language {
    /// The default.
    Rust,
    #[serde(rename = "c++")]
    Cpp,
}

#[derive(mcp::Args)]
#[serde(rename_all = "kebab-case")]
enum Colour {
    NightBlue,
    Red,
}

#[derive(mcp::Args)]
#[serde(rename_all = "camelCase")]
struct Query {
    zoom_level: Option<u8>,
    words: String,
    #[arg(default = Colour::NightBlue)]
    colour: Colour,
    #[serde(default = "both")]
    beside: Vec<Colour>,
    area: Option<String>,
}

fn both() -> Vec<Colour> {
    vec![Colour::Red, Colour::NightBlue]
}

/// Looks for something.
#[mcp::tool(group = "declared")]
fn look(
    zeal: Option<u8>,
    query: Query,
    #[arg(default = Language::Cpp)] language: Language,
    #[arg(default = Some(Colour::Red))] background: Option<Colour>,
) -> String {
    let _ = (query.zoom_level, query.words, query.area, Language::Rust);
    let blue = matches!((query.colour, background), (Colour::NightBlue, Some(Colour::Red)));
    format!("{zeal:?} {} {blue} {}", matches!(language, Language::Cpp), query.beside.len())
}

/// Looks for the same.
#[mcp::tool(group = "declared")]
fn flat(#[arg(flatten)] query: Query) -> String {
    format!("{:?} {}", query.zoom_level, query.words)
}

fn listed() -> String {
    let mut lines = crate::serve("declared");
    lines.send(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }}})
        .to_string(),
    );
    lines.line().expect("the list")
}

#[track_caller]
fn are_in_order(text: &str, names: &[&str]) {
    let places: Vec<usize> = names
        .iter()
        .map(|name| text.find(&format!("\"{name}\":{{")).unwrap_or_else(|| panic!("{name} in {text}")))
        .collect();
    assert!(places.is_sorted(), "{names:?} in {text}");
}

#[test]
fn members_are_listed_as_they_are_declared() {
    let text = listed();
    let (flat, look) = text.split_once("\"name\":\"look\"").expect("a second tool");
    are_in_order(
        look,
        &["zeal", "query", "zoomLevel", "words", "colour", "beside", "area", "language", "background"],
    );
    are_in_order(flat, &["zoomLevel", "words", "colour", "beside", "area"]);
    assert!(!text.contains("order"), "{text}");
}

#[test]
fn defaults_of_enums_are_shown_and_taken() {
    let list: Value = serde_json::from_str(&listed()).unwrap();
    let tool =
        list["result"]["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "look").unwrap();
    let properties = &tool["inputSchema"]["properties"];
    assert_eq!(properties["language"]["default"], "c++", "{properties:#}");
    assert_eq!(properties["language"]["enum"], json!(["Rust", "c++"]), "{properties:#}");
    assert_eq!(properties["background"]["default"], "red", "{properties:#}");
    let query = &properties["query"]["properties"];
    assert_eq!(query["colour"]["default"], "night-blue", "{query:#}");
    assert_eq!(query["beside"]["default"], json!(["red", "night-blue"]), "{query:#}");
    let result = crate::call("declared", "look", &json!({"query": {"words": "x"}}));
    assert_eq!(crate::text(&result), "None true true 2", "{result}");
}
