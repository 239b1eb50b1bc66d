// The compiler refuses what registers the function.
use mcp_runtime::prelude::*;

struct Index;

impl Index {
    #[mcp::tool]
    async fn search(text: String) -> String {
        text
    }
}

fn main() {}
