// mistakes: 9
use mcp_runtime::prelude::*;

#[mcp::tool]
struct Search;

#[mcp::tool]
enum Find {}

#[mcp::tool]
mod tools {}

#[mcp::tool]
impl Search {}

#[mcp::tool]
const SEEK: fn() = || ();

#[mcp::tool]
pub(crate) trait Look {}

#[mcp::tool]
static mut FOUND: u32 = 0;

#[mcp::tool]
thread_local! {
    static SOUGHT: u32 = const { 0 };
}

#[mcp::tool]
union Either {
    left: u32,
    right: i32,
}

fn main() {
    let _ = Search;
}
