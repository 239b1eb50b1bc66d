// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::tool(icons = Some(mcp::Icon::new("https://example.com/icon.png")))]
async fn search() {}

#[mcp::resource("config://app", icons = "https://example.com/icon.png")]
async fn seek() -> String {
    String::new()
}

fn main() {}
