// mistakes: 5
use mcp_runtime::prelude::*;

struct Index;

#[mcp::tool]
async fn text(text: &str) {
    let _ = text;
}

#[mcp::tool]
async fn list(list: &[u8]) {
    let _ = list;
}

#[mcp::tool]
async fn state(index: &Index) {
    let _ = index;
}

#[mcp::tool]
async fn optional(text: Option<&str>) {
    let _ = text;
}

#[mcp::tool]
async fn cow(text: std::borrow::Cow<'_, str>) {
    let _ = text;
}

fn main() {}
