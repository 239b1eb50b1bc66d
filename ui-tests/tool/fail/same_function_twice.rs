// The compiler's own word.
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(text: String) -> String {
    text
}

#[mcp::tool]
async fn search(text: String) -> String {
    text
}

fn main() {}
