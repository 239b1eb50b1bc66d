use mcp_runtime::prelude::*;

use std::rc::Rc;

async fn wait() {}

#[mcp::tool]
async fn search(text: String) -> String {
    let shared = Rc::new(text);
    wait().await;
    shared.to_string()
}

fn main() {}
