// mistakes: 9
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[arg(range = 0..=300)] a: u8,
    #[arg(range = -5..=5)] b: u32,
    #[arg(range = 1.5..=3.0)] c: i32,
    #[arg(range = -1..)] d: Option<u64>,
    #[arg(range = ..=128)] e: i8,
    #[arg(range = ..0)] f: usize,
    #[arg(range = 256..)] g: Option<u8>,
    #[arg(range = 0..2.5)] h: u128,
    #[arg(range = ..257)] i: u8,
) {
    let _ = (a, b, c, d, e, f, g, h, i);
}

fn main() {}
