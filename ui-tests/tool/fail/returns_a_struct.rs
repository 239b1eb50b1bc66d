use mcp_runtime::prelude::*;

struct Found {
    count: u32,
}

#[mcp::tool]
async fn search(text: String) -> Found {
    Found { count: text.len() as u32 }
}

fn main() {}
