// mistakes: 9
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

#[mcp::tool]
async fn given(db: &mcp::State<Index>) {
    let _ = db;
}

#[mcp::tool]
async fn context(ctx: &mut mcp::Context) {
    let _ = ctx;
}

#[mcp::tool]
async fn json(index: &mcp::Json<Index>) {
    let _ = index;
}

#[mcp::tool]
async fn another_context(ctx: &elsewhere::Context) {
    let _ = ctx;
}

mod elsewhere {
    pub struct Context;
}

fn main() {}
