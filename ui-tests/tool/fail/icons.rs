// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool(icons = mcp::Icon::new("https://example.com/icon.png"))]
async fn search() {}

#[mcp::prompt(icons = mcp::Icon::new("https://example.com/icon.png").size("48x48"))]
async fn find() -> String {
    String::new()
}

#[mcp::resource("config://app", icons = "https://example.com/icon.png")]
async fn seek() -> String {
    String::new()
}

fn main() {}
