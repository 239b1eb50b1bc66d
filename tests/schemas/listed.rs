//! The tools of the matrix as a client gets them.

use mcp_runtime_tests::lines::{self, Lines};
use serde_json::{Value, json};

use crate::types::GROUP;

/// A client of the tools.
pub struct Client(Lines);

impl Client {
    /// A client of its own server.
    pub fn new() -> Self {
        Self(lines::serve(|| mcp_runtime::server().server_info("matrix", "1").groups([GROUP])))
    }

    /// Asks, in the modern era.
    pub fn ask(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        self.0.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string());
        self.0.message().expect("it is answered")
    }

    /// Every tool.
    pub fn tools(&mut self) -> Vec<Value> {
        let mut answer = self.ask("tools/list", json!({}));
        serde_json::from_value(answer["result"]["tools"].take()).expect("a list")
    }
}

/// A tool of that name.
pub fn named<'t>(tools: &'t [Value], name: &str) -> &'t Value {
    tools.iter().find(|tool| tool["name"] == name).expect("it is listed")
}
