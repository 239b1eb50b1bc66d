// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::tool]
#[mcp::prompt]
async fn search() -> String {
    String::new()
}

#[mcp::tool]
/// Find it.
#[mcp::tool(read_only)]
async fn find() {}

fn main() {}
