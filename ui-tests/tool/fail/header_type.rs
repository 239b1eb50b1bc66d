// mistakes: 5
use mcp_runtime::prelude::*;

use std::collections::HashMap;

#[mcp::tool]
async fn search(
    #[x_mcp_header] ratio: f64,
    #[x_mcp_header] maybe: Option<f32>,
    #[x_mcp_header] list: Vec<String>,
    #[x_mcp_header] map: HashMap<String, String>,
    #[x_mcp_header] pair: (u8, u8),
) {
    let _ = (ratio, maybe, list, map, pair);
}

fn main() {}
