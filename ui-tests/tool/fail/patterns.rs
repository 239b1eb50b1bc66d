// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn pair((a, b): (i32, i32)) -> i32 {
    a + b
}

#[mcp::tool]
async fn nothing(_: mcp::Context) {}

#[mcp::tool]
async fn two(#[arg(name = "text")] one: String, text: String) {
    let _ = (one, text);
}

fn main() {}
