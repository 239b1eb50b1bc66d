use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Folder {
    name: String,
    inside: Option<Folder>,
}

fn main() {}
