// The compiler's own word; where their parameters differ, it also tells of the call.
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
