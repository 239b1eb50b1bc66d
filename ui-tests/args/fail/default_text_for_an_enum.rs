use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
enum Language {
    Rust,
}

#[derive(mcp::Args)]
struct Search {
    #[arg(default = "Rust")]
    language: Language,
}

fn main() {}
