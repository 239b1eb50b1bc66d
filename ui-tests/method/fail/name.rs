// mistakes: 4
use mcp_runtime::prelude::*;

#[mcp::method]
async fn missing() {}

#[mcp::method("re index")]
async fn space() {}

#[mcp::method("")]
async fn empty() {}

#[mcp::method(name = "acme/reindex", blocking)]
fn as_option() {}

fn main() {}
