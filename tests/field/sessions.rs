//! Sessions of handshake clients: how one is found, what leaves none behind, and whose streams are whose.

use std::net::SocketAddr;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use mcp_runtime::Sessions;
use mcp_runtime::mcp::{Principal, Refusal};
use mcp_runtime::prelude::*;
use mcp_runtime_tests::events::Events;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

use crate::client::{HANDSHAKE, MODERN, ask, bare, headers, initialize, listen, modern, post, server};

/// Tells how far it has come.
#[mcp::tool(group = "sessions")]
async fn tells(ctx: mcp::Context) -> &'static str {
    ctx.progress(1).await;
    "done"
}

/// Tells that it has begun, and does not end.
#[mcp::tool(group = "sessions")]
async fn forever(ctx: mcp::Context) {
    ctx.progress(1).await;
    std::future::pending::<()>().await;
}

fn with_sessions() -> SocketAddr {
    listen(|| server("sessions").sessions(Sessions::default()))
}

/// Opens a session, and gives its id.
fn opened(address: SocketAddr, revision: &str, more: &[(&str, &str)]) -> String {
    let answer = post(address, &initialize(revision), more);
    answer.header("mcp-session-id").unwrap_or_else(|| panic!("no session: {}", answer.text())).to_owned()
}

fn get(address: SocketAddr, more: &[(&str, &str)]) -> Events {
    let accept = [("Accept", "text/event-stream")];
    Events::open(address, "GET", &[&accept, more].concat(), "")
}

/// A call of a tool that tells progress, in a session.
fn telling(address: SocketAddr, tool: &str, session: (&str, &str)) -> Events {
    let message = bare(1, "tools/call", json!({"name": tool, "_meta": {"progressToken": 1}}));
    Events::open(address, "POST", &[session], &message.to_string())
}

/// python-sdk#1004, php-sdk#384: clients open a new session after 404, and never after 400.
#[test]
fn fc_19_a_session_that_is_not_there_is_404() {
    let address = with_sessions();
    let id = opened(address, HANDSHAKE, &[]);
    let list = bare(1, "tools/list", json!({}));
    let status = |more: &[(&str, &str)]| post(address, &list, more).status;
    assert_eq!(status(&[("Mcp-Session-Id", &id)]), 200);
    assert_eq!(ask(address, "DELETE", "/mcp", &[("Mcp-Session-Id", &id)]).status, 204);
    let long = "a".repeat(10_000);
    for unknown in [id.as_str(), "0123456789abcdef0123456789abcdef", "../x", &long, "%00", "Ω"] {
        assert!(matches!(status(&[("Mcp-Session-Id", unknown)]), 404 | 400), "{unknown}");
    }
    for unknown in [id.as_str(), "0123456789abcdef0123456789abcdef", "../x", &long] {
        assert_eq!(status(&[("Mcp-Session-Id", unknown)]), 404, "{unknown}");
    }
    assert_eq!(status(&[]), 400);
    assert_eq!(status(&[("Mcp-Session-Id", "")]), 400);
    assert_eq!(status(&[("Mcp-Session-Id", &id), ("Mcp-Session-Id", &id)]), 400);
    assert_eq!(post(address, &modern(1, "tools/list", json!({})), &[("Mcp-Session-Id", &id)]).status, 200);
}

/// fastmcp#482, mcp-use#153: the session of another replica, or of the process before. Without what they share it is
/// not there, and the client opens another.
#[test]
fn fc_67_a_session_of_another_replica_is_not_there() {
    let (one, other) = (with_sessions(), with_sessions());
    let id = opened(one, HANDSHAKE, &[]);
    let session = [("Mcp-Session-Id", id.as_str())];
    let list = bare(1, "tools/list", json!({}));
    assert_eq!(post(one, &list, &session).status, 200);
    assert_eq!(post(other, &list, &session).status, 404);
    assert_eq!(get(other, &session).status, 404);
    assert_eq!(ask(other, "DELETE", "/mcp", &session).status, 404);
    assert_eq!(post(one, &list, &session).status, 200, "nothing happened to it");
    // Modern clients are served by any of them.
    for address in [one, other] {
        assert_eq!(post(address, &modern(1, "tools/list", json!({})), &[]).status, 200);
    }
}

