use mcp_runtime::prelude::*;

struct Found {
    count: u32,
}

#[mcp::tool]
async fn search(text: String) -> Result<mcp::Json<Found>, mcp::ToolError> {
    Ok(mcp::Json(Found { count: text.len() as u32 }))
}

fn main() {}
