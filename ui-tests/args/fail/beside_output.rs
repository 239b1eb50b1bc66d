// The trait that both implement is told, too.
// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Args, mcp::Output)]
struct Target {
    path: String,
}

fn main() {}
