// mistakes: 5
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[arg(default = "ten")] count: u32,
    #[arg(default = 10)] text: String,
    #[arg(default = 1)] ratio: f64,
    #[arg(default = true)] list: Vec<bool>,
    #[arg(default = 0.5)] maybe: Option<u8>,
) {
    let _ = (count, text, ratio, list, maybe);
}

fn main() {}
