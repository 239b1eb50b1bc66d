// mistakes: 3
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn no_result(ctx: mcp::Context) -> Result<u32, mcp::OnceError> {
    let five: u32 = ctx.once("five", || async { 5 }).await?;
    Ok(five)
}

#[mcp::tool]
async fn no_future(ctx: mcp::Context) -> Result<u32, mcp::OnceError> {
    let five: u32 = ctx.once("five", || Ok::<u32, String>(5)).await?;
    Ok(five)
}

#[mcp::tool]
async fn no_closure(ctx: mcp::Context) -> Result<u32, mcp::OnceError> {
    let five: u32 = ctx.once("five", async { Ok::<u32, String>(5) }).await?;
    Ok(five)
}

fn main() {}
