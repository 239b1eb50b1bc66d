//! What a subscription costs, and how soon those who have one are told.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mcp_runtime::prelude::*;
use mcp_runtime_tests::listen::listen;

use crate::{left::live, turn};

/// Tells that the list of tools has changed.
#[mcp::tool]
async fn change(ctx: mcp::Context) -> String {
    format!("{:?}", ctx.notify(mcp::Change::Tools))
}

fn request(method: &str, name: &str, params: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params},{meta}}}}}"#);
    format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{name}MCP-Protocol-Version: \
         2026-07-28\r\nMcp-Method: {method}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads until this has come.
fn read_until(socket: &mut TcpStream, text: &[u8]) {
    let mut all = Vec::new();
    let mut part = [0; 2048];
    while !all.windows(text.len()).any(|window| window == text) {
        let length = socket.read(&mut part).expect("it comes");
        assert!(length > 0, "the connection ends: {}", String::from_utf8_lossy(&all));
        all.extend_from_slice(&part[..length]);
    }
}

/// 1 000 of them cost at most 24 KiB each, the client's half of the connection included; all are told within half a
/// second, also while some do not read.
#[cfg(unix)]
#[test]
fn a_thousand_subscriptions() {
    let _turn = turn();
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let enough = rustix::process::Rlimit {
        current: limit.maximum.map_or(Some(8192), |most| Some(most.min(8192))),
        ..limit
    };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, enough).expect("the limit can be raised");

    let address = listen(|| mcp_runtime::server().server_info("cost", "1").max_subscriptions(2000));
    let connect = || {
        let socket = TcpStream::connect(address).expect("the server listens");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
        socket
    };
    let ask = request("subscriptions/listen", "", r#""notifications":{"toolsListChanged":true}"#);
    let listening = || {
        let mut socket = connect();
        socket.write_all(ask.as_bytes()).expect("it can be written");
        read_until(&mut socket, b"subscriptions/acknowledged");
        socket
    };
    let first: Vec<TcpStream> = (0..10).map(|_| listening()).collect();
    let before = live();
    let mut sockets: Vec<TcpStream> = (0..1000).map(|_| listening()).collect();
    let each = live().saturating_sub(before) / 1000;
    eprintln!("one subscription: {each} bytes");
    assert!(each <= 24 * 1024, "{each}");

    let mut caller = connect();
    let change = request("tools/call", "Mcp-Name: change\r\n", r#""name":"change""#);
    let start = Instant::now();
    caller.write_all(change.as_bytes()).expect("it can be written");
    for socket in &mut sockets {
        read_until(socket, b"tools/list_changed");
    }
    let took = start.elapsed();
    eprintln!("1000 were told within {took:?}");
    assert!(took < Duration::from_millis(500), "{took:?}");
    drop(first);
}
