// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::tool("find things")]
async fn find() -> String {
    String::new()
}

#[mcp::tool("find_things")]
async fn found() -> String {
    String::new()
}

fn main() {}
