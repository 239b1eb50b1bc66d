// mistakes: 6
use mcp_runtime::prelude::*;

#[mcp::resource("config/app")]
async fn scheme() -> String {
    String::new()
}

#[mcp::resource("config://my app")]
async fn space() -> String {
    String::new()
}

#[mcp::resource("config://app#top")]
async fn fragment() -> String {
    String::new()
}

#[mcp::resource]
async fn missing() -> String {
    String::new()
}

#[mcp::resource(mime_type = "text/plain")]
async fn options_only() -> String {
    String::new()
}

#[mcp::resource(uri = "logs://{service}", title = "Log")]
async fn as_option(service: String) -> String {
    service
}

fn main() {}
