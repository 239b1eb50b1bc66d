// The compiler keeps the first function of the name, and tells of the call that the second was registered with, too.
// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(text: String) -> String {
    text
}

#[mcp::tool]
async fn search(text: String, limit: u32) -> String {
    format!("{text} {limit}")
}

fn main() {}
