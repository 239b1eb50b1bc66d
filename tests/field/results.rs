//! What calls give back: data that fits its schema, and content of every kind.

use std::path::PathBuf;

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::client::{MODERN, REVISIONS, asked, call, called, code, connect, text, tool, tools};

#[derive(mcp::Output)]
struct Reading {
    n: f64,
    o: Option<String>,
}

/// Gives what it is asked for.
#[mcp::tool(group = "results")]
fn reading(n: f64, by: f64) -> Result<mcp::Json<Reading>, mcp::ToolError> {
    if n < 0.0 {
        Err(mcp::ToolError::new("below zero"))
    } else {
        Ok(mcp::Json(Reading { n: n / by, o: None }))
    }
}

/// Gives numbers that a double cannot hold.
#[mcp::tool(group = "results")]
fn large() -> mcp::Json<Vec<u64>> {
    mcp::Json(vec![9_007_199_254_740_993, u64::MAX])
}

/// Says that it gives data, and gives text.
#[mcp::tool(group = "results", output_schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))]
fn forgets() -> &'static str {
    "text"
}

/// Gives other data than it says.
#[mcp::tool(group = "results", output_schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))]
fn differs() -> mcp::CallToolResult {
    mcp::CallToolResult::text("7").structured(json!({"n": "7"}))
}

/// Says that it gives data, and fails with data.
#[mcp::tool(group = "results", output_schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}))]
fn fails() -> mcp::CallToolResult {
    mcp::CallToolResult::error("it failed").structured(json!({"why": "x"}))
}

