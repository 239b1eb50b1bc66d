use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    inner: Innre,
}

fn main() {}
