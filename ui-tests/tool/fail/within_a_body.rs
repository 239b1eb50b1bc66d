// The compiler refuses the attribute itself: twice on an expression, once on a statement.
// mistakes: 3
use mcp_runtime::prelude::*;

fn main() {
    let _ = #[mcp::tool] |text: String| text;
    #[mcp::tool]
    let _search = |text: String| text;
}
