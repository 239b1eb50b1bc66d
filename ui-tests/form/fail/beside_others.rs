// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Form, mcp::Output)]
struct Login {
    user: String,
}

#[derive(mcp::Args, mcp::Form)]
struct Search {
    text: String,
}

fn main() {}
