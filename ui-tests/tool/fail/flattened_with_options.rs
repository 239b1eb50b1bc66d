use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    path: String,
}

#[mcp::tool]
async fn search(#[arg(flatten, name = "where")] target: Target) -> String {
    target.path
}

fn main() {}
