use mcp_runtime::prelude::*;

#[mcp::tool(blocking)]
async fn search() {}

fn main() {}
