// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    path: &str,
}

fn main() {}
