//! Clients that are slow, silent, or gone.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mcp_runtime::prelude::*;

use crate::{call, listen, server, shown};

static STARTED: AtomicUsize = AtomicUsize::new(0);
static DROPPED: AtomicUsize = AtomicUsize::new(0);
static FINISHED: AtomicUsize = AtomicUsize::new(0);

/// Counts when it is dropped.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Takes a while, and counts how it ends.
#[mcp::tool(group = "bad clients")]
async fn slow() -> &'static str {
    let _guard = Guard;
    STARTED.fetch_add(1, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(500)).await;
    FINISHED.fetch_add(1, Ordering::SeqCst);
    "finished"
}

static HANGING: AtomicUsize = AtomicUsize::new(0);
static RELEASED: AtomicUsize = AtomicUsize::new(0);

/// Counts when it is dropped.
struct Release;

impl Drop for Release {
    fn drop(&mut self) {
        RELEASED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Does not end by itself.
#[mcp::tool(group = "bad clients")]
async fn hang() {
    let _release = Release;
    HANGING.fetch_add(1, Ordering::SeqCst);
    std::future::pending::<()>().await;
}

/// Answers at once.
#[mcp::tool(group = "bad clients")]
async fn quick() -> &'static str {
    "here"
}

/// Sends without an end.
#[mcp::tool(group = "bad clients")]
async fn endless(ctx: mcp::Context) {
    let mut step = 0_u64;
    loop {
        step += 1;
        ctx.progress(step).message("x".repeat(10_000)).await;
    }
}

fn impatient() -> SocketAddr {
    let brief = Duration::from_millis(400);
    listen(move || {
        server("bad clients")
            .header_timeout(brief)
            .idle_timeout(brief * 3)
            .body_timeout(brief)
            .write_timeout(brief)
    })
}

/// How long it takes the server to close a connection on which this was sent, and what it said.
fn closed_after(address: SocketAddr, sent: &[u8]) -> (Duration, String) {
    let mut socket = TcpStream::connect(address).expect("the server listens");
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    socket.write_all(sent).expect("it can be written");
    let start = Instant::now();
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the connection stays open: {error}"),
    }
    (start.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

#[test]
fn silent_and_slow_connections_are_closed() {
    let address = impatient();
    let soon = Duration::from_secs(10);
    let (nothing, _) = closed_after(address, b"");
    let (half_a_head, _) = closed_after(address, b"POST /mcp HTTP/1.1\r\nHost: 127");
    let half_a_body = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let (body, answer) = closed_after(address, half_a_body.as_bytes());
    assert!(nothing < soon && half_a_head < soon && body < soon);
    assert!(nothing > half_a_head, "nothing at all is waited for longer than the rest of a head");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert_eq!(shown(&call(address, "quick", &[])), "here", "others are served");
}

#[test]
fn an_idle_connection_is_kept_for_a_while_and_then_closed() {
    let address = impatient();
    let request = "OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    let (idle, answer) = closed_after(address, request.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    assert!(idle > Duration::from_millis(800), "the header timeout does not count: {idle:?}");
}

#[test]
fn a_reader_that_sleeps_is_cut_off() {
    let address = impatient();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"endless","_meta":{"progressToken":1}}}"#;
    let mut socket = TcpStream::connect(address).expect("the server listens");
    let length = body.len();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    socket.write_all(format!("{head}{body}").as_bytes()).expect("it can be written");
    let mut first = [0; 1000];
    socket.read_exact(&mut first).expect("it begins");
    // Not reading on fills the buffers on the way; once the server gives up, it has closed its end.
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        match socket.write_all(b"x") {
            Err(_) => break,
            Ok(()) => assert!(Instant::now() < deadline, "the connection stays open"),
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
    assert_eq!(shown(&call(address, "quick", &[])), "here");
}

/// A modern client that goes away cancels its call; one of the handshake era does not.
#[test]
fn going_away_cancels_a_call_in_the_modern_era_alone() {
    let address = listen(|| server("bad clients"));
    let go_away = |headers: &str, meta: &str| {
        let before = STARTED.load(Ordering::SeqCst);
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"slow"{meta}}}}}"#);
        let length = body.len();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        let mut socket = TcpStream::connect(address).expect("the server listens");
        socket.write_all(format!("{head}{body}").as_bytes()).expect("it can be written");
        wait_until("the handler runs", || STARTED.load(Ordering::SeqCst) > before);
    };

    let (dropped, finished) = (DROPPED.load(Ordering::SeqCst), FINISHED.load(Ordering::SeqCst));
    go_away(
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: slow\r\n",
        r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#,
    );
    wait_until("the handler is dropped", || DROPPED.load(Ordering::SeqCst) > dropped);
    assert_eq!(FINISHED.load(Ordering::SeqCst), finished, "a modern call is cancelled");

    go_away("", "");
    wait_until("the handler finishes", || FINISHED.load(Ordering::SeqCst) > finished);
}

