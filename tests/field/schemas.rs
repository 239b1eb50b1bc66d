//! The schemas that clients are told: one that some client cannot read takes every tool of the server away from it.

use std::num::NonZeroU32;

use mcp_runtime::prelude::*;
use serde_json::{Map, json};

use crate::client::{MODERN, REVISIONS, called, server, text, tool, tools};
use crate::dialects::refused;

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

mod defaults {
    use super::*;

    #[derive(mcp::Args)]
    pub struct Page {
        #[arg(default = 10, range = 1..=50)]
        size: u8,
        #[serde(default)]
        number: u32,
    }

    #[derive(mcp::Args)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    pub enum Filter {
        Name { name: String },
        All,
    }

    /// Need not be given anything.
    #[mcp::tool(group = "defaults")]
    fn list(
        #[arg(default = 3)] count: u32,
        #[arg(default)] tags: Vec<String>,
        filter: Option<Filter>,
        page: Option<Page>,
    ) -> String {
        let filter = filter.map(|filter| match filter {
            Filter::Name { name } => name,
            Filter::All => "all".to_owned(),
        });
        format!("{count} {tags:?} {filter:?} {:?}", page.map(|page| (page.size, page.number)))
    }
}

/// Clients that fill in every argument give `null` for those that need not be given.
#[test]
fn fc_70_null_is_absent_where_there_is_a_default() {
    let listed = |arguments| text(&called("defaults", "list", arguments)).to_owned();
    assert_eq!(listed(json!({})), "3 [] None None");
    assert_eq!(listed(json!({"count": null, "tags": null, "filter": null, "page": null})), "3 [] None None");
    assert_eq!(listed(json!({"page": {"size": null, "number": null}})), "3 [] None Some((10, 0))");
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

    #[derive(mcp::Data)]
    pub struct Folder {
        files: Vec<File>,
    }

    #[derive(mcp::Data)]
    pub struct File {
        within: Option<Box<Folder>>,
    }

    /// Takes types that contain each other.
    #[mcp::tool(group = "nested")]
    fn folder(folder: Folder) -> mcp::Json<Folder> {
        mcp::Json(folder)
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
        let (_, name) = reference.split_once(": #/$defs/").unwrap_or_else(|| panic!("{reference}"));
        assert!(["Node", "Folder", "File"].contains(&name), "{reference}");
    }
    assert!(
        !references.is_empty() && !references.iter().any(|reference| reference.contains("line")),
        "{references:#?}"
    );
    for tool in tools("nested", MODERN) {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(
            tool["name"] == "line" || tool["name"] == "size" || tool["outputSchema"]["type"] == "object",
            "{tool}"
        );
    }
    let folder = json!({"files": [{"within": {"files": [{"within": null}]}}]});
    assert_eq!(called("nested", "folder", json!({"folder": folder}))["result"]["structuredContent"], folder);
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