async fn through(
    router: &Router,
    method: &str,
    message: &Value,
    more: &[(&str, &str)],
) -> axum::response::Response {
    let mut request = http::Request::builder().method(method).uri("/mcp");
    for (name, value) in headers(message, more) {
        request = request.header(name, value);
    }
    let request = request.body(Body::from(message.to_string())).expect("a request");
    router.clone().call(request).await.expect("a router does not fail")
}

/// go-sdk#1136, python-sdk#3228, CVE-2026-63128: what opens no session takes the place of one.
#[tokio::test]
async fn fc_44_what_is_refused_leaves_no_session() {
    let sessions = Sessions::default().max_sessions(1);
    let router = server("sessions").sessions(sessions).into_router().expect("it is in order");
    let mut contradiction = initialize(HANDSHAKE);
    contradiction["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2025-06-18"});
    let mut incomplete = initialize(HANDSHAKE);
    incomplete["params"] = json!({});
    for _ in 0..500 {
        for (message, more) in [
            (&bare(1, "tools/list", json!({})), [].as_slice()),
            (&contradiction, &[("MCP-Protocol-Version", HANDSHAKE)]),
            (&incomplete, &[]),
            (&initialize(HANDSHAKE), &[("Accept", "text/html")]),
            (&initialize(HANDSHAKE), &[("Content-Type", "text/plain")]),
            (&initialize(HANDSHAKE), &[("Mcp-Session-Id", "x")]),
        ] {
            let answer = through(&router, "POST", message, more).await;
            assert_eq!(answer.headers().get("mcp-session-id"), None, "{message} {more:?}");
        }
        assert_ne!(through(&router, "GET", &Value::Null, &[]).await.status(), 200);
        // One that is opened and ended gives its place back.
        let answer = through(&router, "POST", &initialize(HANDSHAKE), &[]).await;
        let id = answer
            .headers()
            .get("mcp-session-id")
            .expect("there is a place")
            .to_str()
            .expect("text")
            .to_owned();
        assert_eq!(through(&router, "DELETE", &Value::Null, &[("Mcp-Session-Id", &id)]).await.status(), 204);
    }
}

/// go-sdk#1136: clients ask which eras there are before they open a session.
#[tokio::test]
async fn fc_43_asking_for_the_era_opens_no_session() {
    let sessions = Sessions::default().max_sessions(1);
    let router = server("sessions").sessions(sessions).into_router().expect("it is in order");
    for _ in 0..2000 {
        let answer = through(&router, "POST", &modern(1, "server/discover", json!({})), &[]).await;
        assert_eq!((answer.status().as_u16(), answer.headers().get("mcp-session-id")), (200, None));
        let answer = through(&router, "POST", &bare(1, "server/discover", json!({})), &[]).await;
        assert_eq!((answer.status().as_u16(), answer.headers().get("mcp-session-id")), (400, None));
    }
    assert!(
        through(&router, "POST", &initialize(HANDSHAKE), &[]).await.headers().contains_key("mcp-session-id")
    );
}

/// mcp-arr#24: an open stream holds what everybody needs.
#[test]
fn fc_38_an_open_stream_keeps_nobody_waiting() {
    let address = with_sessions();
    let id = opened(address, HANDSHAKE, &[]);
    let session = ("Mcp-Session-Id", id.as_str());
    let open = get(address, &[session]);
    assert_eq!(open.status, 200);
    let other = opened(address, HANDSHAKE, &[]);
    for id in [id.as_str(), &other] {
        assert_eq!(post(address, &bare(1, "tools/list", json!({})), &[("Mcp-Session-Id", id)]).status, 200);
    }
    assert_eq!(telling(address, "tells", session).rest().len(), 3);
    assert_eq!(ask(address, "DELETE", "/mcp", &[("Mcp-Session-Id", &other)]).status, 204);
}

