//! Code of the author's that panics, or has nothing to give: its own request is answered, and nothing else is harmed.

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::client::{HANDSHAKE, MODERN, asked, call, code, connect, listen, modern, note, post, server};

mod registered {
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
