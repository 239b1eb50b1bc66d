use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Inner {
    text: String,
}

#[derive(mcp::Data)]
struct Found {
    inner: Inner,
}

fn main() {
    let _ = |found: Found| found.inner.text;
}
