use mcp_runtime::prelude::*;

struct Receipt(u32);

#[mcp::tool]
async fn pay(ctx: mcp::Context) -> Result<u32, mcp::OnceError> {
    let receipt: Receipt = ctx.once("pay", async || Ok::<_, mcp::ToolError>(Receipt(1))).await?;
    Ok(receipt.0)
}

fn main() {}
