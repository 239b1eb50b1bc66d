use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Inner {
    #[x_mcp_header("REGION")]
    zone: String,
}

#[derive(mcp::Args)]
struct Outer {
    inner: Option<Inner>,
}

#[mcp::tool]
async fn search(#[x_mcp_header("Region")] region: String, outer: Outer) {
    let _ = (region, outer.inner.map(|inner| inner.zone));
}

fn main() {}
