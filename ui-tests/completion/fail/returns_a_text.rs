use mcp_runtime::prelude::*;

#[mcp::completion(prompt = "review", argument = "language")]
async fn languages(prefix: String) -> String {
    prefix
}

fn main() {}
