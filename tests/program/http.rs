//! Programs that serve HTTP: how they take connections, and how they end by a signal.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::{NOISY, Piped};

#[test]
fn sigterm_ends_a_program_whose_every_worker_is_blocked() {
    let (server, address) = noisy_over_http(Command::new(NOISY).env("TOKIO_WORKER_THREADS", "1"));
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "block_worker"}})
        .to_string();
    let _client = sent(address, &body);
    // Nothing is accepted any more once the call has begun.
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut answer = [0; 12];
    loop {
        let mut other = TcpStream::connect(address).expect("the system accepts");
        other.set_read_timeout(Some(Duration::from_millis(200))).expect("a timeout can be set");
        other.write_all(b"OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").expect("it is sent");
        if other.read_exact(&mut answer).is_err() {
            break;
        }
        assert!(Instant::now() < deadline, "the worker is not blocked");
    }
    server.signal("TERM");
    let (_, _, _, took) = server.end();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn sigterm_lets_a_call_over_http_finish() {
    let (server, address) = noisy_over_http(&mut Command::new(NOISY));
    let mut client = begun(address, "tell_and_wait");
    // A connection that says nothing does not keep the server from ending.
    let _silent = TcpStream::connect(address).expect("the server listens");
    server.signal("TERM");
    let mut rest = String::new();
    client.read_to_string(&mut rest).expect("the answer is text");
    let (_, told, success, took) = server.end();
    assert!(rest.contains("waited"), "{rest} {told}");
    assert!(success && took < Duration::from_secs(5), "{took:?}");
}

/// A call of the handshake era goes on without its connection, and is waited for at the end.
#[test]
fn sigterm_lets_a_call_without_a_connection_finish() {
    let (server, address) = noisy_over_http(&mut Command::new(NOISY));
    drop(begun(address, "tell_the_end"));
    server.signal("TERM");
    let (_, told, success, took) = server.end();
    assert!(told.contains("it came to its end"), "{told}");
    assert!(success && took < Duration::from_secs(5), "{took:?}");
}

/// A burst of clients is not turned away by the system before the program sees it.
#[test]
fn a_burst_of_connections_waits_to_be_accepted() {
    let (server, address) = noisy_over_http(&mut Command::new(NOISY));
    server.signal("STOP");
    let most = Duration::from_secs(5);
    let burst: Vec<_> = (0..400).map(|_| TcpStream::connect_timeout(&address, most)).collect();
    assert!(burst.iter().all(Result::is_ok), "{:?}", burst.iter().position(Result::is_err));
}

/// A connection on which that request is sent.
fn sent(address: SocketAddr, body: &str) -> TcpStream {
    let head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json";
    let mut client = TcpStream::connect(address).expect("the server listens");
    client
        .write_all(format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
        .expect("it is sent");
    client
}

/// The answer of a call of half a second that has begun.
fn begun(address: SocketAddr, tool: &str) -> BufReader<TcpStream> {
    let params = json!({"name": tool, "arguments": {"milliseconds": 500}, "_meta": {"progressToken": 1}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let mut client = BufReader::new(sent(address, &body));
    let mut line = String::new();
    while !line.contains("notifications/progress") {
        line.clear();
        assert!(client.read_line(&mut line).expect("the answer is text") > 0, "the answer ends early");
    }
    client
}

/// The noisy program over HTTP, and where it listens.
fn noisy_over_http(program: &mut Command) -> (Piped, SocketAddr) {
    let mut server = Piped::start(program.args(["--http", "127.0.0.1:0"]));
    let mut stderr = BufReader::new(server.child.stderr.take().expect("stderr is piped"));
    let mut line = String::new();
    while !line.contains("http://") {
        line.clear();
        assert!(stderr.read_line(&mut line).expect("stderr is text") > 0, "it ended before it listened");
    }
    server.child.stderr = Some(stderr.into_inner());
    let (_, rest) = line.split_once("http://").expect("a URL");
    let (address, _) = rest.split_once('/').expect("a path");
    (server, address.parse().expect("an address"))
}
