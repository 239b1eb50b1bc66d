//! What stands in the place of what a revision does not know, row by row.

use serde_json::{Value, json};

/// One value that looks different to different revisions, oldest first.
pub struct Converted {
    pub name: &'static str,
    pub what: &'static str,
    pub at: String,
    /// What each revision gets; `null` for nothing.
    pub seen: [Value; 5],
}

fn converted(name: &'static str, what: &'static str, at: impl Into<String>, seen: [Value; 5]) -> Converted {
    Converted { name, what, at: at.into(), seen }
}

/// The first value for the first revisions, and so on.
fn steps<const N: usize>(steps: [(usize, Value); N]) -> [Value; 5] {
    let all: Vec<Value> = steps.into_iter().flat_map(|(many, value)| vec![value; many]).collect();
    all.try_into().expect("there are five revisions")
}

/// What stands in the place of what a revision does not know.
pub fn conversions() -> Vec<Converted> {
    let mut all = structured();
    all.extend(errors());
    // The same blocks, in the result of a tool and in the messages of a prompt.
    all.extend(blocks("everything", |at, member| format!("/0/result/content/{at}/{member}")));
    all.extend(blocks("talk", |at, member| format!("/0/result/messages/{at}/content/{member}")));
    all
}

fn blocks(what: &'static str, block: fn(usize, &str) -> String) -> Vec<Converted> {
    vec![
        converted("a text", what, block(0, "type"), steps([(5, json!("text"))])),
        converted("a picture", what, block(1, "type"), steps([(5, json!("image"))])),
        converted("a sound", what, block(2, "type"), steps([(1, json!("text")), (4, json!("audio"))])),
        converted(
            "a sound's text",
            what,
            block(2, "text"),
            steps([(1, json!("[audio, audio/wav]")), (4, Value::Null)]),
        ),
        converted("a link", what, block(3, "type"), steps([(2, json!("text")), (3, json!("resource_link"))])),
        converted(
            "a link's text",
            what,
            block(3, "text"),
            steps([(2, json!("linked: spec://linked")), (3, Value::Null)]),
        ),
        converted("a resource", what, block(4, "type"), steps([(5, json!("resource"))])),
    ]
}

fn structured() -> Vec<Converted> {
    let wrapped =
        |inner: Value| json!({"type": "object", "required": ["result"], "properties": {"result": inner}});
    let list = json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}});
    let any = json!({"any": 1});
    vec![
        converted(
            "a list",
            "list",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": [1, 2]})), (1, json!([1, 2]))]),
        ),
        converted(
            "a list's schema",
            "tools",
            "/0/result/tools/list/outputSchema",
            steps([(2, Value::Null), (2, wrapped(list.clone())), (1, list)]),
        ),
        converted("a list as text", "list", "/0/result/content/0/text", steps([(5, json!("[1,2]"))])),
        converted(
            "a number",
            "number",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": 1.5})), (1, json!(1.5))]),
        ),
        converted(
            "data alone",
            "data_alone",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": [1, null]})), (1, json!([1, null]))]),
        ),
        converted(
            "data alone, as text",
            "data_alone",
            "/0/result/content/0/text",
            steps([(5, json!("[1,null]"))]),
        ),
        converted(
            "an object",
            "undeclared",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (3, any.clone())]),
        ),
        converted(
            "an object of an open schema",
            "says_nothing",
            "/0/result/structuredContent",
            steps([(2, Value::Null), (2, json!({"result": any})), (1, any)]),
        ),
        converted(
            "the schema of anything",
            "tools",
            "/0/result/tools/says_nothing/outputSchema",
            steps([(2, Value::Null), (2, wrapped(json!({}))), (1, json!({}))]),
        ),
        converted(
            "a member of any value",
            "tools",
            "/0/result/tools/loose/inputSchema/properties/any",
            steps([(4, json!({})), (1, json!(true))]),
        ),
        converted(
            "a member of no value",
            "tools",
            "/0/result/tools/loose/inputSchema/properties/never",
            steps([(4, json!({"not": {}})), (1, json!(false))]),
        ),
    ]
}

fn errors() -> Vec<Converted> {
    vec![
        converted(
            "an unknown resource",
            "unknown resource",
            "/0/error/code",
            steps([(4, json!(-32002)), (1, json!(-32602))]),
        ),
        converted(
            "a resource that is gone",
            "gone",
            "/0/error/code",
            steps([(4, json!(-32002)), (1, json!(-32602))]),
        ),
        converted("its URI", "gone", "/0/error/data/uri", steps([(5, json!("spec://gone"))])),
        converted(
            "a reserved code",
            "refuses by a reserved code",
            "/0/error/code",
            steps([(5, json!(-32603))]),
        ),
        converted("an author's code", "refuses", "/0/error/code", steps([(5, json!(7))])),
        converted("an unknown method", "unknown method", "/0/error/code", steps([(5, json!(-32601))])),
        converted(
            "an old opening",
            "initialize",
            "/0/error/code",
            steps([(4, Value::Null), (1, json!(-32601))]),
        ),
        converted(
            "a new opening",
            "discover",
            "/0/error/code",
            steps([(4, json!(-32601)), (1, Value::Null)]),
        ),
    ]
}
