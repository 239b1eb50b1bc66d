use mcp_runtime::prelude::*;

#[mcp::tool]
fn since(#[arg(default = "2026-01-01")] day: std::net::IpAddr) -> String {
    day.to_string()
}

fn main() {}
