//! The server that the official conformance suite is run against: one of everything that the suite asks for.

mod asks;
mod media;
mod prompts;
mod resources;
mod tools;

use mcp_runtime::Sessions;

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    mcp_runtime::serve().instructions("A server for tests.").sessions(Sessions::default()).await
}
