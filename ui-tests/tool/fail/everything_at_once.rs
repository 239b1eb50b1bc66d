// mistakes: 7
use mcp_runtime::prelude::*;

#[mcp::tool(read_onyl, title = 5)]
async fn search<T>(text: &str, (a, b): (u8, u8), #[x_mcp_header("a b")] region: String) -> impl Sized {
    let _ = (text, a, b, region);
}

fn main() {}
