// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[x_mcp_header("Index")] index: mcp::State<u8>,
    #[arg(default)] caller: Option<mcp::Caller>,
    #[arg(description = "The call.", name = "call")] ctx: mcp::Context,
) {
    let _ = (index, caller, ctx);
}

fn main() {}
