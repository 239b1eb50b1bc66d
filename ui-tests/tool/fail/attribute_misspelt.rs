use mcp_runtime::prelude::*;

#[mcp::tools]
async fn search() {}

fn main() {}
