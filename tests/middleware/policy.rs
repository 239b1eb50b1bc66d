//! What looks at a message sees what is acted upon, whatever else the message holds.

use mcp_runtime::prelude::*;
use mcp_runtime::{Library, Server};
use mcp_runtime_tests::lines::{self, Lines};

/// Deletes a file.
#[mcp::tool(group = "policy")]
fn delete(path: String) -> String {
    format!("deleted {path}")
}

/// Tells what stands in `_meta`.
#[mcp::tool(group = "policy")]
fn told(ctx: mcp::Context) -> Vec<mcp::ContentBlock> {
    ctx.meta().keys().map(mcp::ContentBlock::text).collect()
}

/// Asks, whatever else is said.
#[mcp::tool(group = "policy")]
async fn asks_once(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    ctx.list_roots().await.map(|roots| roots.len().to_string())
}

/// Not for everybody.
#[mcp::resource("secret://x", group = "policy")]
fn secret() -> &'static str {
    "SECRET"
}

/// Nested as deep as it is told.
#[mcp::tool(group = "policy")]
fn nested(depth: usize) -> mcp::Json<Value> {
    mcp::Json((0..depth).fold(Value::from("SECRET"), |inner, _| Value::Array(vec![inner])))
}

const META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}"#;

struct Client {
    lines: Lines,
    is_modern: bool,
    id: u32,
}

impl Client {
    fn new(
        is_modern: bool,
        server: impl FnOnce(Server<Library>) -> Server<Library> + Send + 'static,
    ) -> Self {
        let lines =
            lines::serve(|| server(mcp_runtime::server().server_info("policy", "1").groups(["policy"])));
        let mut client = Self { lines, is_modern, id: 0 };
        if !is_modern {
            let greeting = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
            client.lines.send(greeting);
            client.lines.message().expect("it greets");
        }
        client
    }

    /// Sends a request with these members in its `params` and `_meta`, and gives its answer as it is written.
    fn ask(&mut self, method: &str, params: &str, meta: &str) -> String {
        self.id += 1;
        let stamp = if self.is_modern { META } else { r#""a/b":1"# };
        let comma = if meta.is_empty() { "" } else { "," };
        let id = self.id;
        self.lines.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params},"_meta":{{{stamp}{comma}{meta}}}}}}}"#
        ));
        let answer = self.lines.line().expect("it answers");
        assert!(answer.contains(&format!(r#""id":{id}"#)), "{answer}");
        answer
    }
}

fn odd_values() -> [String; 4] {
    ["1e999".to_owned(), r#""\ud800""#.to_owned(), "[".repeat(130) + &"]".repeat(130), "5".to_owned()]
}

#[test]
fn who_is_refused_by_name_is_refused_whatever_else_is_said() {
    let by_name = |call: mcp::Call, next: mcp::Next| async move {
        match call.name().as_deref() {
            Some("delete" | "secret://x") => mcp::ProtocolError::new(1, "refused by name").into(),
            _ => next.run(call).await,
        }
    };
    for is_modern in [true, false] {
        let mut client = Client::new(is_modern, move |server| server.receive_middleware(by_name));
        for odd in odd_values() {
            for (method, params) in [
                (
                    "tools/call",
                    r#""name":"delete","arguments":{"path":"/etc/x"}"#.to_owned() + ",\"uri\":" + &odd,
                ),
                ("resources/read", r#""uri":"secret://x""#.to_owned() + ",\"name\":" + &odd),
            ] {
                if odd.contains("ud800") || odd.contains("e999") {
                    // A text or a number that cannot be read, where the protocol has a text, is no message at all.
                    assert!(client.ask(method, &params, "").contains("-32700"), "{params}");
                    continue;
                }
                let answer = client.ask(method, &params, "");
                assert!(answer.contains("refused by name"), "{params}: {answer}");
            }
        }
        let answer = client.ask("resources/read", r#""uri":"secret://x","name":"harmless""#, "");
        assert!(answer.contains("refused by name"), "{answer}");
    }
}

#[test]
fn who_is_refused_by_an_argument_is_refused_whatever_else_is_said() {
    let by_argument = |call: mcp::Call, next: mcp::Next| async move {
        if call.params()["arguments"]["path"].as_str().is_some_and(|path| path.starts_with("/etc")) {
            return mcp::ProtocolError::new(1, "refused by argument").into();
        }
        next.run(call).await
    };
    for is_modern in [true, false] {
        let mut client = Client::new(is_modern, move |server| server.receive_middleware(by_argument));
        let call = r#""name":"delete","arguments":{"path":"/etc/x"}"#;
        for odd in odd_values() {
            for (params, meta) in [
                (format!(r#"{call},"zzz":{odd}"#), String::new()),
                (call.to_owned(), format!(r#""q":{odd}"#)),
            ] {
                let answer = client.ask("tools/call", &params, &meta);
                assert!(answer.contains("refused by argument"), "{params} {meta}: {answer}");
            }
        }
    }
}

#[test]
fn a_handler_sees_the_meta_beside_what_cannot_be_read() {
    for is_modern in [true, false] {
        let mut client = Client::new(is_modern, |server| server);
        for odd in &odd_values()[..3] {
            let answer = client.ask(
                "tools/call",
                r#""name":"told","arguments":{}"#,
                &format!(r#""q":{odd},"acme/r":1"#),
            );
            assert!(answer.contains("acme/r") && !answer.contains(r#""q""#), "{odd}: {answer}");
        }
    }
    let mut client = Client::new(true, |server| server);
    let answer = client.ask("tools/call", r#""name":"asks_once","arguments":{},"uri":5"#, "");
    assert!(answer.contains("input_required"), "{answer}");
}

/// What cannot be looked at does not leave.
#[test]
fn what_middleware_takes_away_is_taken_away_however_deep_it_is() {
    let redacts = |call: mcp::Call, next: mcp::Next| async move {
        let mut reply = next.run(call).await;
        reply.remove("structuredContent");
        reply.set("content", Value::Array(Vec::new()));
        reply
    };
    for is_modern in [true, false] {
        let mut client = Client::new(is_modern, move |server| server.receive_middleware(redacts));
        for depth in [1, 100, 130, 500] {
            let answer =
                client.ask("tools/call", &format!(r#""name":"nested","arguments":{{"depth":{depth}}}"#), "");
            assert!(!answer.contains("SECRET"), "{depth}: {answer}");
            assert_eq!(depth < 125, answer.contains(r#""content":[]"#), "{depth}: {answer}");
        }
    }
}
