// The compiler tells it twice: of what the trait does not have, and of what is not found without it.
// mistakes: 2
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
