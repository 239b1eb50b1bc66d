use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(#[x_mcp_header("Region")] region: String, #[x_mcp_header("REGION")] zone: String) {
    let _ = (region, zone);
}

fn main() {}
