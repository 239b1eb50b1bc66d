// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Span {
    from: chrono::NaiveDate,
}

#[derive(mcp::Output)]
struct Day {
    on: chrono::NaiveDate,
}

fn main() {}
