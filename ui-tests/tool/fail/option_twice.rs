use mcp_runtime::prelude::*;

#[mcp::tool(title = "One", read_only, title = "Two")]
async fn search() {}

fn main() {}
