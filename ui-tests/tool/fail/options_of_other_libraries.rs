// mistakes: 8
use mcp_runtime::prelude::*;

#[mcp::tool(desc = "Search.", readOnlyHint = true)]
async fn search(
    #[arg(min = 1)] a: u32,
    #[arg(maximum = 5)] b: u32,
    #[arg(max_length = 80)] c: String,
    #[arg(minLength = 1)] d: String,
    #[arg(regex = "[a-z]+", doc = "The text.")] e: String,
) {
    let _ = (a, b, c, d, e);
}

fn main() {}
