// The compiler tells it twice: what says what to do is not found, and neither is the function.
// mistakes: 2
use mcp_runtime::prelude::*;

struct Index;

impl Index {
    #[mcp::tool]
    async fn search(text: String) -> String {
        text
    }
}

fn main() {}
