//! What calls give back: data that fits its schema, content of every kind, and what is told of a handler that fails.

use std::path::PathBuf;

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::client::{
    HANDSHAKE, MODERN, REVISIONS, asked, call, called, code, connect, listen, modern, note, post, server,
    text, tool,
};

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

mod panics {
    use super::*;

    #[mcp::tool(group = "panics")]
    async fn tool(when: String) -> String {
        struct Guard;
        impl Drop for Guard {
            fn drop(&mut self) {
                panic!("the secret is 1234");
            }
        }
        match when.as_str() {
            "now" => panic!("the secret is 1234"),
            "later" => {
                tokio::task::yield_now().await;
                panic!("the secret is 1234")
            }
            _ => {
                let _guard = Guard;
                tokio::task::yield_now().await;
                "told".to_owned()
            }
        }
    }

    /// Panics on a thread that may block.
    #[mcp::tool(group = "panics", blocking)]
    fn blocks() -> String {
        panic!("the secret is 1234")
    }

    /// Tells something first.
    #[mcp::tool(group = "panics")]
    async fn streams(ctx: mcp::Context) -> String {
        ctx.progress(1).await;
        panic!("the secret is 1234")
    }

    #[mcp::resource("panics://{x}", group = "panics")]
    fn resource(x: String) -> String {
        panic!("the secret is 1234 {x}")
    }

    #[mcp::prompt(group = "panics")]
    fn prompt(x: String) -> String {
        panic!("the secret is 1234 {x}")
    }

    #[mcp::completion(prompt = "prompt", argument = "x", group = "panics")]
    fn completion(_typed: String) -> Vec<String> {
        panic!("the secret is 1234")
    }

    #[mcp::resource("missing://{x}", group = "panics")]
    fn missing(x: String) -> Result<String, mcp::ResourceError> {
        drop(x);
        Err(mcp::ResourceError::not_found())
    }

    #[mcp::resource("nothing://here", group = "panics")]
    fn nothing() -> mcp::ReadResourceResult {
        mcp::ReadResourceResult::new([])
    }

    fn unread<'de, D: serde::Deserializer<'de>>(_: D) -> Result<u8, D::Error> {
        panic!("the secret is 1234")
    }

    fn unwritten<S: serde::Serializer>(_: &u8, _: S) -> Result<S::Ok, S::Error> {
        panic!("the secret is 1234")
    }

    #[derive(mcp::Args)]
    struct Unread {
        #[serde(deserialize_with = "unread")]
        n: u8,
    }

    #[mcp::tool(group = "panics")]
    fn reads(unread: Unread) -> String {
        unread.n.to_string()
    }

    #[derive(mcp::Output)]
    struct Unwritten {
        #[serde(serialize_with = "unwritten")]
        n: u8,
    }

    #[mcp::tool(group = "panics")]
    fn writes() -> mcp::Json<Unwritten> {
        mcp::Json(Unwritten { n: 1 })
    }

    #[mcp::method("field/panics", group = "panics")]
    fn method() -> mcp::Json<Value> {
        panic!("the secret is 1234")
    }

    #[mcp::notification("notifications/field/panics", group = "panics")]
    async fn notification() {
        panic!("the secret is 1234")
    }

    #[mcp::tool(group = "panics")]
    fn says_nothing() -> mcp::CallToolResult {
        mcp::CallToolResult::new([])
    }
}

/// go-sdk#1176: a handler that panics or returns nothing leaves its request unanswered, or takes the session with it.
#[test]
fn fc_62_a_handler_that_panics_ends_its_own_call_alone() {
    let of = |reference: Value| json!({"ref": reference, "argument": {"name": "x", "value": ""}});
    let asked = [
        ("tools/call", json!({"name": "tool", "arguments": {"when": "now"}})),
        ("tools/call", json!({"name": "tool", "arguments": {"when": "later"}})),
        ("tools/call", json!({"name": "tool", "arguments": {"when": "at the end"}})),
        ("tools/call", json!({"name": "streams", "_meta": {"progressToken": 1}})),
        ("resources/read", json!({"uri": "panics://x"})),
        ("prompts/get", json!({"name": "prompt", "arguments": {"x": "x"}})),
        ("field/panics", json!({})),
        ("tools/call", json!({"name": "reads", "arguments": {"unread": {"n": 1}}})),
        ("tools/call", json!({"name": "writes"})),
        ("tools/call", json!({"name": "blocks"})),
        ("completion/complete", of(json!({"type": "ref/prompt", "name": "prompt"}))),
    ];
    let address = listen(|| server("panics"));
    let mut lines = connect("panics");
    for (method, params) in asked {
        let message = modern(1, method, params);
        lines.send(&message.to_string());
        let mut by_line = lines.message().expect("it is answered");
        if by_line.get("id").is_none() {
            by_line = lines.message().expect("progress comes first");
        }
        for answer in [by_line, post(address, &message, &[]).message()] {
            assert_eq!(
                (code(&answer), answer["id"].clone()),
                (Some(-32603), json!(1)),
                "{message}: {answer}"
            );
            assert!(!answer.to_string().contains("1234"), "{answer}");
        }
    }
    let notification = note("notifications/field/panics");
    lines.send(&notification.to_string());
    assert_eq!(post(address, &notification, &[]).status, 202);
    lines.send(&call(2, "says_nothing", json!({})).to_string());
    let answer = lines.message().expect("the connection lives");
    assert_eq!(answer["result"]["content"], json!([]));
}

