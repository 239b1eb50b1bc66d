// mistakes: 6
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

fn main() {
    let _ = Search;
}
