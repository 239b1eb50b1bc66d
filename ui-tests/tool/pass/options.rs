//! Every option.

#![deny(warnings)]

use mcp_runtime::prelude::*;
use serde_json::json;

fn schema() -> Value {
    json!({"type": "object", "properties": {"n": {"type": "integer"}}})
}

#[mcp::tool(
    name = "search.all",
    title = "Search",
    description = "Search everything.",
    read_only,
    destructive = false,
    idempotent = true,
    open_world = false,
    open,
    icons = [mcp::Icon::new("https://example.com/icon.png")],
    meta = json!({"acme/owner": "search"}),
    group = "search",
    order = -5,
    blocking,
    crate = ::mcp_runtime,
)]
fn search(
    #[arg(name = "q", title = "Query", description = "What to look for.", length = 1..=80, pattern = "^[a-z]+$")]
    #[x_mcp_header("Query")]
    text: String,
    #[arg(default = 10, range = 1..=100)] limit: u32,
    #[arg(default = -0.5, range = -1.0..0.0)] ratio: f64,
    #[arg(range = 0..=255)] all: Option<u8>,
    #[arg(range = ..=9)] most: Option<u8>,
    #[arg(range = -128..)] least: Option<i8>,
    #[arg(range = ..256)] below: Option<u8>,
    #[arg(range = 0..=1)] share: Option<f64>,
    #[arg(range = 0..=18_446_744_073_709_551_615)] large: Option<u64>,
    #[arg(default = vec![1, 2], length = 2)] list: Vec<u8>,
    #[arg(default)] mode: Mode,
    #[arg(default = Secret(5))] secret: Secret,
    #[arg(flatten)] page: Page,
) -> String {
    let _ = (limit, ratio, list, mode, secret.0, page.start);
    let _ = (all, most, least, below, share, large);
    text
}

#[derive(mcp::Args, Default)]
enum Mode {
    #[default]
    Fast,
    #[allow(dead_code)]
    Slow,
}

#[derive(mcp::Args)]
struct Secret(u8);

#[derive(mcp::Args)]
#[mcp(crate = ::mcp_runtime)]
struct Page {
    #[arg(default = 1, range = 1..)]
    start: u32,
}

/// By hand.
#[mcp::tool(input_schema = schema, output_schema = || schema())]
async fn by_hand(arguments: Value, ctx: mcp::Context) -> mcp::CallToolResult {
    let _ = (arguments, ctx);
    mcp::CallToolResult::default()
}

/// By hand, on the spot.
#[mcp::tool(input_schema = json!({"type": "object"}), meta = mcp::Meta::new(), icons = Vec::new())]
async fn on_the_spot(mcp_value: serde_json::Value) {
    let _ = mcp_value;
}

#[mcp::prompt(
    name = "review-code",
    title = "Review",
    description = "Review code.",
    icons = [mcp::Icon::new("https://example.com/icon.png")],
    meta = json!({}),
    group = "search",
    order = 1,
    blocking
)]
fn review(#[arg(name = "code", title = "Code", description = "The code.")] text: String) -> String {
    text
}

#[mcp::resource("file:///etc/motd", size = 0x10, annotations = mcp::Annotations::default())]
fn message_of_the_day() -> &'static str {
    ""
}

#[mcp::resource(
    "logs://{service}/{+path}{?limit,after}",
    name = "log",
    title = "Log",
    description = "A log.",
    mime_type = "text/plain",
    annotations = mcp::Annotations { priority: Some(0.5), ..Default::default() },
    icons = mcp::Icon::new("https://example.com/icon.png"),
    meta = json!({}),
    group = "search",
    order = 2,
    cache_ttl_ms = 60_000,
    cache_scope = "public",
    blocking
)]
fn log(
    service: String,
    path: String,
    #[arg(default = 10)] limit: u32,
    #[arg(name = "after")] since: Option<String>,
) -> String {
    format!("{service}{path}{limit}{since:?}")
}

#[mcp::completion(prompt = "review-code", argument = "code", group = "search")]
async fn codes(prefix: String) -> Vec<String> {
    vec![prefix]
}

#[mcp::completion(resource = "logs://{service}/{+path}{?limit,after}", argument = "service", blocking)]
fn services(prefix: String) -> [String; 1] {
    [prefix]
}

#[mcp::method("acme/reindex", group = "search", blocking)]
fn reindex(#[arg(flatten)] page: Page) -> mcp::Json<Value> {
    mcp::Json(json!({"start": page.start}))
}

#[mcp::notification("notifications/acme/ping", blocking = false)]
fn ping(count: Option<u8>) {
    let _ = count;
}

fn main() {
    let _ = Mode::Slow;
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
}
