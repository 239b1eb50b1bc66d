// mistakes: 6
use mcp_runtime::mcp::State;
use mcp_runtime::prelude::*;
use mcp_runtime_ui_tests::{Database, Shared};

#[derive(mcp::Args)]
struct Filter {
    text: String,
}

#[mcp::tool]
async fn json(filter: mcp::Json<Filter>) -> String {
    filter.0.text
}

#[mcp::tool]
async fn optional_json(filter: Option<mcp::Json<Filter>>) {
    let _ = filter;
}

#[mcp::prompt]
async fn optional_state(database: Option<State<Database>>) -> String {
    let _ = database;
    String::new()
}

#[mcp::tool]
async fn optional_alias(database: Option<Shared<Database>>) {
    let _ = database;
}

#[mcp::tool]
async fn optional_context(ctx: Option<mcp::Context>) {
    let _ = ctx;
}

#[mcp::tool]
async fn optional_headers(headers: Option<mcp::Headers>) {
    let _ = headers;
}

fn main() {}
