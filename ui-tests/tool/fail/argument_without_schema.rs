use mcp_runtime::prelude::*;

#[derive(serde::Deserialize)]
struct Filter {
    text: String,
}

#[mcp::tool]
async fn search(filters: Vec<Filter>) -> String {
    filters[0].text.clone()
}

fn main() {}
