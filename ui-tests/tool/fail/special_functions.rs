// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
unsafe fn one() {}

#[mcp::tool]
extern "C" fn two() {}

#[mcp::tool]
const fn three() {}

fn main() {}
