// mistakes: 6
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
#[arg(title = "Target")]
struct Target {
    #[arg(flatten)]
    inner: Inner,
}

#[derive(mcp::Args)]
struct Inner {
    #[arg(nmae = "path")]
    path: String,
}

#[derive(mcp::Args)]
enum Unit {
    #[arg(name = "C")]
    Celsius,
}

#[derive(mcp::Args)]
#[mcp(root = "x")]
struct Tuple(#[arg(name = "one")] String, String);

fn main() {}
