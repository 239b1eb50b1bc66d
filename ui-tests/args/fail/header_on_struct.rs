use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Inner {
    path: String,
}

#[derive(mcp::Args)]
struct Outer {
    #[x_mcp_header]
    inner: Inner,
}

fn main() {}
