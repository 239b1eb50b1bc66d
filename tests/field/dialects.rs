//! Schemas that authors write: dialects, references and patterns.

use mcp_runtime::prelude::*;
use serde_json::{Map, json};

use crate::client::{MODERN, called, code, server, text, tool, tools};

/// What is wrong with a server that has a tool of this schema.
pub fn refused(schema: Value) -> Option<String> {
    let tool = mcp::Tool::new("written", schema, |arguments: Value, _: mcp::Context| async move {
        arguments.to_string()
    });
    server("nothing").tool(tool).into_router().err().map(|problems| problems.to_string())
}

mod named {
    use super::*;

    /// What stands beside a reference says nothing in draft-07.
    fn of(dialect: &str) -> Value {
        json!({"$schema": dialect, "type": "object", "definitions": {"text": {"type": "string"}},
            "properties": {"a": {"$ref": "#/definitions/text", "minLength": 3}}})
    }

    #[mcp::tool(group = "dialects", input_schema = of("http://json-schema.org/draft-07/schema#"))]
    fn draft_07(_arguments: Value) -> &'static str {
        "taken"
    }

    #[mcp::tool(group = "dialects", input_schema = of("https://json-schema.org/draft/2020-12/schema"))]
    fn current(_arguments: Value) -> &'static str {
        "taken"
    }
}

/// sap-mcp-servers#55, csharp-sdk#343: a stamp that nobody asked for, one that is lost, or one that is fetched.
#[test]
fn fc_13_a_dialect_is_named_where_its_author_names_it() {
    for tool in tools("numbers", MODERN) {
        assert!(!tool.to_string().contains("$schema"), "{tool}");
    }
    for (name, stamp) in [
        ("draft_07", "http://json-schema.org/draft-07/schema#"),
        ("current", "https://json-schema.org/draft/2020-12/schema"),
    ] {
        assert_eq!(tool("dialects", name)["inputSchema"]["$schema"], stamp);
    }
    assert_eq!(text(&called("dialects", "draft_07", json!({"a": "a"}))), "taken", "its own dialect judges");
    assert_eq!(called("dialects", "current", json!({"a": "a"}))["result"]["isError"], true);
    let told =
        refused(json!({"$schema": "http://127.0.0.1:9/dialect", "type": "object"})).unwrap_or_default();
    assert!(told.contains("http://127.0.0.1:9/dialect"), "{told}");
    let within =
        json!({"$id": "https://example.com/a", "$schema": "http://127.0.0.1:9/dialect", "type": "object"});
    let told = refused(json!({"type": "object", "properties": {"a": within}})).unwrap_or_default();
    assert!(told.contains("http://127.0.0.1:9/dialect"), "{told}");
    assert_eq!(
        refused(json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "object"})),
        None
    );
}

/// CVE-2026-39885: a schema that reads files or the network, or that takes for ever.
#[test]
fn fc_74_schemas_that_reach_out_or_double_themselves_are_refused() {
    let property = |schema: Value| refused(json!({"type": "object", "properties": {"a": schema}}));
    for reference in
        ["http://127.0.0.1:9/s", "https://example.com/s", "file:///etc/passwd", "//127.0.0.1/s", "other.json"]
    {
        let told = property(json!({"$ref": reference})).unwrap_or_default();
        assert!(told.contains("written") && told.contains(reference), "{reference}: {told}");
    }
    let output =
        mcp::Tool::new("written", json!({"type": "object"}), |_: Value, _: mcp::Context| async { "" })
            .output_schema(json!({"$ref": "http://127.0.0.1:9/s"}));
    let told = server("nothing").tool(output).into_router().err().map(|problems| problems.to_string());
    assert!(told.as_ref().is_some_and(|told| told.contains("http://127.0.0.1:9/s")), "{told:?}");
    assert!(property(json!({"$dynamicRef": "http://127.0.0.1:9/s"})).is_some());
    let doubled = (0..14).fold(json!({"type": "string"}), |schema, _| json!({"allOf": [schema, schema]}));
    assert!(property(doubled).is_some(), "a schema that doubles itself");
    // The same in a few lines, by each way to refer to a part of the document.
    let by = |reference: fn(usize) -> String, part: fn(usize, Value) -> Value| {
        let level = |at: usize| json!({"allOf": [{"$ref": reference(at + 1)}, {"$ref": reference(at + 1)}]});
        let mut parts: Map<String, Value> =
            (0..30).map(|at| (format!("L{at}"), part(at, level(at)))).collect();
        parts.insert("L30".to_owned(), part(30, json!({"type": "string"})));
        refused(
            json!({"$id": "https://example.com/s", "type": "object", "properties": {"a": {"$ref": reference(0)}}, "$defs": parts}),
        )
    };
    let doubled = "more than 10000 of its parts apply to one value";
    for (way, told) in [
        ("pointers", by(|at| format!("#/$defs/L{at}"), |_, part| part)),
        ("pointers with escapes", by(|at| format!("#/%24defs/%4C{at}"), |_, part| part)),
        (
            "anchors",
            by(
                |at| format!("#L{at}"),
                |at, mut part| {
                    part["$anchor"] = json!(format!("L{at}"));
                    part
                },
            ),
        ),
        (
            "ids",
            by(
                |at| format!("l{at}"),
                |at, mut part| {
                    part["$id"] = json!(format!("l{at}"));
                    part
                },
            ),
        ),
        ("whole URIs", by(|at| format!("https://example.com/s#/$defs/L{at}"), |_, part| part)),
    ] {
        assert!(told.as_ref().is_some_and(|told| told.contains(doubled)), "{way}: {told:?}");
    }
    assert!(property(json!({"$ref": "#/properties/a"})).is_some(), "a reference that leads back to itself");
}

mod patterns {
    use super::*;

    #[mcp::tool(group = "patterns", input_schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?=((a+)+))(\\1)+(?!b)$"}}}))]
    fn looks_around(_arguments: Value) -> &'static str {
        "taken"
    }

    #[mcp::tool(group = "patterns", input_schema = json!({"type": "object", "patternProperties": {"^(a|a)*$": false}}))]
    fn of_names(_arguments: Value) -> &'static str {
        "taken"
    }

    #[mcp::tool(group = "patterns", input_schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}))]
    fn nested(_arguments: Value) -> &'static str {
        "taken"
    }
}

/// The same: a pattern whose time doubles with each character.
#[test]
fn fc_74_a_pattern_takes_no_longer_than_its_text() {
    let start = std::time::Instant::now();
    let answer = called("patterns", "nested", json!({"a": format!("{}!", "a".repeat(100_000))}));
    assert_eq!((code(&answer), answer["result"]["isError"].clone()), (None, json!(true)));
    let around = called("patterns", "looks_around", json!({"a": format!("{}!", "a".repeat(1000))}));
    assert_eq!(around["result"]["isError"], true, "{around}");
    let long = format!("{}!", "a".repeat(100_000));
    assert_eq!(text(&called("patterns", "of_names", json!({long: 1}))), "taken");
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
}