/// rust-sdk#659, CVE-2026-33946: a second stream takes the first one's place, or somebody else's.
#[test]
fn fc_39_a_stream_is_not_taken_by_a_second_one() {
    async fn by_name(parts: http::request::Parts) -> Result<Principal, Refusal> {
        let name = parts.headers.get("x-name").and_then(|value| value.to_str().ok());
        Ok(name.map_or_else(Principal::anonymous, Principal::new))
    }
    let address = listen(|| server("sessions").authenticate(by_name).sessions(Sessions::default()));
    let (ali, bob) = (("X-Name", "ali"), ("X-Name", "bob"));
    let id = opened(address, HANDSHAKE, &[ali]);
    let session = ("Mcp-Session-Id", id.as_str());
    let mut first = get(address, &[session, ali]);
    let prime = first.next_event().and_then(|event| event.id).expect("an id");
    assert_eq!(get(address, &[session, ali]).status, 409);
    assert_eq!(get(address, &[session, bob]).status, 404);
    assert_eq!(get(address, &[session, bob, ("Last-Event-ID", &prime)]).status, 404);

    // A stream that is over is read again, and the one that is open stays.
    let message = bare(1, "tools/call", json!({"name": "tells", "_meta": {"progressToken": 1}}));
    let events = Events::open(address, "POST", &[session, ali], &message.to_string()).rest();
    let last = events.last().and_then(|event| event.id.clone()).expect("an id");
    let mut again = get(address, &[session, ali, ("Last-Event-ID", &last)]);
    assert_eq!((again.status, again.rest()), (200, vec![]));
    assert_eq!(get(address, &[session, ali]).status, 409, "the first is still read");
    assert_eq!(ask(address, "DELETE", "/mcp", &[session, ali]).status, 204);
    assert_eq!(first.rest(), [], "it ends with its session");
}

/// FC-25, as far as there is something of it: without a token nobody posts, listens, or ends anything.
#[test]
fn every_method_asks_for_a_token() {
    let refuse = |_: http::request::Parts| async { Err(Refusal::unauthorized("Bearer realm=\"field\"")) };
    let address = listen(move || server("sessions").authenticate(refuse).sessions(Sessions::default()));
    let posted = post(address, &bare(1, "tools/list", json!({})), &[]);
    let session = [("Mcp-Session-Id", "x"), ("Accept", "text/event-stream")];
    for answer in [posted, ask(address, "GET", "/mcp", &session), ask(address, "DELETE", "/mcp", &session)] {
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer realm=\"field\"")));
    }
}

/// typescript-sdk#1184, #1233, go-sdk d0922ab: an event without data, which older clients read as a message.
#[test]
fn fc_41_only_clients_that_know_of_it_get_an_event_without_data() {
    let address = with_sessions();
    for (revision, primed) in
        [("2024-11-05", false), ("2025-03-26", false), ("2025-06-18", false), (HANDSHAKE, true)]
    {
        let id = opened(address, revision, &[]);
        let session = ("Mcp-Session-Id", id.as_str());
        let first = telling(address, "tells", session).next_event().expect("an event");
        assert_eq!(
            (first.data.as_deref() == Some(""), first.id.is_some()),
            (primed, true),
            "{revision}: {first:?}"
        );
    }
    let message = modern(1, "tools/call", json!({"name": "tells", "_meta": {"progressToken": 1}}));
    let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "tells")];
    for event in Events::open(address, "POST", &headers, &message.to_string()).rest() {
        assert!(
            event.id.is_none() && event.retry.is_none() && event.data.as_deref() != Some(""),
            "{event:?}"
        );
    }
}

/// go-sdk#1160, rust-sdk#494: a server that is told to stop waits for streams that nobody ends.
#[test]
fn fc_65_open_streams_do_not_keep_a_server_from_ending() {
    let (ready, address) = channel();
    let (stopped, end) = channel();
    let token = CancellationToken::new();
    let stop = token.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            ready.send(listener.local_addr().expect("an address")).expect("the test waits");
            let server = server("sessions").sessions(Sessions::default()).stop_on(token);
            server.http_on(listener).await.expect("it serves");
        });
        stopped.send(()).expect("the test waits");
    });
    let address = address.recv().expect("the server listens");
    let mut streams: Vec<Events> = (0..2)
        .map(|_| {
            let id = opened(address, HANDSHAKE, &[]);
            get(address, &[("Mcp-Session-Id", &id)])
        })
        .collect();
    for stream in &mut streams {
        assert_eq!(stream.next_event().and_then(|event| event.data), Some(String::new()));
    }
    let start = Instant::now();
    stop.cancel();
    for stream in &mut streams {
        assert_eq!(stream.rest(), [], "it ends, and is not cut off");
    }
    end.recv_timeout(Duration::from_secs(20)).expect("it ends");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
