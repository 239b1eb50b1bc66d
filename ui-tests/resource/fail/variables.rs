// mistakes: 4
use mcp_runtime::prelude::*;

#[mcp::resource("logs://{service}/{date}")]
async fn without_parameter(service: String) -> String {
    service
}

#[mcp::resource("logs://{service}")]
async fn without_variable(service: String, date: String) -> String {
    service + &date
}

#[mcp::resource("logs://all")]
async fn fixed(date: Option<String>) -> String {
    date.unwrap_or_default()
}

#[mcp::resource("logs://{service}{?limit}")]
async fn required(service: String, limit: u32) -> String {
    format!("{service}{limit}")
}

fn main() {}
