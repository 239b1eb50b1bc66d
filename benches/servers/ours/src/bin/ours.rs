//! The server under test; `GROUP` selects other tools than `add`.

use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp::tool(group = "add")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The same, once it has told how far it is.
#[mcp::tool(group = "told", name = "add")]
async fn told(a: i64, b: i64, ctx: mcp::Context) -> i64 {
    ctx.progress(1).of(2).await;
    a + b
}

/// Four arguments without a mirror.
#[mcp::tool(group = "plain", name = "place")]
async fn plain(region: String, tenant: String, zone: String, shard: i64) -> usize {
    region.len() + tenant.len() + zone.len() + shard as usize
}

/// Four arguments that headers mirror.
#[mcp::tool(group = "mirrored", name = "place")]
async fn mirrored(
    #[x_mcp_header] region: String,
    #[x_mcp_header] tenant: String,
    #[x_mcp_header] zone: String,
    #[x_mcp_header] shard: i64,
) -> usize {
    region.len() + tenant.len() + zone.len() + shard as usize
}

fn main() {
    ours::serve(&std::env::var("GROUP").unwrap_or_else(|_| "add".to_owned()));
}
