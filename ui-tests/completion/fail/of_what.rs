// mistakes: 5
use mcp_runtime::prelude::*;

#[mcp::completion]
async fn nothing(prefix: String) -> Vec<String> {
    vec![prefix]
}

#[mcp::completion(prompt = "review")]
async fn no_argument(prefix: String) -> Vec<String> {
    vec![prefix]
}

#[mcp::completion(argument = "language")]
async fn no_owner(prefix: String) -> Vec<String> {
    vec![prefix]
}

#[mcp::completion(prompt = "review", resource = "logs://{service}", argument = "language")]
async fn both(prefix: String) -> Vec<String> {
    vec![prefix]
}

#[mcp::completion("review")]
async fn text(prefix: String) -> Vec<String> {
    vec![prefix]
}

fn main() {}
