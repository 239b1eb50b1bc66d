// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::prompt(read_only)]
async fn review(#[arg(length = 1..=80)] code: String, #[arg(flatten)] rest: Vec<String>) -> String {
    let _ = rest;
    code
}

fn main() {}
