use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(text: String, text: String) -> String {
    text
}

fn main() {}
