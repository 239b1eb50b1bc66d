// mistakes: 3
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    path: &'static str,
    more: Option<&'static [u8]>,
}

#[derive(mcp::Data)]
enum Place {
    Named(&'static str),
    Numbered { at: u32 },
}

#[mcp::tool]
fn look(target: Target, place: Place) -> String {
    match place {
        Place::Named(name) => format!("{}{name}{:?}", target.path, target.more),
        Place::Numbered { at } => at.to_string(),
    }
}

fn main() {}
