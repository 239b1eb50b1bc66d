use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
enum Language {
    Rust,
}

#[mcp::tool]
async fn search(#[arg(default = "Rust")] language: Language) {
    let Language::Rust = language;
}

fn main() {}
