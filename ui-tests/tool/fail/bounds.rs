// mistakes: 8
use mcp_runtime::prelude::*;

const MOST: u32 = 10;

#[mcp::tool]
async fn search(
    #[arg(range = 1..=MOST)] a: u32,
    #[arg(range = 10..=1)] b: u32,
    #[arg(range)] c: u32,
    #[arg(length = -1..)] d: String,
    #[arg(range = 1..=80)] e: String,
    #[arg(length = 1..=80)] f: Option<u32>,
    #[arg(pattern = "[0-9]+")] g: u32,
    #[arg(pattern = 5)] h: String,
) {
    let _ = (a, b, c, d, e, f, g, h, MOST);
}

fn main() {}
