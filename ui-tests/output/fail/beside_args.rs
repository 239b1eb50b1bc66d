use mcp_runtime::prelude::*;

#[derive(mcp::Output)]
#[derive(mcp::Args)]
struct Target<T> {
    path: T,
}

#[mcp::tool]
async fn deploy(target: Target<String>) -> mcp::Json<Target<String>> {
    mcp::Json(target)
}

fn main() {}
