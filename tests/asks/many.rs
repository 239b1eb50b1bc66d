//! Many clients at once: no answer reaches another's call, and nothing is left of those that go away.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mcp_runtime::prelude::*;
use mcp_runtime_tests::listen::listen;
use serde_json::json;

use crate::clients::{Client, server};
use crate::text;

#[derive(mcp::Form)]
struct Token {
    token: String,
}

/// Asks twice, and says what it was told.
#[mcp::tool]
async fn twice(own: String, ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let first: Token = ctx.elicit(format!("first {own}")).await?;
    let second: Token = ctx.elicit(format!("second {own}")).await?;
    Ok(format!("{own}: {} {}", first.token, second.token))
}

/// How many handlers of `stays` are at work.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

struct AtWork;

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Stays for a while.
#[mcp::tool]
async fn stays(milliseconds: u64, ctx: mcp::Context) -> &'static str {
    AT_WORK.fetch_add(1, Ordering::SeqCst);
    let _at_work = AtWork;
    ctx.progress(1).await;
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "stayed"
}

/// Answers with what it was asked.
fn echo(request: &Value) -> Value {
    let message = request["params"]["message"].as_str().unwrap_or_default();
    json!({"action": "accept", "content": {"token": message}})
}

/// 100 clients of both eras ask 10 000 times in all, all at once.
#[test]
fn no_answer_reaches_another_call() {
    let address = listen(server);
    let clients: Vec<_> = (0..100)
        .map(|number| {
            thread::spawn(move || {
                let mut client = if number % 2 == 0 {
                    Client::modern(address, echo)
                } else {
                    Client::handshake(address, echo)
                };
                for call in 0..50 {
                    let own = format!("{number}-{call}");
                    let result = client.call("twice", json!({ "own": own }));
                    assert_eq!(text(&result), format!("{own}: first {own} second {own}"));
                }
            })
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().expect("each gets its own"));
}

/// Sends a call and goes away after a while that is different for each.
fn go_away(address: SocketAddr, number: u64, modern: bool) {
    let meta = if modern {
        json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, "progressToken": 1})
    } else {
        json!({"progressToken": 1})
    };
    let milliseconds = if modern { 60_000 } else { 300 };
    let params = json!({"name": "stays", "arguments": {"milliseconds": milliseconds}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let headers = if modern {
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: stays\r\n"
    } else {
        ""
    };
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    let message = format!("{head}{body}").into_bytes();
    let mut socket = TcpStream::connect(address).expect("the server listens");
    // Some go away in the middle of their request, some before, some after the first event.
    let cut = usize::try_from(number).unwrap_or_default() * 37 % (message.len() + 200);
    socket.write_all(&message[..cut.min(message.len())]).expect("it can be written");
    if cut >= message.len() {
        socket.set_read_timeout(Some(Duration::from_millis(number % 20 + 1))).expect("a timeout can be set");
        let _ = socket.read(&mut [0; 64]);
    }
}

/// 1 000 clients that go away at any moment: of modern ones nothing is left within 5 seconds, of others nothing once
/// their handlers have come to their end.
#[test]
fn nothing_is_left_of_clients_that_go_away() {
    // Calls without a session: their handlers end by themselves.
    let address = listen(|| mcp_runtime::server().server_info("asks", "1"));
    for modern in [true, false] {
        thread::scope(|scope| {
            for worker in 0..10 {
                scope
                    .spawn(move || (0..50).for_each(|number| go_away(address, worker * 50 + number, modern)));
            }
        });
        let deadline = Instant::now() + Duration::from_secs(5);
        while AT_WORK.load(Ordering::SeqCst) > 0 {
            assert!(Instant::now() < deadline, "{} are left", AT_WORK.load(Ordering::SeqCst));
            thread::yield_now();
        }
    }
    let mut client = Client::modern(address, echo);
    assert_eq!(text(&client.call("stays", json!({"milliseconds": 1}))), "stayed", "others are served");
}
