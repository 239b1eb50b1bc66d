use mcp_runtime::prelude::*;

#[mcp::tool]
async fn search(text: String, #[cfg(unix)] socket: String) {
    let _ = (text, socket);
}

fn main() {}
