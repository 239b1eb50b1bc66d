use mcp_runtime::prelude::*;

#[mcp::notification(group = "admin")]
async fn missing() {}

fn main() {}
