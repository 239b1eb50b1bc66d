// mistakes: 3
use std::error::Error;

use mcp_runtime::prelude::*;

type Fallible<T> = Result<T, Box<dyn Error>>;

#[mcp::tool]
async fn search(text: String) -> Result<String, Box<dyn std::error::Error>> {
    Ok(text)
}

#[mcp::resource("config://app")]
async fn config() -> Result<String, Box<dyn Error + Send>> {
    Ok(String::new())
}

#[mcp::prompt]
async fn aliased(text: String) -> Fallible<String> {
    Ok(text)
}

fn main() {}
