// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[arg(default = 0, range = 1..=10)] count: u32,
    #[arg(default = 1.0, range = 0.0..1.0)] ratio: f64,
    #[arg(default = "", length = 1..)] text: String,
) {
    let _ = (count, ratio, text);
}

fn main() {}
