//! Section XD: definitions of `x-mcp-header`, refused or taken when a tool is registered, at boot and at run time.

use mcp_runtime::__private::alone::Alone;
use mcp_runtime::prelude::*;
use mcp_runtime::{Library, Server};
use serde_json::json;

use crate::fixture::Config;
use crate::request::list;

/// Which test shows which row.
pub const SHOWN: &[(&str, fn())] = &[
    ("XD-6", two_tools_may_have_one_header),
    ("XD-18", the_schema_of_a_result_mirrors_nothing),
    ("XD-24", properties_that_are_no_object_are_refused),
];

/// One definition, and what becomes of it.
pub struct Definition {
    pub id: &'static str,
    input: Value,
    output: Option<Value>,
    verdict: Verdict,
}

enum Verdict {
    Taken,
    /// The problem says these: where it lies, and what would be right.
    Refused(&'static [&'static str]),
}

const TYPES: &str = "only a string, an integer or a boolean";
const NAME: &str = "letters, digits and !#$%&'*+-.^_`|~";
const PLACE: &str = "only members of nested objects are mirrored";

fn taken(id: &'static str, properties: Value) -> Definition {
    schema(id, json!({"type": "object", "properties": properties}), Verdict::Taken)
}

fn refused(id: &'static str, properties: Value, says: &'static [&'static str]) -> Definition {
    schema(id, json!({"type": "object", "properties": properties}), Verdict::Refused(says))
}

fn schema(id: &'static str, input: Value, verdict: Verdict) -> Definition {
    Definition { id, input, output: None, verdict }
}

/// A text that is mirrored to that header.
fn text(header: impl Into<Value>) -> Value {
    json!({"type": "string", "x-mcp-header": header.into()})
}

/// A definition whose argument `a` is mirrored to a header of a name that no header can have.
fn bad_name(id: &'static str, name: &str) -> Definition {
    refused(id, json!({"a": text(name)}), &["`a`", NAME])
}

/// A definition whose argument `a` holds a mirrored text where no client finds it.
fn unreachable(id: &'static str, keyword: &str, held: Value) -> Definition {
    refused(id, json!({"a": {"type": ["object", "array"], keyword: held}}), &["`a", "Mcp-Param-X", PLACE])
}

/// Every definition.
pub fn definitions() -> Vec<Definition> {
    let mut all = names_and_types();
    all.extend(places());
    all
}

fn names_and_types() -> Vec<Definition> {
    let typed = |kind: Value| json!({"a": {"type": kind, "x-mcp-header": "A"}});
    vec![
        bad_name("XD-1", ""),
        refused("XD-2 number", json!({"a": text(5)}), &["`a`", "takes a text such as \"Region\""]),
        refused("XD-2 null", json!({"a": text(Value::Null)}), &["`a`", "takes a text such as \"Region\""]),
        refused("XD-2 object", json!({"a": text(json!({}))}), &["`a`", "takes a text such as \"Region\""]),
        bad_name("XD-3 space", "a b"),
        bad_name("XD-3 colon", "a:b"),
        bad_name("XD-3 slash", "a/b"),
        bad_name("XD-3 comma", "a,b"),
        bad_name("XD-3 quote", "a\"b"),
        bad_name("XD-3 parenthesis", "a(b"),
        bad_name("XD-3 at", "a@b"),
        bad_name("XD-3 not ASCII", "Größe"),
        bad_name("XD-3 DEL", "a\u{7f}"),
        taken("XD-3 every character", json!({"a": text("aZ09!#$%&'*+-.^_`|~")})),
        bad_name("XD-4 CR", "a\rb"),
        bad_name("XD-4 LF", "a\nb"),
        bad_name("XD-4 NUL", "a\0b"),
        bad_name("XD-4 TAB", "a\tb"),
        refused(
            "XD-5",
            json!({"a": text("Region"), "b": text("region")}),
            &["`a` and `b`", "Mcp-Param-region", "give one of them another name"],
        ),
        refused(
            "XD-5 nested",
            json!({"a": text("Region"), "b": {"type": "object", "properties": {"c": text("REGION")}}}),
            &["`a` and `b.c`", "give one of them another name"],
        ),
        refused("XD-7", typed(json!("number")), &["`a`", TYPES]),
        refused("XD-8 object", typed(json!("object")), &["`a`", TYPES]),
        refused("XD-8 array", typed(json!("array")), &["`a`", TYPES]),
        refused("XD-8 null", typed(json!("null")), &["`a`", TYPES]),
        refused("XD-9", json!({"a": {"x-mcp-header": "A"}}), &["`a`", TYPES]),
        refused("XD-10", typed(json!(["string", "null"])), &["`a`", TYPES]),
        refused("XD-10 one", typed(json!(["string"])), &["`a`", TYPES]),
        refused("XD-11 enum", json!({"a": {"enum": ["x"], "x-mcp-header": "A"}}), &["`a`", TYPES]),
        refused("XD-11 const", json!({"a": {"const": "x", "x-mcp-header": "A"}}), &["`a`", TYPES]),
        taken("XD-11 with a type", json!({"a": {"type": "string", "enum": ["x"], "x-mcp-header": "A"}})),
        taken("XD-21", json!({"a": text("Method"), "b": text("Name"), "c": text("Protocol-Version")})),
        taken(
            "XD-22",
            json!({"a": {"type": "integer", "minimum": -9_007_199_254_740_993_i64, "maximum": 9_007_199_254_740_993_i64,
                "x-mcp-header": "A"}}),
        ),
        taken(
            "three types",
            json!({"a": text("A"), "b": {"type": "integer", "x-mcp-header": "B"},
            "c": {"type": "boolean", "x-mcp-header": "C"}}),
        ),
    ]
}

fn places() -> Vec<Definition> {
    let x = || text("X");
    let whole = |members: Value| {
        let mut schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        for (name, value) in members.as_object().into_iter().flatten() {
            schema[name] = value.clone();
        }
        schema
    };
    vec![
        taken("XD-12", json!({"a": {"type": "object", "properties": {"b": x()}}})),
        taken(
            "XD-12 deeper",
            json!({"a": {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": x()}}}}}),
        ),
        unreachable("XD-13 items", "items", x()),
        unreachable("XD-13 within items", "items", json!({"type": "object", "properties": {"b": x()}})),
        unreachable("XD-13 prefixItems", "prefixItems", json!([x()])),
        unreachable("XD-13 contains", "contains", x()),
        unreachable("XD-13 additionalItems", "additionalItems", x()),
        unreachable("XD-13 unevaluatedItems", "unevaluatedItems", x()),
        unreachable("XD-14 oneOf", "oneOf", json!([x()])),
        unreachable("XD-14 anyOf", "anyOf", json!([{"type": "null"}, x()])),
        unreachable("XD-14 allOf", "allOf", json!([x()])),
        unreachable("XD-14 not", "not", x()),
        unreachable(
            "XD-14 properties within",
            "anyOf",
            json!([{"type": "object", "properties": {"b": x()}}]),
        ),
        unreachable("XD-15 if", "if", x()),
        unreachable("XD-15 then", "then", x()),
        unreachable("XD-15 else", "else", x()),
        unreachable("XD-15 dependentSchemas", "dependentSchemas", json!({"b": x()})),
        unreachable("XD-15 patternProperties", "patternProperties", json!({"^b": x()})),
        unreachable("XD-15 additionalProperties", "additionalProperties", x()),
        unreachable("XD-15 propertyNames", "propertyNames", x()),
        unreachable("XD-15 unevaluatedProperties", "unevaluatedProperties", x()),
        unreachable("XD-15 contentSchema", "contentSchema", x()),
        schema("XD-16", whole(json!({"$defs": {"T": x()}})), Verdict::Refused(&["`T`", PLACE])),
        schema("XD-16 older", whole(json!({"definitions": {"T": x()}})), Verdict::Refused(&["`T`", PLACE])),
        schema(
            "XD-16 reached",
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/T"}}, "$defs": {"T": x()}}),
            Verdict::Refused(&["`T`", PLACE]),
        ),
        schema(
            "XD-17",
            whole(json!({"x-mcp-header": "X"})),
            Verdict::Refused(&["`x-mcp-header` stands on the whole schema", "it belongs on one argument"]),
        ),
        Definition {
            output: Some(json!({"type": "object", "properties": {"a": text("X")}})),
            ..schema("XD-18", json!({"type": "object"}), Verdict::Refused(&["output", "`a`", "x-mcp-header"]))
        },
        taken(
            "XD-19",
            json!({"a": {"type": "object", "default": {"x-mcp-header": 5}, "examples": [{"x-mcp-header": ""}],
                "enum": [{"x-mcp-header": " "}]}, "b": {"const": {"x-mcp-header": []}}}),
        ),
        taken("XD-20", json!({"x-mcp-header": {"type": "number"}})),
        taken(
            "XD-20 nested",
            json!({"a": {"type": "object", "properties": {"x-mcp-header": {"type": "null"}}}}),
        ),
        taken("XD-23", json!({"a": {"properties": {"b": x()}}})),
        taken("XD-24", json!({"a": true})),
    ]
}

fn tool(name: &str, definition: &Definition) -> mcp::Tool {
    let tool = mcp::Tool::new(name, definition.input.clone(), |_: Value, _: mcp::Context| async { "done" });
    match &definition.output {
        Some(schema) => tool.output_schema(schema.clone()),
        None => tool,
    }
}

impl Definition {
    fn judge(&self, place: &str, came: Result<(), String>) -> Option<String> {
        match (&self.verdict, came) {
            (Verdict::Taken, Ok(())) => None,
            (Verdict::Taken, Err(text)) => Some(format!("{} ({place}) is refused: {text}", self.id)),
            (Verdict::Refused(_), Ok(())) => Some(format!("{} ({place}) is taken", self.id)),
            (Verdict::Refused(says), Err(text)) => (says.iter().chain(&["tool `defined`"]))
                .find(|part| !text.contains(**part))
                .map(|part| format!("{} ({place}) does not say {part:?}: {text}", self.id)),
        }
    }
}

#[test]
fn definitions_are_judged_at_boot_and_at_run_time() {
    let running = Config::Default.server();
    let handle = running.handle();
    let _running = Alone::of(running).expect("the fixture is in order");
    let all = definitions();
    let wrong: Vec<String> = (all.iter().enumerate())
        .flat_map(|(at, definition)| {
            let boot = Alone::of(Config::Empty.server().tool(tool("defined", definition)));
            let boot = boot.map(drop).map_err(|problems| problems.to_string());
            let name = format!("defined_{at}");
            let register = handle.register(tool(&name, definition));
            let register = register.map_err(|problems| problems.to_string().replace(&name, "defined"));
            [definition.judge("boot", boot), definition.judge("run time", register)]
        })
        .flatten()
        .collect();
    assert!(wrong.is_empty(), "{} of {} definitions:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

/// XD-6: what is one header twice in one tool is none in two.
#[test]
fn two_tools_may_have_one_header() {
    let definition = taken("XD-6", json!({"a": text("Region")}));
    let server = Config::Empty.server().tool(tool("one", &definition)).tool(tool("two", &definition));
    let answer = listed(server);
    for at in [0, 1] {
        let schema = &answer["result"]["tools"][at]["inputSchema"];
        assert_eq!(schema["properties"]["a"]["x-mcp-header"], "Region", "{answer}");
    }
}

/// What is an argument of one tool and the result of another.
#[derive(mcp::Data)]
struct Place {
    #[x_mcp_header("Zone")]
    zone: String,
}

/// XD-18: a type that is an argument too says nothing of headers where it is a result.
#[test]
fn the_schema_of_a_result_mirrors_nothing() {
    let zone = |_: Value, _: mcp::Context| async { mcp::Json(Place { zone: "z".to_owned() }) };
    let server = Config::Empty.server().tool(mcp::Tool::new("zone", json!({"type": "object"}), zone));
    let answer = listed(server);
    let schema = &answer["result"]["tools"][0]["outputSchema"];
    assert_eq!(schema["properties"]["zone"], json!({"type": "string"}), "{answer}");
}

/// The answer to a list of tools.
fn listed(server: Server<Library>) -> Value {
    let engine = Alone::of(server).expect("it is in order");
    let headers: Vec<(String, Vec<u8>)> =
        list().headers.into_iter().map(|(name, value)| (name, value.into_bytes())).collect();
    let said = engine.post(&headers, &list().bytes()).expect("a list does not wait");
    serde_json::from_slice(&said.messages[0]).expect("it is JSON")
}

/// XD-24: `properties` that is no object is no schema that can be served, and nothing panics over it.
#[test]
fn properties_that_are_no_object_are_refused() {
    let definition = schema("XD-24", json!({"type": "object", "properties": []}), Verdict::Taken);
    let told = Alone::of(Config::Empty.server().tool(tool("defined", &definition)));
    let told = told.expect_err("no schema").to_string();
    assert!(told.contains("tool `defined`"), "{told}");
}
