//! What stands around messages: its order, what it can do, and what it cannot, in both eras over both transports.

mod can;
mod every;
mod goes_wrong;
mod policy;
mod ready;
mod seen;
mod wires;

use mcp_runtime::prelude::*;
use mcp_runtime::{Library, Server};

/// Who a call is made for, as middleware attaches it.
#[derive(Clone)]
pub struct Tenant(pub String);

/// Says what it is told.
#[mcp::tool]
async fn echo(text: String) -> String {
    text
}

/// Says for whom it is called.
#[mcp::tool]
async fn whose(tenant: Option<mcp::Extension<Tenant>>) -> String {
    tenant.map_or_else(|| "nobody's".to_owned(), |tenant| tenant.0.0)
}

#[derive(mcp::Output)]
struct Weather {
    degrees: i32,
}

/// Gives data.
#[mcp::tool]
async fn weather() -> mcp::Json<Weather> {
    mcp::Json(Weather { degrees: 20 })
}

/// Tells how far it has come.
#[mcp::tool]
async fn reports(ctx: mcp::Context) -> &'static str {
    ctx.progress(1).of(2).await;
    ctx.progress(2).of(2).await;
    "reported"
}

#[derive(mcp::Form)]
struct Name {
    name: String,
}

/// Asks for a name.
#[mcp::tool]
async fn asks(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    Ok(ctx.elicit::<Name>("Who are you?").await?.name)
}

/// Never ends.
#[mcp::tool]
async fn stays() {
    std::future::pending::<()>().await;
}

/// Panics.
#[mcp::tool]
async fn panics() {
    panic!("the handler");
}

/// Greets.
#[mcp::prompt]
async fn greet(name: String) -> String {
    format!("Greet {name}")
}

#[mcp::completion(prompt = "greet", argument = "name")]
async fn names() -> Vec<String> {
    vec!["Ada".to_owned()]
}

#[mcp::resource("config://app")]
async fn config() -> &'static str {
    "on"
}

#[mcp::method("acme/own")]
async fn own() -> mcp::Json<Value> {
    mcp::Json(serde_json::json!({"own": true}))
}

#[mcp::notification("notifications/acme/own")]
async fn told() {}

fn server() -> Server<Library> {
    mcp_runtime::server().server_info("middleware", "1").sessions(mcp_runtime::Sessions::default())
}