/// The same for what is registered at run time, of which a part runs before there is a future.
#[test]
fn fc_62_handlers_that_panic_before_they_begin_are_contained_too() {
    let at_once = |panics: bool| assert!(!panics, "the secret is 1234");
    let made = move || {
        let tool = mcp::Tool::new("made", json!({"type": "object"}), move |_: Value, _: mcp::Context| {
            at_once(true);
            async { "never" }
        });
        let method = move |_: Value, _: mcp::Context| {
            at_once(true);
            async { mcp::Json(json!({})) }
        };
        server("panics").tool(tool).method("field/made", method)
    };
    let address = listen(made);
    let mut lines = mcp_runtime_tests::lines::serve(made);
    for message in [call(1, "made", json!({})), modern(1, "field/made", json!({}))] {
        lines.send(&message.to_string());
        for answer in [lines.message().expect("it is answered"), post(address, &message, &[]).message()] {
            assert_eq!(
                (code(&answer), answer["id"].clone()),
                (Some(-32603), json!(1)),
                "{message}: {answer}"
            );
            assert!(!answer.to_string().contains("1234"), "{answer}");
        }
    }
}

/// The same for what decides who calls, and for what a client asks first.
#[test]
fn fc_62_hooks_that_panic_end_their_own_request_alone() {
    async fn decide(parts: http::request::Parts) -> Result<mcp::Principal, mcp::Refusal> {
        assert!(!parts.headers.contains_key("x-panics"), "the secret is 1234");
        Ok(mcp::Principal::anonymous())
    }
    async fn discover(ctx: mcp::Context) -> mcp::Json<Value> {
        panic!("the secret is 1234 {}", ctx.revision())
    }
    let address = listen(|| server("panics").authenticate(decide).discover(discover));
    let list = modern(1, "tools/list", json!({}));
    let answer = post(address, &list, &[("X-Panics", "1")]);
    assert_eq!((answer.status, answer.text().contains("1234")), (500, false), "{}", answer.text());
    let answer = post(address, &modern(1, "server/discover", json!({})), &[]).message();
    assert_eq!(code(&answer), Some(-32603), "{answer}");
    assert_eq!(post(address, &list, &[]).status, 200);
    // And for what stands around the endpoint.
    async fn layer(
        request: axum::extract::Request,
        next: axum::middleware::Next,
    ) -> axum::response::Response {
        assert!(!request.headers().contains_key("x-panics"), "the secret is 1234");
        next.run(request).await
    }
    let address = listen(|| server("panics").layer(axum::middleware::from_fn(layer)));
    let answer = post(address, &list, &[("X-Panics", "1")]);
    assert_eq!((answer.status, answer.text().contains("1234")), (500, false), "{}", answer.text());
    assert_eq!(post(address, &list, &[]).status, 200);
}

/// A resource that is not there is an error, and never an empty list; that one is there and holds nothing is its
/// author's to say.
#[test]
fn fc_62_a_resource_that_is_not_there_is_an_error() {
    for (revision, expected) in [(HANDSHAKE, -32002), (MODERN, -32602)] {
        for uri in ["nowhere://x", "missing://x"] {
            let missing = asked("panics", revision, "resources/read", json!({"uri": uri}));
            assert_eq!(code(&missing), Some(expected), "{missing}");
        }
        let empty = asked("panics", revision, "resources/read", json!({"uri": "nothing://here"}));
        assert_eq!(empty["result"]["contents"], json!([]), "{empty}");
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
