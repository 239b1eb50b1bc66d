use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Filter {
    text: String,
}

#[mcp::tool]
async fn search(#[arg(default)] filter: Filter) -> String {
    filter.text
}

fn main() {}
