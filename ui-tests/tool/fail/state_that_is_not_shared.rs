// mistakes: 4
use std::cell::Cell;

use mcp_runtime::prelude::*;

struct Database;

#[derive(Clone)]
struct Local(Cell<u8>);

#[mcp::tool]
async fn search(database: mcp::State<Database>) {
    let _ = database;
}

#[mcp::tool]
async fn count(local: mcp::State<Local>) {
    let _ = local.0.0.take();
}

#[mcp::tool]
async fn extended(database: mcp::Extension<Database>) {
    let _ = database;
}

fn main() {
    mcp_runtime::server().state(Database);
}
