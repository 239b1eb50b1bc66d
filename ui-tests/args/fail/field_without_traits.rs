// mistakes: 3
use mcp_runtime::prelude::*;

struct Inner;

#[derive(mcp::Args)]
struct Target {
    inner: Inner,
    list: Vec<Inner>,
}

#[derive(mcp::Args)]
enum Either {
    One(Inner),
}

#[mcp::tool]
async fn search(target: Target, either: Either) {
    let _ = (target.inner, target.list);
    let Either::One(_) = either;
}

fn main() {}
