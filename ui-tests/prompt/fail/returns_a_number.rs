use mcp_runtime::prelude::*;

#[mcp::prompt]
async fn review(code: String) -> u32 {
    code.len() as u32
}

fn main() {}
