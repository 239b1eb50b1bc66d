use mcp_runtime::prelude::*;

#[mcp::notification("notifications/acme/ping")]
fn ping() -> bool {
    true
}

fn main() {}
