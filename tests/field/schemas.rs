//! The schemas that clients are told: one that some client cannot read takes every tool of the server away from it.

use std::num::NonZeroU32;

use mcp_runtime::prelude::*;
use serde_json::{Map, json};

use crate::client::{HANDSHAKE, MODERN, REVISIONS, called, code, server, text, tool, tools};

/// Calls something for each schema within a schema, with the place where it stands.
fn each_schema(schema: &Value, place: &str, see: &mut dyn FnMut(&Value, &str)) {
    see(schema, place);
    let Some(node) = schema.as_object() else { return };
    for (keyword, child) in node {
        let place = format!("{place}/{keyword}");
        match (keyword.as_str(), child) {
            ("properties" | "$defs" | "patternProperties", Value::Object(children)) => {
                for (name, child) in children {
                    each_schema(child, &format!("{place}/{name}"), see);
                }
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(children)) => {
                for (at, child) in children.iter().enumerate() {
                    each_schema(child, &format!("{place}/{at}"), see);
                }
            }
            ("items" | "additionalProperties" | "not" | "contains", child) => each_schema(child, &place, see),
            _ => {}
        }
    }
}

/// What stands in the schemas of every tool of a group, wherever `find` finds something.
fn found(group: &'static str, find: impl Fn(&Value) -> Option<String>) -> Vec<String> {
    let mut all = Vec::new();
    for tool in tools(group, MODERN) {
        for side in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get(side) {
                each_schema(schema, &format!("{} {side}", tool["name"]), &mut |schema, place| {
                    all.extend(find(schema).map(|what| format!("{place}: {what}")));
                });
            }
        }
    }
    all
}

mod roots {
    use super::*;

    #[derive(mcp::Args)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    pub enum Shape {
        Circle { r: u32 },
        Square { side: u32 },
    }

    /// Takes one argument that is a variant.
    #[mcp::tool(group = "roots")]
    fn area(shape: Shape) -> u32 {
        match shape {
            Shape::Circle { r } => r * r * 3,
            Shape::Square { side } => side * side,
        }
    }

    /// Takes the variants for its arguments.
    #[mcp::tool(group = "flat roots")]
    fn flat(#[arg(flatten)] shape: Shape) -> u32 {
        area(shape)
    }
}

