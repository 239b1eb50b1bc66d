// mistakes: 5
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[x_mcp_header("my region")] region: String,
    #[x_mcp_header("")] tenant: String,
    #[x_mcp_header("Größe")] size: String,
    #[x_mcp_header("a\r\nb")] broken: String,
    #[x_mcp_header] größe: String,
) {
    let _ = (region, tenant, size, broken, größe);
}

fn main() {}
