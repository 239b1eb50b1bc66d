// mistakes: 8
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    #[default = 3] a: u32,
    #[range(1..=100)] b: u32,
    #[flatten] c: Page,
    #[serde(default)] d: u32,
    #[serde(rename = "what")] e: String,
    #[serde(borrow)] f: String,
    #[schemars(range(min = 1))] g: u32,
    #[description = "The text."] h: String,
) {
    let _ = (a, b, c.start, d, e, f, g, h);
}

#[derive(mcp::Args)]
struct Page {
    start: u32,
}

fn main() {}
