// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::method]
async fn missing() {}

#[mcp::method("re index")]
async fn space() {}

#[mcp::method("")]
async fn empty() {}

fn main() {}
