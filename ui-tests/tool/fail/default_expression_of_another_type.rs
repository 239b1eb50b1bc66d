use mcp_runtime::prelude::*;

const MOST: u64 = 10;

#[mcp::tool]
async fn search(#[arg(default = MOST)] count: u32) -> u32 {
    count
}

fn main() {}