/// typescript-sdk#1643, claude-code#88049: a root without `type` makes every tool of the server vanish.
#[test]
fn fc_01_the_root_of_arguments_is_an_object_in_every_revision() {
    for revision in REVISIONS {
        let tool = tools("roots", revision).remove(0);
        assert_eq!(tool["inputSchema"]["type"], "object", "{revision}: {tool}");
        assert!(tool["inputSchema"]["properties"]["shape"].is_object(), "{revision}: {tool}");
    }
    assert_eq!(text(&called("roots", "area", json!({"shape": {"kind": "square", "side": 2}}))), "4");
    assert_eq!(called("roots", "area", json!({"shape": {"kind": "cube"}}))["result"]["isError"], true);
    // Some clients refuse a union at the root even beside `type`: there is none.
    let told =
        server("flat roots").into_router().err().map(|problems| problems.to_string()).unwrap_or_default();
    assert!(told.contains("tool `flat`: a flattened argument is an object"), "{told}");
    let union = json!({"oneOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]});
    assert!(refused(union).unwrap_or_default().contains(r#"has no `"type": "object"` at its root"#));
}

mod nothing {
    use super::*;

    /// Has no parameters.
    #[mcp::tool(group = "nothing")]
    fn none() -> &'static str {
        "now"
    }

    #[derive(mcp::Args)]
    pub struct Empty {}

    /// Takes a struct without fields.
    #[mcp::tool(group = "nothing")]
    fn empty(#[arg(flatten)] _empty: Empty) -> &'static str {
        "now"
    }

    /// Takes what the server gives, and nothing else.
    #[mcp::tool(group = "nothing")]
    fn given(_context: mcp::Context) -> &'static str {
        "now"
    }

    /// Says by hand that it takes nothing.
    #[mcp::tool(group = "nothing", input_schema = json!({"type": "object"}))]
    fn by_hand(_arguments: Value) -> &'static str {
        "now"
    }
}

/// typescript-sdk, "missing properties property in empty schema"; rust-sdk#856: `type` is `null`, or `properties` is not
/// there.
#[test]
fn fc_02_a_tool_without_parameters_says_so_in_full() {
    for name in ["none", "empty", "given"] {
        let schema = tool("nothing", name)["inputSchema"].clone();
        assert_eq!(
            schema,
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            "{name}"
        );
    }
    assert_eq!(tool("nothing", "by_hand")["inputSchema"]["type"], "object");
    for name in ["none", "empty", "given", "by_hand"] {
        assert_eq!(text(&called("nothing", name, json!({}))), "now", "{name}");
    }
}

mod numbers {
    use super::*;

    #[derive(mcp::Data)]
    pub struct Sizes {
        a: u8,
        b: u32,
        c: u64,
        d: usize,
        e: i64,
        f: f32,
        g: u128,
        h: NonZeroU32,
        many: Vec<i16>,
        next: Vec<Sizes>,
        /// A member of that name is no keyword.
        format: String,
    }

    /// Has every number there is.
    #[mcp::tool(group = "numbers")]
    fn sizes(sizes: Sizes, single: u16) -> mcp::Json<Sizes> {
        let _ = single;
        mcp::Json(sizes)
    }
}

/// opencode#31002: `unknown format "uint64" ignored`, hundreds of times on every connect.
#[test]
fn fc_04_numbers_have_no_formats_of_their_own() {
    let formats = found("numbers", |schema| schema.get("format").map(ToString::to_string));
    assert!(formats.is_empty(), "{formats:#?}");
    let tool = tool("numbers", "sizes");
    assert_eq!(
        tool["inputSchema"]["properties"]["single"],
        json!({"type": "integer", "minimum": 0, "maximum": 65_535})
    );
    let text = tool["outputSchema"].to_string();
    assert!(text.contains(r#""format":{"#), "the member is kept: {text}");
    let sizes = json!({"a": 1, "b": 2, "c": 3, "d": 4, "e": -5, "f": 0.5, "g": 7, "h": 8, "many": [1], "next": [], "format": "x"});
    assert_eq!(
        called("numbers", "sizes", json!({"sizes": sizes, "single": 1}))["result"]["structuredContent"],
        sizes
    );
}

mod optional {
    use super::*;

    #[derive(mcp::Args, Debug)]
    #[serde(rename_all = "snake_case")]
    pub enum Mode {
        Fast,
        Slow,
    }

    #[derive(mcp::Args, Debug)]
    pub struct Sub {
        depth: Option<u8>,
        modes: Option<Vec<Mode>>,
    }

    /// May be given something.
    #[mcp::tool(group = "optional")]
    fn query(page: Option<u32>, mode: Option<Mode>, sub: Option<Sub>, name: Option<String>) -> String {
        let sub = sub.map(|sub| (sub.depth, sub.modes));
        format!("{page:?} {mode:?} {sub:?} {name:?}")
    }
}

/// rust-sdk#664, gitlab-mcp#166: `"type": ["integer", "null"]` is answered 400 by some hosts.
#[test]
fn fc_05_what_may_be_left_out_has_its_plain_type() {
    let nulls = found("optional", |schema| {
        let is_null = schema["type"] == "null"
            || schema["type"].is_array()
            || schema.get("default") == Some(&Value::Null);
        is_null.then(|| schema.to_string())
    });
    assert!(nulls.is_empty(), "{nulls:#?}");
    assert_eq!(tool("optional", "query")["inputSchema"].get("required"), None);
    assert_eq!(text(&called("optional", "query", json!({}))), "None None None None");
    assert_eq!(
        text(&called(
            "optional",
            "query",
            json!({"page": 1, "mode": "fast", "sub": {"depth": 2, "modes": ["slow"]}, "name": "n"})
        )),
        r#"Some(1) Some(Fast) Some((Some(2), Some([Slow]))) Some("n")"#
    );
}

/// php-sdk#299: `null` for an enumeration that need not be given.
#[test]
fn fc_70_null_is_absent() {
    let nulls = json!({"page": null, "mode": null, "sub": null, "name": null});
    assert_eq!(text(&called("optional", "query", nulls)), "None None None None");
    let within = json!({"sub": {"depth": null, "modes": null}});
    assert_eq!(text(&called("optional", "query", within)), "None None Some((None, None)) None");
    assert_eq!(called("optional", "query", json!({"sub": {"modes": [null]}}))["result"]["isError"], true);
}

mod nested {
    use super::*;

    #[derive(mcp::Data)]
    pub struct Point {
        x: i32,
        y: i32,
    }

    /// Takes a type twice.
    #[mcp::tool(group = "nested")]
    fn line(from: Point, to: Point) -> mcp::Json<Vec<Point>> {
        mcp::Json(vec![from, to])
    }

    #[derive(mcp::Data)]
    pub struct Node {
        children: Vec<Node>,
    }

    fn count(node: &Node) -> usize {
        1 + node.children.iter().map(count).sum::<usize>()
    }

    /// Takes a tree for its arguments.
    #[mcp::tool(group = "nested")]
    fn root(#[arg(flatten)] node: Node) -> mcp::Json<Node> {
        mcp::Json(node)
    }

    /// Takes a tree.
    #[mcp::tool(group = "nested")]
    fn size(node: Node) -> usize {
        count(&node)
    }
}

/// gemini-cli#13326: what is referred to is read as something else, or the tool is dropped.
#[test]
fn fc_06_only_what_contains_itself_is_referred_to() {
    let references = found("nested", |schema| schema["$ref"].as_str().map(str::to_owned));
    for reference in &references {
        assert!(reference.ends_with("#/$defs/Node"), "{reference}");
    }
    assert!(
        !references.is_empty() && !references.iter().any(|reference| reference.contains("line")),
        "{references:#?}"
    );
    for tool in tools("nested", MODERN) {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
    }
    let tree = json!({"children": [{"children": []}, {"children": [{"children": []}]}]});
    assert_eq!(text(&called("nested", "size", json!({"node": tree}))), "4");
    assert_eq!(called("nested", "root", tree.clone())["result"]["structuredContent"], tree);
    let told = called("nested", "size", json!({"node": {"children": [{"children": 7}]}}));
    assert!(text(&told).contains("`node.children[0].children`"), "{told}");
}

mod untyped {
    use super::*;

    #[derive(mcp::Data)]
    pub struct Envelope {
        payload: Value,
        more: Vec<Value>,
        named: Map<String, Value>,
    }

    /// Takes anything.
    #[mcp::tool(group = "untyped")]
    fn any(
        /// Whatever it is.
        payload: Value,
        envelope: Option<Envelope>,
    ) -> mcp::Json<Envelope> {
        mcp::Json(envelope.unwrap_or_else(|| Envelope { payload, more: vec![], named: Map::new() }))
    }
}

/// aion#82: a schema that is `true` breaks clients that look into it.
#[test]
fn fc_07_what_may_be_anything_is_described_by_an_object() {
    let booleans = found("untyped", |schema| (*schema == Value::Bool(true)).then(|| "true".to_owned()));
    let members: Vec<_> =
        booleans.iter().filter(|place| !place.contains("/additionalProperties: ")).collect();
    assert!(members.is_empty(), "{members:#?}");
    let payload = tool("untyped", "any")["inputSchema"]["properties"]["payload"].clone();
    assert_eq!(payload, json!({"description": "Whatever it is."}));
    for payload in [json!({"a": 1}), json!("{\"a\":1}"), json!(null), json!([1]), json!(false)] {
        let answer = called("untyped", "any", json!({"payload": payload}));
        assert_eq!(answer["result"]["structuredContent"]["payload"], payload, "{answer}");
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
    for (revision, expected) in [(MODERN, list.clone()), (HANDSHAKE, json!({"result": list}))] {
        let answer = crate::client::asked("lists", revision, "tools/call", json!({"name": "list"}));
        assert_eq!(answer["result"]["structuredContent"], expected, "{revision}");
        let told: Value = serde_json::from_str(text(&answer)).expect("JSON");
        assert_eq!(told, list, "{revision}: the text is the data as it is");
    }
}

/// What is wrong with a server that has a tool of this schema.
fn refused(schema: Value) -> Option<String> {
    let tool = mcp::Tool::new("written", schema, |arguments: Value, _: mcp::Context| async move {
        arguments.to_string()
    });
    server("nothing").tool(tool).into_router().err().map(|problems| problems.to_string())
}

mod dialects {
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
    let stamps = found("numbers", |schema| schema.get("$schema").map(ToString::to_string));
    assert!(stamps.is_empty(), "{stamps:#?}");
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
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
}
