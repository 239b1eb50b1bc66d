// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Output)]
struct Found {
    #[x_mcp_header]
    region: String,
    #[arg(default = 5)]
    count: u32,
}

fn main() {}