/// java-sdk#683, arcade-mcp#817: data that does not fit its schema makes clients drop the whole result.
#[test]
fn fc_11_data_fits_its_schema_or_is_not_there() {
    let known = tool("results", "reading");
    assert_eq!(known["outputSchema"]["properties"]["n"]["type"], "number");
    let validator = jsonschema::validator_for(&known["outputSchema"]).expect("a schema");
    let answer = called("results", "reading", json!({"n": 1, "by": 2}));
    let data = &answer["result"]["structuredContent"];
    assert!(validator.is_valid(data), "{data} does not fit {known}");
    let copy: Value = serde_json::from_str(text(&answer)).expect("JSON");
    assert_eq!(copy, *data, "the text is a copy");

    assert_eq!(
        code(&called("results", "reading", json!({"n": 0, "by": 0}))),
        Some(-32603),
        "NaN has no form in JSON"
    );
    let failed = called("results", "reading", json!({"n": -1, "by": 1}));
    assert_eq!((text(&failed), failed["result"]["isError"].clone()), ("below zero", json!(true)));
    assert_eq!(failed["result"].get("structuredContent"), None);
    assert_eq!(code(&called("results", "forgets", json!({}))), Some(-32603), "what is promised is given");

    assert_eq!(code(&called("results", "differs", json!({}))), Some(-32603), "and nothing else");

    let mut lines = connect("results");
    lines.send(&call(1, "large", json!({})).to_string());
    let line = lines.line().expect("it is answered");
    assert!(line.contains(r#""structuredContent":[9007199254740993,18446744073709551615]"#), "{line}");
}

/// The same for results that are errors: what they carry is not what the schema is about.
#[test]
fn fc_11_an_error_carries_no_data_of_another_shape() {
    let failed = called("results", "fails", json!({}));
    assert_eq!((text(&failed), failed["result"]["isError"].clone()), ("it failed", json!(true)));
    assert_eq!(failed["result"].get("structuredContent"), None, "{failed}");
}

mod round_trips {
    use std::collections::{BTreeMap, HashMap};
    use std::net::IpAddr;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;

    #[derive(mcp::Data)]
    #[serde(rename_all = "camelCase")]
    pub struct Everything {
        left_out: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        skipped: Option<u8>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        empty: Vec<u8>,
        #[serde(rename = "type")]
        kind: Kind,
        pair: (u8, String),
        four: [u8; 4],
        letter: char,
        wide: u128,
        by_name: HashMap<String, i64>,
        by_number: BTreeMap<u32, bool>,
        path: PathBuf,
        address: IpAddr,
        time: Duration,
        wrapped: Wrapped,
        adjacent: Adjacent,
        unit: (),
        nested: Option<Box<Everything>>,
        result: Result<u8, String>,
        #[serde(flatten)]
        rest: Rest,
    }

    #[derive(mcp::Data)]
    #[serde(rename_all = "kebab-case")]
    pub enum Kind {
        OneThing,
        Another,
    }

    #[derive(mcp::Data)]
    #[serde(transparent)]
    pub struct Wrapped(u16);

    #[derive(mcp::Data)]
    #[serde(tag = "t", content = "c")]
    pub enum Adjacent {
        Nothing,
        Number(f64),
        Named { n: i8 },
    }

    #[derive(mcp::Data)]
    pub struct Rest {
        extra: String,
    }

    /// Gives back what it is given.
    #[mcp::tool(group = "round trips")]
    fn again(all: Everything) -> mcp::Json<Everything> {
        mcp::Json(all)
    }
}

/// The same for what types are made of: what is read as one shape is written as it.
#[test]
fn fc_11_what_is_written_fits_however_its_type_is_made() {
    let mut all = json!({
        "leftOut": null, "type": "one-thing", "pair": [1, "a"], "four": [1, 2, 3, 4], "letter": "é",
        "wide": 18_446_744_073_709_551_615_u64, "byName": {"a": -1}, "byNumber": {"7": true}, "path": "a/b",
        "address": "::1", "time": {"secs": 1, "nanos": 5}, "wrapped": 9, "adjacent": {"t": "Number", "c": 1.5},
        "unit": null, "nested": null, "result": {"Ok": 1}, "extra": "x",
    });
    let validator =
        jsonschema::validator_for(&tool("round trips", "again")["outputSchema"]).expect("a schema");
    for _ in 0..2 {
        let answer = called("round trips", "again", json!({"all": all}));
        let data = &answer["result"]["structuredContent"];
        assert_eq!(*data, all, "{answer}");
        assert!(validator.is_valid(data), "{data}");
        let mut inner = all.clone();
        inner["adjacent"] = json!({"t": "Named", "c": {"n": -1}});
        inner["result"] = json!({"Err": "e"});
        all["nested"] = inner;
        all["adjacent"] = json!({"t": "Nothing"});
        all["skipped"] = json!(1);
        all["empty"] = json!([1]);
    }
}

mod lists {
    use super::*;

    #[derive(mcp::Output)]
    pub struct Item {
        n: u8,
    }

    /// Returns a list.
    #[mcp::tool(group = "lists")]
    fn list() -> mcp::Json<Vec<Item>> {
        mcp::Json(vec![Item { n: 1 }, Item { n: 2 }])
    }

    /// Has a schema with an id and without a type.
    #[mcp::tool(group = "lists", output_schema = json!({"$id": "https://example.com/any"}))]
    fn untyped() -> mcp::Json<Value> {
        mcp::Json(json!([1]))
    }

    /// Returns a number.
    #[mcp::tool(group = "lists")]
    fn number() -> mcp::Json<u8> {
        mcp::Json(7)
    }
}

/// rust-sdk#895, mcpx#28: an `outputSchema` that is no object takes every tool away from clients before 2026-07-28.
#[test]
fn fc_12_results_that_are_no_objects_are_wrapped_for_handshake_clients() {
    for revision in REVISIONS {
        for tool in tools("lists", revision) {
            let Some(schema) = tool.get("outputSchema") else {
                assert!(revision < "2025-06-18", "{revision}: {tool}");
                continue;
            };
            assert!(revision == MODERN || schema["type"] == "object", "{revision}: {tool}");
        }
    }
    assert_eq!(tool("lists", "list")["outputSchema"]["type"], "array");
    let list = json!([{"n": 1}, {"n": 2}]);
    let wrapped = json!({"result": list});
    for (revision, expected) in
        REVISIONS.into_iter().zip([Value::Null, Value::Null, wrapped.clone(), wrapped, list.clone()])
    {
        let answer = asked("lists", revision, "tools/call", json!({"name": "list"}));
        assert_eq!(answer["result"]["structuredContent"], expected, "{revision}");
        let told: Value = serde_json::from_str(text(&answer)).expect("JSON");
        assert_eq!(told, list, "{revision}: the text is the data as it is");
    }
}

mod shapes {
    use super::*;

    #[mcp::resource("shape://text", group = "shapes")]
    fn plain() -> &'static str {
        "text"
    }

    #[mcp::resource("shape://empty", group = "shapes")]
    fn empty() -> mcp::Blob {
        mcp::Blob::new(Vec::new(), "application/x-empty")
    }

    #[mcp::resource("shape://bytes", group = "shapes")]
    fn bytes() -> mcp::Blob {
        mcp::Blob::new(vec![255_u8; 300], "application/octet-stream")
    }

    #[mcp::prompt(group = "shapes")]
    fn media() -> mcp::Prompt {
        mcp::Prompt::new().message(mcp::Role::User, mcp::ContentBlock::audio([1, 2, 3], "audio/wav")).message(
            mcp::Role::Assistant,
            mcp::ContentBlock::resource(
                mcp::ResourceContents::text("shape://text", "text").mime_type("text/plain"),
            ),
        )
    }

    #[mcp::resource("shape://{+path}", group = "shapes")]
    fn any(path: PathBuf) -> String {
        path.display().to_string()
    }
}

/// rust-sdk#951, #865, #843: a media type that nobody gave, content that a prompt cannot hold, members that are
/// flattened.
#[test]
fn fc_77_content_has_the_shapes_of_the_specification() {
    let read = |uri: &str| {
        let answer = asked("shapes", MODERN, "resources/read", json!({"uri": uri}));
        answer["result"]["contents"].clone()
    };
    assert_eq!(read("shape://text"), json!([{"uri": "shape://text", "text": "text"}]));
    assert_eq!(
        read("shape://empty"),
        json!([{"uri": "shape://empty", "mimeType": "application/x-empty", "blob": ""}])
    );
    let bytes = read("shape://bytes");
    assert_eq!(
        bytes[0]["blob"].as_str(),
        Some("/".repeat(400).as_str()),
        "no breaks, and the standard alphabet"
    );

    for revision in REVISIONS {
        let answer = asked("shapes", revision, "prompts/get", json!({"name": "media"}));
        let embedded = json!({"type": "resource", "resource": {"uri": "shape://text", "mimeType": "text/plain", "text": "text"}});
        assert_eq!(
            answer["result"]["messages"][1],
            json!({"role": "assistant", "content": embedded}),
            "{revision}"
        );
        let audio = &answer["result"]["messages"][0]["content"];
        if revision > "2024-11-05" {
            assert_eq!(
                *audio,
                json!({"type": "audio", "data": "AQID", "mimeType": "audio/wav"}),
                "{revision}"
            );
        } else {
            assert_ne!(audio["type"], "audio", "{revision} has no such content");
        }
    }
}
