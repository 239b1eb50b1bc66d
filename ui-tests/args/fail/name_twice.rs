// The compiler's own words.
// mistakes: 4
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Target {
    path: String,
    path: u32,
}

#[derive(mcp::Data)]
enum Place {
    Here { path: String, path: String },
    There,
}

#[derive(mcp::Data)]
enum Unit {
    Celsius,
    Celsius,
}

#[derive(mcp::Args)]
#[serde(default)]
struct Page<T> {
    first: T,
    #[arg(range = 1..)]
    first: u32,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        unimplemented!()
    }
}

fn main() {}
