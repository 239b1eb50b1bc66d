use mcp_runtime::prelude::*;

struct Failed;

#[mcp::tool]
async fn search(text: String) -> Result<String, Failed> {
    if text.is_empty() { Err(Failed) } else { Ok(text) }
}

fn main() {}
