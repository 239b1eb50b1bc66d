// mistakes: 6
use mcp_runtime::prelude::*;

#[mcp::tool]
fn text(x: &'static str) -> &'static str {
    x
}

#[mcp::prompt]
fn perhaps(x: Option<&'static str>) -> String {
    x.unwrap_or_default().to_owned()
}

#[mcp::tool]
fn many(x: Vec<&'static str>) -> String {
    x.concat()
}

#[mcp::tool]
fn path(x: &std::path::Path) -> String {
    x.display().to_string()
}

#[mcp::tool]
fn bytes(x: &[u8]) -> usize {
    x.len()
}

#[mcp::tool]
fn object(x: &dyn std::fmt::Debug) -> String {
    format!("{x:?}")
}

fn main() {}
