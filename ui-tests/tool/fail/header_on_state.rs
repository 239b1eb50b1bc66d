use mcp_runtime::mcp::State;
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(#[x_mcp_header("Index")] index: State<u8>) {
    let _ = index;
}

fn main() {}
