// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
fn below(#[arg(default = -1)] count: u32) -> u32 {
    count
}

#[mcp::tool]
fn above(#[arg(default = 300)] count: Option<u8>) -> u8 {
    count.unwrap_or_default()
}

#[mcp::tool]
fn ranged(#[arg(default = -1, range = 1..=5)] count: u32) -> u32 {
    count
}

fn main() {}
