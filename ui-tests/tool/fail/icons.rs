use mcp_runtime::prelude::*;

#[mcp::tool(icons = mcp::Icon::new("https://example.com/icon.png"))]
async fn search() {}

fn main() {}
