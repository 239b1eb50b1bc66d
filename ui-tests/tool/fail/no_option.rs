// mistakes: 4
use mcp_runtime::prelude::*;

#[mcp::tool(read_only; title = "Search")]
async fn search() {}

#[mcp::tool(5)]
async fn find(#[arg] text: String, #[arg("text")] other: String) {
    let _ = (text, other);
}

fn main() {}
