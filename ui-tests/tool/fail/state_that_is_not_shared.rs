use mcp_runtime::prelude::*;

struct Database;

#[mcp::tool]
async fn search(database: mcp::State<Database>) {
    let _ = database;
}

fn main() {}
