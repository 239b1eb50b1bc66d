// The compiler refuses what registers the function.
use mcp_runtime::prelude::*;

trait Index {
    fn search(text: String) -> String;
}

struct Local;

impl Index for Local {
    #[mcp::tool]
    fn search(text: String) -> String {
        text
    }
}

fn main() {}
