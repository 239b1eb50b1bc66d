use mcp_runtime::prelude::*;

trait Index {
    #[mcp::tool]
    fn search(text: String) -> String;
}

fn main() {}
