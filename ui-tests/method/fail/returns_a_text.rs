use mcp_runtime::prelude::*;

#[mcp::method("acme/reindex")]
async fn reindex() -> String {
    String::new()
}

fn main() {}
