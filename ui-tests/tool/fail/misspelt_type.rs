// mistakes: 6
use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(
    text: Strin,
    list: Vec<Itm>,
    target: Option<Targt>,
    #[x_mcp_header] region: Regoin,
) -> Result<mcp::Json<Rowz>, Fault> {
    todo!()
}

fn main() {}
