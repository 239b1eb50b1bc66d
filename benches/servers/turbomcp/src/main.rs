//! `add` with turbomcp: over HTTP at `PORT`, else over stdio.

use std::net::SocketAddr;

use turbomcp::http::{HttpConfig, serve_http};
use turbomcp::prelude::*;

#[derive(Clone)]
struct Adder;

#[server(name = "adder", version = "0.0.0")]
impl Adder {
    /// Adds two numbers.
    #[tool(description = "Adds two numbers")]
    async fn add(&self, a: i64, b: i64) -> String {
        (a + b).to_string()
    }
}

#[tokio::main]
async fn main() -> Result<(), turbomcp::ProtocolError> {
    let Ok(port) = std::env::var("PORT") else { return Adder.run_stdio().await };
    let address = SocketAddr::from(([127, 0, 0, 1], port.parse().expect("PORT is a number")));
    serve_http(address, Adder.into_server().build(), HttpConfig::new()).await?;
    Ok(())
}
