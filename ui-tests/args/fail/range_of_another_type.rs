// mistakes: 3
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Page {
    #[arg(range = 1..=70_000)]
    limit: u16,
    #[arg(range = 0.0..)]
    start: Option<i64>,
}

#[derive(mcp::Data)]
enum Size {
    Exactly {
        #[arg(range = -1..=1)]
        bytes: u64,
    },
}

fn main() {
    let Size::Exactly { bytes: _ } = Size::Exactly { bytes: 1 };
}
