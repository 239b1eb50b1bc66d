// mistakes: 2
use mcp_runtime::prelude::*;

trait Index {
    #[mcp::tool]
    fn search(text: String) -> String;

    #[mcp::tool]
    fn find(&self, text: String) -> String;
}

fn main() {}
