//! The server that the tests of the client speak to, as a program of its own.

#[path = "../client/served.rs"]
mod served;

#[tokio::main]
async fn main() -> mcp_runtime::Result {
    mcp_runtime::serve().server_info("served", "1.0.0").instructions("For tests.").await
}
