// Each trait that both implement is told, too.
// mistakes: 4
use mcp_runtime::prelude::*;

#[derive(mcp::Data, mcp::Args)]
struct Target {
    path: String,
}

fn main() {}
