use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp::tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    mcp_runtime::serve().await
}
