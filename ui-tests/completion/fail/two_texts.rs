use mcp_runtime::prelude::*;

#[mcp::completion("triage", "team")]
async fn teams(prefix: String) -> Vec<String> {
    vec![prefix]
}

fn main() {}
