// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search() -> impl std::fmt::Display {
    "text"
}

#[mcp::tool]
async fn find() -> Result<impl Into<String>, mcp::ToolError> {
    Ok("text")
}

#[mcp::tool]
async fn seek() -> ! {
    loop {}
}

fn main() {}
