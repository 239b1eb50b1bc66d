// mistakes: 2
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
#[serde(tag = "type")]
enum Target {
    Path(String),
    Place { at: u32 },
    Other(Inner),
    Nothing,
}

#[derive(mcp::Args)]
struct Inner {
    name: String,
}

#[derive(mcp::Output)]
#[serde(tag = "kind")]
enum Found {
    Words(Vec<String>),
    None,
}

#[mcp::tool]
fn find(target: Target) -> mcp::Json<Found> {
    match target {
        Target::Path(path) => mcp::Json(Found::Words(vec![path])),
        Target::Place { at } => mcp::Json(Found::Words(vec![at.to_string()])),
        Target::Other(inner) => mcp::Json(Found::Words(vec![inner.name])),
        Target::Nothing => mcp::Json(Found::None),
    }
}

fn main() {}
