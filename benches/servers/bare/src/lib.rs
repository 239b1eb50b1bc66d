//! What all servers here read and write: one call of one tool, as serde reads it, and an answer of the framework's size.

use serde::Deserialize;

/// A `tools/call`.
#[derive(Deserialize)]
pub struct Request {
    pub id: u64,
    pub method: String,
    pub params: Params,
}

#[derive(Deserialize)]
pub struct Params {
    pub name: String,
    pub arguments: serde_json::Value,
}

/// What the modern era has in each result beside its content.
const STAMP: &str = r#","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"ours","version":"0.0.0"}}"#;

/// What a result has beside its content: nothing in the handshake era (`ERA=handshake`).
pub fn stamp() -> &'static str {
    if std::env::var("ERA").as_deref() == Ok("handshake") { "" } else { STAMP }
}

/// The answer to a call; `None` where it is not one.
pub fn answer(body: &[u8], stamp: &str) -> Option<String> {
    let request: Request = serde_json::from_slice(body).ok()?;
    if request.method != "tools/call" || request.params.name != "add" {
        return None;
    }
    let number = |name: &str| request.params.arguments[name].as_i64();
    let sum = number("a")? + number("b")?;
    Some(format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text","text":"{sum}"}}]{stamp}}}}}"#,
        request.id
    ))
}

/// The port to listen on.
pub fn port() -> u16 {
    std::env::var("PORT").expect("PORT is set").parse().expect("PORT is a number")
}

/// The runtime of every server here: what `#[tokio::main]` makes.
pub fn run(server: impl Future<Output = ()>) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().build().expect("a runtime can be made").block_on(server);
}
