use mcp_runtime::prelude::*;

#[derive(mcp::Data, mcp::Args)]
struct Target {
    path: String,
}

fn main() {}
