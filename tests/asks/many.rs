//! Many clients at once: no answer reaches another's call, and nothing is left of those that go away.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use mcp_runtime::prelude::*;
use mcp_runtime::{Library, Server};
use mcp_runtime_tests::events::Events;
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

/// Stays for a while.
#[mcp::tool]
async fn stays(milliseconds: u64, ctx: mcp::Context) -> &'static str {
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

/// What a client is in the middle of when it goes away.
#[derive(Clone, Copy, Debug)]
enum Doing {
    ModernCall,
    ModernListen,
    /// A call without a session: its handler goes on to its own end.
    HandshakeCall,
    /// A call in a session, which asks what nobody will answer.
    HandshakeAsk,
}

impl Doing {
    fn request(self) -> (&'static str, Value) {
        let modern = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}, "progressToken": 1});
        let stays = |milliseconds, meta| json!({"name": "stays", "arguments": {"milliseconds": milliseconds}, "_meta": meta});
        match self {
            Self::ModernCall => ("tools/call", stays(60_000, modern)),
            Self::ModernListen => (
                "subscriptions/listen",
                json!({"notifications": {"toolsListChanged": true}, "_meta": modern}),
            ),
            Self::HandshakeCall => ("tools/call", stays(300, json!({"progressToken": 1}))),
            Self::HandshakeAsk => ("tools/call", json!({"name": "twice", "arguments": {"own": "mine"}})),
        }
    }

    fn headers(self, session: Option<&str>) -> String {
        match self {
            Self::ModernCall => {
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: stays\r\n".to_owned()
            }
            Self::ModernListen => {
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n".to_owned()
            }
            Self::HandshakeCall | Self::HandshakeAsk => {
                session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default()
            }
        }
    }
}

/// Sends a request and goes away after a while that is different for each: in the middle of it, before it, or after the
/// first event.
fn go_away(address: SocketAddr, number: usize, doing: Doing, session: Option<&str>) {
    let (method, params) = doing.request();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n",
        doing.headers(session),
        body.len()
    );
    let message = format!("{head}{body}").into_bytes();
    let mut socket = TcpStream::connect(address).expect("the server listens");
    let cut = number * 37 % (message.len() + 200);
    socket.write_all(&message[..cut.min(message.len())]).expect("it can be written");
    if cut >= message.len() {
        let while_ = Duration::from_millis(number as u64 % 20 + 1);
        socket.set_read_timeout(Some(while_)).expect("a timeout can be set");
        let _ = socket.read(&mut [0; 64]);
    }
}

/// Waits until a gauge shows what it should.
fn until(handle: &mcp::Handle, what: &str, holds: impl Fn(mcp::Gauges) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while !holds(handle.gauges()) {
        assert!(Instant::now() < deadline, "{what}: {:?}", handle.gauges());
        thread::yield_now();
    }
}

/// 1 000 clients that go away at any moment: of modern ones nothing is left within 5 seconds, of others nothing once
/// their handlers have come to their end.
#[test]
fn nothing_is_left_of_clients_that_go_away() {
    let (handles, handle) = channel();
    let served = move |server: Server<Library>| {
        handles.send(server.handle()).expect("the test waits");
        server
    };
    let serves = served.clone();
    // Nobody will answer what is asked, and nobody is waited for as long as usual.
    let with_sessions = listen(move || serves(server().state_ttl(Duration::from_millis(500))));
    let sessions = handle.recv().expect("it is served");
    let without = listen(move || served(mcp_runtime::server().server_info("asks", "1")));
    let plain = handle.recv().expect("it is served");
    for (doing, address, handle) in [
        (Doing::ModernCall, without, &plain),
        (Doing::ModernListen, without, &plain),
        (Doing::HandshakeCall, without, &plain),
        (Doing::HandshakeAsk, with_sessions, &sessions),
    ] {
        let session = matches!(doing, Doing::HandshakeAsk).then(|| Client::handshake(address, echo));
        let session = session.as_ref().and_then(Client::session);
        thread::scope(|scope| {
            for worker in 0..10 {
                scope.spawn(move || {
                    (0..25).for_each(|number| go_away(address, worker * 25 + number, doing, session));
                });
            }
        });
        until(handle, &format!("after {doing:?}"), |now| {
            (now.handlers, now.streams, now.listens, now.subscriptions, now.asks) == (0, 0, 0, 0, 0)
        });
    }
    let mut client = Client::modern(without, echo);
    assert_eq!(text(&client.call("stays", json!({"milliseconds": 1}))), "stayed", "others are served");
}

/// The gauges show what goes on, each for itself.
#[test]
fn gauges_show_what_goes_on() {
    let (handles, handle) = channel();
    let address = listen(move || {
        let server = server();
        handles.send(server.handle()).expect("the test waits");
        server
    });
    let handle = handle.recv().expect("it is served");
    assert_eq!(handle.gauges(), mcp::Gauges::default());
    let client = Client::handshake(address, echo);
    let session = [("Mcp-Session-Id", client.session().expect("a session"))];
    assert_eq!(handle.gauges().sessions, 1);
    let subscribe = |method: &str| {
        let params = json!({"uri": "who://asks"});
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        assert_eq!(Events::open(address, "POST", &session, &body.to_string()).status, 200);
        handle.gauges().subscriptions
    };
    assert_eq!((subscribe("resources/subscribe"), subscribe("resources/subscribe")), (1, 1));
    assert_eq!(subscribe("resources/unsubscribe"), 0);

    let ask = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "twice", "arguments": {"own": "x"}}});
    let mut asking = Events::open(address, "POST", &session, &ask.to_string());
    let question = loop {
        let event = asking.next_event().expect("it asks");
        if event.data.as_deref() != Some("") {
            break event.message();
        }
    };
    let now = handle.gauges();
    assert_eq!((now.handlers, now.asks, now.streams), (1, 1, 1), "{now:?}");
    let refused = json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -1, "message": "no"}});
    assert_eq!(Events::open(address, "POST", &session, &refused.to_string()).status, 202);
    drop(asking);
    until(&handle, "once it is answered", |now| (now.handlers, now.asks, now.streams) == (0, 0, 0));
    assert_eq!(Events::open(address, "DELETE", &session, "").status, 204);
    until(&handle, "once the session has ended", |now| now == mcp::Gauges::default());
}
