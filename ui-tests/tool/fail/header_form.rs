// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[x_mcp_header = "Region"] region: String,
    #[x_mcp_header(Tenant)] tenant: String,
    #[x_mcp_header] #[x_mcp_header("Zone")] zone: String,
) {
    let _ = (region, tenant, zone);
}

fn main() {}
