use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(#[arg(default = 300)] count: u8) -> u8 {
    count
}

fn main() {}
