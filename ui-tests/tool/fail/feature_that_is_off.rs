use mcp_runtime::prelude::*;

#[mcp::tool]
async fn log(day: chrono::NaiveDate) -> String {
    day.to_string()
}

fn main() {}
