use mcp_runtime::prelude::*;

/// Search.
#[tool]
async fn search(ctx: mcp::Context) {
    let _ = ctx;
}

fn main() {}
