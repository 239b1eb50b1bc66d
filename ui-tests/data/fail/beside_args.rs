// Each trait is told: there is no other way to say it once.
// mistakes: 3
use mcp_runtime::prelude::*;

#[derive(mcp::Data, mcp::Args)]
struct Target {
    path: String,
}

fn main() {}
