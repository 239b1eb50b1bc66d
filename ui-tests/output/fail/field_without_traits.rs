use mcp_runtime::prelude::*;

struct Inner;

#[derive(mcp::Output)]
struct Found {
    inner: Option<Inner>,
}

#[mcp::tool]
async fn search() -> mcp::Json<Found> {
    mcp::Json(Found { inner: None })
}

fn main() {}
