use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    path: String,
}

#[mcp::tool]
async fn search(#[x_mcp_header] target: Target) -> String {
    target.path
}

fn main() {}
