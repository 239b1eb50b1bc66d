//! What calls cost in memory, and what is left behind of those that are refused or given up.

mod left;
mod listens;

use std::alloc::System;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::pin::pin;
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use http::Request;
use mcp_runtime::prelude::*;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tower_service::Service as _;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The turn of one test: what another allocates would be counted too.
fn turn() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds two numbers.
#[mcp::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

const BODY: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"cost","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"add","arguments":{"a":40,"b":2}}}"#;

/// Who accepts connections.
#[derive(Clone, Copy)]
enum Accepts {
    Itself,
    /// axum, with the server in a router of its own.
    Axum,
}

/// How many allocations the server makes for one request, once it has answered a hundred of them.
fn allocations(accepts: Accepts, headers: &str, body: &str) -> usize {
    let (ready, address) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            ready.send(listener.local_addr().expect("an address")).expect("the test waits");
            match accepts {
                Accepts::Itself => mcp_runtime::server().http_on(listener).await.expect("it serves"),
                Accepts::Axum => {
                    let router = mcp_runtime::server().into_router().expect("it is in order");
                    axum::serve(listener, axum::Router::new().merge(router)).await.expect("it serves");
                }
            }
        });
    });
    let mut socket = TcpStream::connect(address.recv().expect("the server listens")).expect("it is there");
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    let mut answer = [0; 4096];
    let mut exchange = |times: usize| {
        for _ in 0..times {
            socket.write_all(request.as_bytes()).expect("it can be written");
            let length = socket.read(&mut answer).expect("it is answered");
            assert!(answer[..length].windows(13).any(|text| text == br#""text":"42"}]"#), "the sum is there");
        }
    };
    exchange(100);
    let region = Region::new(ALLOCATOR);
    exchange(1000);
    let stats = region.change();
    (stats.allocations + stats.reallocations).div_ceil(1000)
}

const HANDSHAKE: &str =
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":40,"b":2}}}"#;

/// A `tools/call` makes at most 25 allocations on the accept loop, and 32 in a router.
#[test]
fn a_call_makes_few_allocations() {
    let _turn = turn();
    let named = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\n";
    for (accepts, name, most) in [(Accepts::Itself, "accept loop", 25), (Accepts::Axum, "router", 32)] {
        let modern = allocations(accepts, named, BODY);
        let handshake = allocations(accepts, "", HANDSHAKE);
        eprintln!("allocations of one call, {name}: modern {modern}, handshake {handshake}");
        assert!(modern <= most && handshake <= most, "{name}: modern {modern}, handshake {handshake}");
    }
}

/// What a future gives that waits for nothing.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

/// A `tools/call` spawns no task, and starts no timer: it is answered where there is no runtime to do so.
#[test]
fn a_call_is_answered_without_a_runtime() {
    let _turn = turn();
    let mut router = mcp_runtime::server().into_router().expect("it is in order");
    for (version, body) in [("2026-07-28", BODY), ("2025-11-25", HANDSHAKE)] {
        let request = Request::post("/mcp")
            .header("Host", "localhost")
            .header("Content-Type", "application/json")
            .header("MCP-Protocol-Version", version)
            .header("Mcp-Method", "tools/call")
            .header("Mcp-Name", "add")
            .body(axum::body::Body::from(body))
            .expect("a request");
        let response = now(router.call(request)).expect("an answer");
        let whole = now(axum::body::to_bytes(response.into_body(), usize::MAX)).expect("it can be read");
        assert!(String::from_utf8_lossy(&whole).contains(r#""text":"42"}]"#), "{whole:?}");
    }
}
