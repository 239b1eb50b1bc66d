use mcp_runtime::prelude::*;

#[derive(mcp::Args)]
struct Login {
    user: String,
}

#[mcp::tool]
async fn sign_in(ctx: mcp::Context) -> Result<String, mcp::ToolError> {
    let login: Login = ctx.elicit("Who are you?").await?;
    Ok(login.user)
}

fn main() {}
