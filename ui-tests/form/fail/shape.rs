// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Form)]
enum Login {
    Password,
}

#[derive(mcp::Form)]
struct Pair(String, String);

fn main() {}
