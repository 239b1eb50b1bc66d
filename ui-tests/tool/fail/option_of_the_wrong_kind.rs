// mistakes: 12
use mcp_runtime::prelude::*;

#[mcp::tool(read_only = "yes", name = 5, title, order = "first", open = 1, blocking = "no")]
fn search() {}

#[mcp::tool(description = concat!("a", "b"), icons, group("admin"), crate = "x", meta = json!([1]))]
fn find() {}

#[mcp::tool(title = )]
fn seek() {}

fn main() {}
