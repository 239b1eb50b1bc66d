use mcp_runtime::prelude::*;

#[mcp::prompt]
async fn review(#[x_mcp_header] code: String) -> String {
    code
}

fn main() {}
