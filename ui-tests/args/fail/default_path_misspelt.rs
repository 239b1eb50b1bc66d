use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Search {
    word: String,
    #[serde(default = "five")]
    most: u32,
}

#[mcp::tool]
fn search(search: Search) -> String {
    search.word.repeat(search.most as usize)
}

fn main() {}
