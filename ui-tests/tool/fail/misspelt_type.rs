// The compiler tells it twice: with the function it also thinks of a missing type parameter.
// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(text: Strin) -> String {
    text
}

fn main() {}
