// mistakes: 4
use mcp_runtime::prelude::*;

#[mcp::tool(read_onyl = true)]
async fn search() {}

#[mcp::tool(colour = "red")]
async fn find(#[arg(defualt = 5)] count: u32) {
    let _ = count;
}

#[mcp::tool(mime_type = "text/plain")]
async fn seek() {}

fn main() {}
