use mcp_runtime::prelude::*;

struct Filter {
    text: String,
}

#[mcp::tool]
async fn search(filter: Filter) -> String {
    filter.text
}

fn main() {}
