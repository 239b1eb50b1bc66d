use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target<'a> {
    path: &'a str,
}

fn main() {}
