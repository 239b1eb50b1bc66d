use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
union Target {
    path: u8,
}

fn main() {}
