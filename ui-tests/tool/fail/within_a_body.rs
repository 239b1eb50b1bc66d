// The compiler refuses the attribute itself: twice on an expression, once on a statement.
// mistakes: 7
use mcp_runtime::prelude::*;

fn main() {
    let _ = #[mcp::tool] |text: String| text;
    let _ = #[mcp::tool] async { 1 };
    let _ = #[mcp::tool] u32::from(1_u8);
    #[mcp::tool]
    let _search = |text: String| text;
}
