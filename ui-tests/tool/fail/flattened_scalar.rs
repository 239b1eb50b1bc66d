// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(#[arg(flatten)] count: u32, #[arg(flatten)] texts: Vec<String>) {
    let _ = (count, texts);
}

fn main() {}
