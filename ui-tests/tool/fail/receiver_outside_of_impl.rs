// The compiler refuses `self` here by itself.
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(&self, text: String) -> String {
    text
}

fn main() {}
