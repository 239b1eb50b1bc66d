use mcp_runtime::prelude::*;

#[derive(schemars::JsonSchema)]
struct Filter {
    text: String,
}

#[mcp::tool]
async fn search(filter: Option<Filter>) -> String {
    filter.unwrap().text
}

fn main() {}
