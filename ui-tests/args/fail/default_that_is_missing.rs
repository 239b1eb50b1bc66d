// mistakes: 3
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Filter {
    word: String,
}

#[derive(mcp::Args)]
struct Search {
    #[arg(default)]
    filter: Filter,
}

#[derive(mcp::Data)]
struct Query {
    #[serde(default)]
    language: Language,
}

#[derive(mcp::Data)]
enum Language {
    Rust,
    C,
}

#[derive(mcp::Args)]
#[serde(rename_all = "camelCase")]
struct Look {
    #[serde(default)]
    in_which: Language,
}

#[mcp::tool]
fn search(search: Search, query: Query, look: Look) -> String {
    let _ = (query.language, look.in_which, Language::Rust, Language::C);
    search.filter.word
}

fn main() {}
