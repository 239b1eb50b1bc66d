// mistakes: 4
use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Filter {
    database: mcp::State<String>,
    ctx: Option<mcp::Context>,
    more: mcp::Json<More>,
}

#[derive(mcp::Data)]
enum More {
    By(mcp::Caller),
}

#[mcp::tool]
async fn search(filter: Filter) {
    let More::By(_) = filter.more.0;
    let _ = (filter.database, filter.ctx);
}

fn main() {}
