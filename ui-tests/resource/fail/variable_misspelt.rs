// mistakes: 2
use mcp_runtime::prelude::*;

#[mcp::resource("logs://{service}/{date}")]
async fn logs(servcie: String, date: String) -> String {
    servcie + &date
}

#[mcp::resource("books://{isbn}/{page}")]
async fn page(isbn: String, pag: u32) -> String {
    format!("{isbn} {pag}")
}

fn main() {}
