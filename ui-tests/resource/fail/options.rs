// mistakes: 5
use mcp_runtime::prelude::*;

#[mcp::resource("config://app", cache_scope = "everyone", cache_ttl_ms = -1, read_only)]
async fn config() -> String {
    String::new()
}

#[mcp::resource("logs://{name}", size = 5, annotations)]
async fn log(name: String) -> String {
    name
}

fn main() {}
