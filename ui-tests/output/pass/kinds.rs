//! Results of all shapes.

#![deny(warnings)]

use mcp_runtime::prelude::*;

/// Found.
#[derive(mcp::Output)]
struct Found<'a, T> {
    /// How many.
    #[arg(name = "n", range = 0.., title = "Count")]
    count: usize,
    items: &'a [T],
}

#[derive(mcp::Output)]
enum Outcome {
    Found(Found<'static, String>),
    #[deprecated]
    #[allow(dead_code)]
    Lost,
}

/// Search.
#[mcp::tool]
async fn search() -> Result<mcp::Json<Outcome>, mcp::ToolError> {
    Ok(mcp::Json(Outcome::Found(Found { count: 0, items: &[] })))
}

fn main() {
    mcp_runtime_ui_tests::boots(mcp_runtime::server());
    let shown = serde_json::to_value(Found { count: 1, items: &[5] }).unwrap();
    assert_eq!(shown, serde_json::json!({"n": 1, "items": [5]}));
}