/// What comes behind a request does not hide that its client is gone.
#[test]
fn going_away_is_noticed_behind_more_bytes() {
    let address = listen(|| server("bad clients"));
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hang\r\n\r\n",
        body.len()
    );
    for behind in ["\r\n", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n", &"x".repeat(20_000)] {
        let (began, ended) = (HANGING.load(Ordering::SeqCst), RELEASED.load(Ordering::SeqCst));
        let mut socket = TcpStream::connect(address).expect("the server listens");
        socket.write_all(format!("{head}{body}{behind}").as_bytes()).expect("it can be written");
        wait_until("the handler runs", || HANGING.load(Ordering::SeqCst) > began);
        socket.write_all(b"x").expect("it can be written");
        drop(socket);
        wait_until("the handler is dropped", || RELEASED.load(Ordering::SeqCst) > ended);
    }
}

/// A pipelined request that was read ahead is answered in its turn.
#[test]
fn what_was_read_ahead_is_answered() {
    let address = listen(|| server("bad clients"));
    let post = |id: u8, tool: &str, more: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{}}}}}}"#
        );
        format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{more}\r\n{body}",
            body.len()
        )
    };
    let started = STARTED.load(Ordering::SeqCst);
    let mut socket = TcpStream::connect(address).expect("the server listens");
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    let (second, third) = (post(2, "quick", ""), post(3, "quick", "Connection: close\r\n"));
    let (early, late) = second.split_at(40);
    socket.write_all(format!("{}{early}", post(1, "slow", "")).as_bytes()).expect("it can be written");
    wait_until("the handler runs", || STARTED.load(Ordering::SeqCst) > started);
    socket.write_all(format!("{late}{third}").as_bytes()).expect("it can be written");
    let mut answers = String::new();
    socket.read_to_string(&mut answers).expect("the answers are text");
    let at = |id: u8| answers.find(&format!("\"id\":{id}"));
    assert!(at(1).is_some() && at(1) < at(2) && at(2) < at(3), "{answers}");
}

/// Whoever sends a body that is refused reads why, and is not cut off while it sends.
#[test]
fn a_refusal_reaches_whoever_still_sends() {
    let address = listen(|| server("bad clients").max_body_bytes(100_000));
    let large = vec![b' '; 1_000_000];
    for (headers, status) in [
        ("Content-Type: application/json", 413),
        ("Content-Type: text/plain", 415),
        ("Content-Type: application/json\r\nOrigin: http://evil.example", 403),
    ] {
        for framing in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
            let mut socket = TcpStream::connect(address).expect("the server listens");
            socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
            let head = format!(
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{headers}\r\n{framing}\r\n\r\n"
            );
            socket.write_all(head.as_bytes()).expect("it can be written");
            for part in large.chunks(50_000) {
                if framing.starts_with('C') {
                    socket.write_all(part).expect("all of it can be written");
                } else {
                    socket.write_all(format!("{:x}\r\n", part.len()).as_bytes()).expect("it can be written");
                    socket.write_all(part).expect("all of it can be written");
                    socket.write_all(b"\r\n").expect("it can be written");
                }
            }
            if framing.starts_with('T') {
                socket.write_all(b"0\r\n\r\n").expect("it can be written");
            }
            let mut answer = String::new();
            socket.read_to_string(&mut answer).expect("the answer arrives");
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{headers} {framing}: {answer}");
        }
    }
}

/// Whoever announces a body and sends none reads why it would be refused, and is not waited for as a body is.
#[test]
fn a_refusal_does_not_wait_for_a_body_that_does_not_come() {
    let address = listen(|| server("bad clients"));
    for (headers, status) in [
        ("Host: evil.example\r\nContent-Type: application/json\r\nContent-Length: 10", 403),
        ("Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99999999999", 413),
    ] {
        let request = format!("POST /mcp HTTP/1.1\r\nConnection: close\r\n{headers}\r\n\r\n");
        let (took, answer) = closed_after(address, request.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{headers}: {answer}");
        assert!(took < Duration::from_secs(10), "{headers}: {took:?}");
    }
}

#[test]
fn a_head_without_an_end_is_refused() {
    let address = listen(|| server("bad clients"));
    let head = format!("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: {}\r\n\r\n", "x".repeat(1_000_000));
    let (_, answer) = closed_after(address, head.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[test]
fn more_connections_than_there_may_be_wait_for_their_turn() {
    let address = listen(|| server("bad clients").max_connections(1));
    let request = b"OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    let mut first = TcpStream::connect(address).expect("the server listens");
    first.write_all(request).expect("it can be written");
    let mut answer = [0; 12];
    first.read_exact(&mut answer).expect("the first is served");
    let mut second = TcpStream::connect(address).expect("the server listens");
    second.write_all(request).expect("it can be written");
    second.set_read_timeout(Some(Duration::from_millis(200))).expect("a timeout can be set");
    assert!(second.read(&mut answer).is_err(), "there is no place for the second");
    drop(first);
    second.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    second.read_exact(&mut answer).expect("now there is");
    assert_eq!(&answer, b"HTTP/1.1 204");
}

pub(crate) fn wait_until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < deadline, "not seen: {what}");
        std::thread::yield_now();
    }
}
