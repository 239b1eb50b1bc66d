// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Page {
    #[arg(default = 0, range = 1..=100)]
    limit: u32,
    #[arg(default = "ten")]
    start: u32,
}

fn main() {}
