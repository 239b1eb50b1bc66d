//! What a server offers over HTTP beside its messages: callers, layers, extensions, timeouts, and handles.

mod bad_clients;
mod callers;
mod changes;
mod expiry;
mod mounted;
mod pages;
mod sessions;

use std::net::SocketAddr;

use mcp_runtime::{Library, Server};
use mcp_runtime_tests::listen::listen;
use mcp_runtime_tests::raw::{Answer, send};
use serde_json::{Value, json};

/// A server of what this file's modules register in a group.
fn server(group: &str) -> Server<Library> {
    mcp_runtime::server().server_info("http", "1").groups([group])
}

fn headers(more: &[(&str, &str)], length: usize) -> Vec<(String, String)> {
    let mut headers = vec![
        ("Host".to_owned(), "127.0.0.1".to_owned()),
        ("Content-Type".to_owned(), "application/json".to_owned()),
        ("Content-Length".to_owned(), length.to_string()),
    ];
    headers.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    headers
}

/// A request of the handshake era.
fn ask(address: SocketAddr, method: &str, params: Value, more: &[(&str, &str)]) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    send(address, "POST", "/mcp", &headers(more, body.len()), body.as_bytes())
}

fn call(address: SocketAddr, tool: &str, more: &[(&str, &str)]) -> Answer {
    ask(address, "tools/call", json!({"name": tool}), more)
}

fn shown(answer: &Answer) -> String {
    answer.message()["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}
