// mistakes: 4
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search<T: Clone>(text: T) {
    let _ = text;
}

#[mcp::tool]
async fn find<'a, const N: usize>(text: String) {
    let _ = text;
}

#[mcp::tool]
async fn seek(text: String)
where
    String: Clone,
{
    let _ = text;
}

#[mcp::tool]
async fn look(text: impl Into<String>) {
    let _ = text.into();
}

fn main() {}
