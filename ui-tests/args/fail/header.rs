// mistakes: 6
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    #[x_mcp_header("my tenant")]
    tenant: String,
    #[x_mcp_header]
    ratio: f64,
    #[x_mcp_header("Zone")]
    zone: String,
    #[x_mcp_header("zone")]
    region: String,
    #[serde(skip)]
    #[x_mcp_header]
    cached: String,
}

#[derive(mcp::Args)]
enum Either {
    One {
        #[x_mcp_header]
        one: String,
    },
}

#[derive(mcp::Args)]
struct Tuple(#[x_mcp_header] String, String);

fn main() {}
