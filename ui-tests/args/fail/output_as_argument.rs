// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Output)]
struct Found {
    word: String,
}

#[mcp::tool]
fn again(found: Found) -> mcp::Json<Found> {
    mcp::Json(found)
}

#[derive(mcp::Args)]
struct Wanted {
    word: String,
}

#[mcp::tool]
fn echo(wanted: Wanted) -> mcp::Json<Wanted> {
    mcp::Json(wanted)
}

fn main() {}
