// mistakes: 5
use mcp_runtime::prelude::*;

#[mcp::tool(name = "execute sql")]
async fn spaces() {}

#[mcp::tool(name = "")]
async fn empty() {}

#[mcp::tool(
    name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
)]
async fn long() {}

#[mcp::tool]
async fn größe() {}

#[mcp::tool("search")]
async fn text() {}

fn main() {}
