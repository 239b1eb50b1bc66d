use mcp_runtime::prelude::*;

#[derive(mcp::Args, mcp::Output)]
struct Target {
    path: String,
}

fn main() {}
