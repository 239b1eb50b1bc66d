use mcp_runtime::prelude::*;

#[derive(mcp::Args, serde::Deserialize)]
struct Target {
    path: String,
}

fn main() {}
