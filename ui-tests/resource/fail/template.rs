// mistakes: 8
use mcp_runtime::prelude::*;

#[mcp::resource("logs://{service")]
async fn unclosed(service: String) -> String {
    service
}

#[mcp::resource("logs://service}")]
async fn stray() -> String {
    String::new()
}

#[mcp::resource("logs://{service}{date}")]
async fn side_by_side(service: String, date: String) -> String {
    service + &date
}

#[mcp::resource("logs://{/path}")]
async fn operator(path: String) -> String {
    path
}

#[mcp::resource("logs://{path*}")]
async fn exploded(path: String) -> String {
    path
}

#[mcp::resource("logs://{my-service}")]
async fn name(my_service: String) -> String {
    my_service
}

#[mcp::resource("logs://{a}/{a}")]
async fn twice(a: String) -> String {
    a
}

#[mcp::resource("logs://{?a}/b")]
async fn query(a: Option<String>) -> String {
    a.unwrap_or_default()
}

fn main() {}
