//! Sessions of handshake clients: how they are opened, whose they are, how they end, and the streams that are taken up
//! again. Ids in names are rows of the decision table.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::request::Parts;
use mcp_runtime::Sessions;
use mcp_runtime::mcp::{Principal, Refusal};
use mcp_runtime::prelude::*;
use mcp_runtime_tests::events::{Event, Events};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::bad_clients::wait_until;
use crate::{listen, server};

/// What lets a handler of `steps` go on.
static STEP: Semaphore = Semaphore::const_new(0);
static CANCELLED: AtomicUsize = AtomicUsize::new(0);

/// Tells progress, one step each time that it may.
#[mcp::tool(group = "sessions")]
async fn steps(count: u32, ctx: mcp::Context) -> &'static str {
    for step in 1..=count {
        ctx.progress(step).await;
        STEP.acquire().await.expect("it is never closed").forget();
    }
    "done"
}

/// Tells nothing until it may end.
#[mcp::tool(group = "sessions")]
async fn silent() -> &'static str {
    STEP.acquire().await.expect("it is never closed").forget();
    "done"
}

/// Closes its stream, then goes on.
#[mcp::tool(group = "sessions")]
async fn polled(ctx: mcp::Context) -> String {
    ctx.progress(1).await;
    let closes = ctx.close_stream(Duration::from_millis(20));
    ctx.progress(2).await;
    format!("closes: {closes}")
}

/// Waits until it is dropped.
#[mcp::tool(group = "sessions")]
async fn hold(ctx: mcp::Context) {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            CANCELLED.fetch_add(1, Ordering::SeqCst);
        }
    }
    let _guard = Guard;
    ctx.progress(1).await;
    std::future::pending::<()>().await;
}

/// What the call knows of its session.
#[mcp::tool(group = "sessions")]
async fn about(ctx: mcp::Context) -> String {
    let name = ctx.client_info().map(|info| info.name);
    format!("{:?} {} {}", name, ctx.revision(), ctx.session_id().is_some())
}

/// Logs at two levels.
#[mcp::tool(group = "sessions")]
async fn logs(ctx: mcp::Context) {
    ctx.log(mcp::LogLevel::Info, "mild").await;
    ctx.log(mcp::LogLevel::Alert, "severe").await;
}

fn with(sessions: Sessions) -> SocketAddr {
    listen(move || server("sessions").sessions(sessions))
}

fn open(address: SocketAddr, revision: &str, more: &[(&str, &str)]) -> Events {
    let params =
        json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    post(address, &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}), more)
}

/// Opens a session, and gives its id.
fn opened(address: SocketAddr, revision: &str, more: &[(&str, &str)]) -> String {
    let answer = open(address, revision, more);
    assert_eq!(answer.status, 200);
    answer.header("mcp-session-id").expect("the session has an id").to_owned()
}

fn post(address: SocketAddr, message: &Value, headers: &[(&str, &str)]) -> Events {
    Events::open(address, "POST", headers, &message.to_string())
}

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call(id: u32, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "t"}});
    request(id, "tools/call", params)
}

fn shown(answer: &mut Events) -> String {
    let message: Value = serde_json::from_str(&answer.text()).expect("JSON");
    message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{message}")).to_owned()
}

fn code(answer: &mut Events) -> (u16, Value, Value) {
    let message: Value = serde_json::from_str(&answer.text()).expect("JSON");
    (answer.status, message["error"]["code"].clone(), message.get("id").cloned().unwrap_or_default())
}

#[track_caller]
fn refused(mut answer: Events, status: u16, id: Value) {
    assert_eq!(code(&mut answer), (status, json!(-32600), id));
}

/// L-1, L-7, L-8, L-9, L-10, L-11, L-12.
#[test]
fn a_session_is_opened_by_initialize_and_presented_from_then_on() {
    let address = with(Sessions::default());
    let id = opened(address, "2025-06-18", &[]);
    assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
    assert_ne!(id, opened(address, "2025-06-18", &[]));

    let session = [("Mcp-Session-Id", id.as_str())];
    let about = call(1, "about", json!({}));
    assert_eq!(shown(&mut post(address, &about, &session)), "Some(\"c\") 2025-06-18 true");
    // What a session has agreed on stands, whichever revision a header names (L-15, L-16).
    let other = [("Mcp-Session-Id", id.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(shown(&mut post(address, &about, &other)), "Some(\"c\") 2025-06-18 true");

    refused(post(address, &about, &[]), 400, json!(1));
    refused(post(address, &about, &[("Mcp-Session-Id", "0123456789abcdef0123456789abcdef")]), 404, json!(1));
    refused(post(address, &about, &[("Mcp-Session-Id", "a b")]), 400, json!(1));
    refused(post(address, &about, &[("Mcp-Session-Id", "../../etc/passwd")]), 404, json!(1));
    refused(post(address, &about, &[session[0], session[0]]), 400, json!(1));
    refused(post(address, &request(2, "ping", json!({})), &[]), 400, json!(2));
    refused(open(address, "2025-06-18", &session), 400, json!(0));
    let version = [session[0], ("MCP-Protocol-Version", "1999-01-01")];
    assert_eq!(code(&mut post(address, &about, &version)), (400, json!(-32022), json!(1)));

    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(address, &note, &session).status, 202);
    assert_eq!(post(address, &note, &[]).status, 400);
    // L-41: a response that nobody waits for.
    let response = json!({"jsonrpc": "2.0", "id": 99, "result": {}});
    assert_eq!(post(address, &response, &session).status, 202);
    assert_eq!(post(address, &response, &[("Mcp-Session-Id", "x")]).status, 404);
}

/// The modern era has no sessions, and what is refused opens none.
#[test]
fn only_a_handshake_that_is_answered_opens_a_session() {
    let address = with(Sessions::default().max_sessions(1));
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let modern = request(1, "tools/call", json!({"name": "about", "_meta": meta}));
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "about"),
        ("Mcp-Session-Id", "whatever"),
    ];
    let mut answer = post(address, &modern, &headers);
    assert_eq!(answer.header("mcp-session-id"), None);
    assert!(shown(&mut answer).ends_with("2026-07-28 false"));
    // C-3, C-9: refused at the edge.
    let contradiction =
        request(1, "initialize", json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2025-06-18"}}));
    let mut answer = post(address, &contradiction, &[("MCP-Protocol-Version", "2025-11-25")]);
    assert_eq!(answer.header("mcp-session-id"), None);
    assert_eq!(code(&mut answer).1, json!(-32020));
    let incomplete = post(address, &request(1, "initialize", json!({"protocolVersion": "2025-06-18"})), &[]);
    assert_eq!(incomplete.header("mcp-session-id"), None);
    let unread = open(address, "2025-06-18", &[("Accept", "text/html")]);
    assert_eq!((unread.status, unread.header("mcp-session-id")), (406, None));
    // None of these took the one place.
    opened(address, "2025-06-18", &[]);
    let mut full = open(address, "2025-06-18", &[]);
    assert_eq!((full.status, full.header("retry-after")), (503, Some("1")));
    assert!(full.text().contains("1 sessions"), "it says how many");
}

/// L-13, L-44: somebody else's session is none.
#[test]
fn a_session_is_whose_opened_it() {
    async fn by_name(parts: Parts) -> Result<Principal, Refusal> {
        match parts.headers.get("authorization").and_then(|value| value.to_str().ok()) {
            Some(name) => Ok(Principal::new(name)),
            None => Ok(Principal::anonymous()),
        }
    }
    let address = listen(|| {
        server("sessions").authenticate(by_name).sessions(Sessions::default().max_per_principal(1))
    });
    let id = opened(address, "2025-11-25", &[("Authorization", "ali")]);
    let presented = ("Mcp-Session-Id", id.as_str());
    let about = call(1, "about", json!({}));
    for thief in [vec![presented], vec![presented, ("Authorization", "bob")]] {
        refused(post(address, &about, &thief), 404, json!(1));
        let mut thief = thief;
        thief.push(("Accept", "text/event-stream"));
        assert_eq!(Events::open(address, "GET", &thief, "").status, 404);
        assert_eq!(Events::open(address, "DELETE", &thief, "").status, 404);
    }
    let own = [presented, ("Authorization", "ali")];
    assert_eq!(post(address, &about, &own).status, 200);
    let mut second = open(address, "2025-11-25", &[("Authorization", "ali")]);
    assert_eq!(second.status, 503);
    assert!(second.text().contains("you have 1 sessions"));
    opened(address, "2025-11-25", &[("Authorization", "bob")]);
    assert_eq!(Events::open(address, "DELETE", &own, "").status, 204);
    opened(address, "2025-11-25", &[("Authorization", "ali")]);
}

/// L-36, L-37, L-38.
#[test]
fn a_session_ends_by_delete_and_takes_its_calls_with_it() {
    let address = with(Sessions::default());
    let id = opened(address, "2025-11-25", &[]);
    let session = [("Mcp-Session-Id", id.as_str())];
    let mut held = post(address, &call(1, "hold", json!({})), &session);
    assert_eq!(held.next_event().and_then(|event| event.data), Some(String::new()));
    assert_eq!(held.next_event().expect("progress").message()["params"]["progress"], 1);
    let mut listening = Events::open(address, "GET", &[session[0], ("Accept", "text/event-stream")], "");
    assert_eq!(listening.status, 200);

    let cancelled = CANCELLED.load(Ordering::SeqCst);
    assert_eq!(Events::open(address, "DELETE", &[], "").status, 400);
    assert_eq!(Events::open(address, "DELETE", &session, "").status, 204);
    assert_eq!(held.rest(), [], "nothing is answered");
    assert_eq!(listening.rest().iter().filter(|event| event.data != Some(String::new())).count(), 0);
    wait_until("the handler is dropped", || CANCELLED.load(Ordering::SeqCst) > cancelled);
    assert_eq!(Events::open(address, "DELETE", &session, "").status, 404);
    refused(post(address, &call(2, "about", json!({})), &session), 404, json!(2));
}

/// L-26: within its session, and there alone.
#[test]
fn a_call_is_cancelled_within_its_session() {
    let address = with(Sessions::default());
    let (own, other) = (opened(address, "2025-11-25", &[]), opened(address, "2025-11-25", &[]));
    let (own, other) = ([("Mcp-Session-Id", own.as_str())], [("Mcp-Session-Id", other.as_str())]);
    let mut held = post(address, &call(7, "hold", json!({})), &own);
    held.next_event().expect("an id");
    held.next_event().expect("progress");
    refused(post(address, &call(7, "about", json!({})), &own), 400, json!(7));
    assert_eq!(post(address, &call(7, "about", json!({})), &other).status, 200);

    let cancelled = CANCELLED.load(Ordering::SeqCst);
    let cancel = |id: Value| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    assert_eq!(post(address, &cancel(json!(7)), &other).status, 202);
    assert_eq!(post(address, &cancel(json!("7")), &own).status, 202);
    refused(post(address, &call(7, "about", json!({})), &own), 400, json!(7));
    assert_eq!(post(address, &cancel(json!(7)), &own).status, 202);
    assert_eq!(held.rest(), []);
    assert!(CANCELLED.load(Ordering::SeqCst) > cancelled);
    assert_eq!(post(address, &call(7, "about", json!({})), &own).status, 200, "the id is free again");
}

/// A client whose connection breaks while a handler is silent has something to come back with.
#[test]
fn a_silent_call_can_be_taken_up_again() {
    let address = with(Sessions::default());
    let id = opened(address, "2025-11-25", &[]);
    let mut stream = post(address, &call(1, "silent", json!({})), &[("Mcp-Session-Id", &id)]);
    let primed = stream.next_event().and_then(|event| event.id).expect("an event with an id");
    drop(stream);
    STEP.add_permits(1);
    let headers =
        [("Mcp-Session-Id", id.as_str()), ("Last-Event-ID", &primed), ("Accept", "text/event-stream")];
    let mut again = Events::open(address, "GET", &headers, "");
    let answer = again.next_event().expect("the answer").message();
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(1), &json!("done")));
}

/// L-30, and 3.3: levels are the session's own.
#[test]
fn the_level_of_a_session_is_its_own() {
    let address = with(Sessions::default());
    let (loud, quiet) = (opened(address, "2025-06-18", &[]), opened(address, "2025-06-18", &[]));
    let (loud, quiet) = ([("Mcp-Session-Id", loud.as_str())], [("Mcp-Session-Id", quiet.as_str())]);
    let level = |level: &str| request(1, "logging/setLevel", json!({"level": level}));
    assert_eq!(post(address, &level("alert"), &quiet).status, 200);
    let told = |session: &[(&str, &str)]| {
        let mut events = post(address, &call(2, "logs", json!({})), session);
        events.rest().iter().filter(|event| event.message()["params"]["level"].is_string()).count()
    };
    assert_eq!((told(&loud), told(&quiet)), (2, 1));
    assert_eq!(code(&mut post(address, &level("loud"), &loud)), (200, json!(-32602), json!(1)));
}

/// L-32, L-33, L-35.
#[test]
fn one_listens_to_a_session_at_a_time() {
    let address = with(Sessions::default());
    let id = opened(address, "2025-11-25", &[]);
    let (session, accept) = (("Mcp-Session-Id", id.as_str()), ("Accept", "text/event-stream"));
    let get = |headers: &[(&str, &str)]| Events::open(address, "GET", headers, "");
    assert_eq!(get(&[session, ("Accept", "application/json")]).status, 406);
    refused(get(&[accept]), 400, Value::Null);
    refused(get(&[("Mcp-Session-Id", "x"), accept]), 404, Value::Null);
    assert_eq!(code(&mut get(&[session, accept, ("MCP-Protocol-Version", "2026-07-28")])).1, json!(-32022));

    let mut first = get(&[session, accept]);
    assert_eq!((first.status, first.header("content-type")), (200, Some("text/event-stream")));
    let prime = first.next_event().expect("an id to come back with");
    assert_eq!(prime.data, Some(String::new()));
    refused(get(&[session, accept]), 409, Value::Null);
    // Whoever comes back with an event of the stream takes it over.
    let last = prime.id.expect("an id");
    let second = get(&[session, accept, ("Last-Event-ID", &last)]);
    assert_eq!(second.status, 200);
    assert_eq!(first.rest(), [], "the first has to go");
    for unknown in ["", "nonsense", &format!("{last}9"), "0.0.0", &last.replacen('.', ".1.", 1)] {
        refused(get(&[session, accept, ("Last-Event-ID", unknown)]), 400, Value::Null);
    }
    drop(second);
    // An older revision is not given an id before there is an event.
    let id = opened(address, "2025-06-18", &[]);
    assert_eq!(get(&[("Mcp-Session-Id", &id), accept]).status, 200);
}

/// L-28, L-34, L-45: a stream whose connection broke is taken up where it broke, and the call goes on meanwhile.
#[test]
fn a_broken_stream_is_taken_up_where_it_broke() {
    let address = with(Sessions::default());
    let (id, other) = (opened(address, "2025-11-25", &[]), opened(address, "2025-11-25", &[]));
    let (session, accept) = (("Mcp-Session-Id", id.as_str()), ("Accept", "text/event-stream"));
    let take_up = |session: (&str, &str), last: &Event| {
        Events::open(
            address,
            "GET",
            &[session, accept, ("Last-Event-ID", last.id.as_deref().unwrap_or_default())],
            "",
        )
    };
    let progress = |event: &Event| event.message()["params"]["progress"].clone();

    let mut stream = post(address, &call(1, "steps", json!({"count": 3})), &[session]);
    let prime = stream.next_event().expect("an id");
    assert_eq!((prime.data.as_deref(), prime.id.is_some()), (Some(""), true));
    let first = stream.next_event().expect("progress");
    assert_eq!(progress(&first), 1);
    drop(stream);

    STEP.add_permits(1);
    let mut stream = take_up(session, &prime);
    let (again, second) = (stream.next_event().expect("progress"), stream.next_event().expect("progress"));
    assert_eq!((&again, progress(&second)), (&first, json!(2)));
    // Whoever has the stream loses it to whoever comes back.
    let mut taken = take_up(session, &first);
    assert_eq!(stream.rest(), []);
    assert_eq!(taken.next_event().as_ref(), Some(&second));
    // Another session has nothing of it.
    refused(take_up(("Mcp-Session-Id", &other), &first), 400, Value::Null);

    STEP.add_permits(2);
    let rest = taken.rest();
    assert_eq!(progress(&rest[0]), 3);
    assert_eq!(rest[1].message()["result"]["content"][0]["text"], "done");
    assert_eq!(rest.len(), 2);
    // The end can be read again too.
    assert_eq!(take_up(session, &second).rest(), rest);
    assert_eq!(take_up(session, &rest[1]).rest(), []);
}

/// Priming events and `retry` are of 2025-11-25 alone.
#[test]
fn a_handler_closes_the_connection_of_clients_that_come_back() {
    let address = with(Sessions::default());
    let id = opened(address, "2025-11-25", &[]);
    let (session, accept) = (("Mcp-Session-Id", id.as_str()), ("Accept", "text/event-stream"));
    let mut stream = post(address, &call(1, "polled", json!({})), &[session]);
    let events = stream.rest();
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(events[2], Event { retry: Some(20), ..Event::default() });
    let last = events[1].id.clone().expect("an id");
    let rest = Events::open(address, "GET", &[session, accept, ("Last-Event-ID", &last)], "").rest();
    assert_eq!(rest[0].message()["params"]["progress"], 2);
    assert_eq!(rest[1].message()["result"]["content"][0]["text"], "closes: true");

    let id = opened(address, "2025-06-18", &[]);
    let mut stream = post(address, &call(1, "polled", json!({})), &[("Mcp-Session-Id", &id)]);
    let events = stream.rest();
    assert!(events.iter().all(|event| event.id.is_some() && event.data.as_deref() != Some("")), "{events:?}");
    assert_eq!(events[2].message()["result"]["content"][0]["text"], "closes: false");
}

/// What is kept of a stream is bounded; whoever comes too late is told.
#[test]
fn events_that_are_not_kept_are_told_as_that() {
    let address = with(Sessions::default().max_events(2).max_streams(1));
    let id = opened(address, "2025-11-25", &[]);
    let (session, accept) = (("Mcp-Session-Id", id.as_str()), ("Accept", "text/event-stream"));
    let run = |id: u32| {
        let mut stream = post(address, &call(id, "logs", json!({})), &[session]);
        stream.rest()
    };
    let take_up = |last: &Event| {
        let last = last.id.clone().expect("an id");
        Events::open(address, "GET", &[session, accept, ("Last-Event-ID", &last)], "")
    };
    let events = run(1);
    assert_eq!(events.len(), 4, "{events:?}");
    refused(take_up(&events[0]), 400, Value::Null);
    assert_eq!(take_up(&events[2]).rest(), events[3..]);
    run(2);
    refused(take_up(&events[2]), 400, Value::Null);
}

/// Without sessions there are neither ids nor streams.
#[test]
fn without_sessions_there_is_nothing_to_open_or_end() {
    let address = listen(|| server("sessions"));
    assert_eq!(open(address, "2025-11-25", &[]).header("mcp-session-id"), None);
    for method in ["GET", "DELETE"] {
        let answer = Events::open(address, method, &[("Accept", "text/event-stream")], "");
        assert_eq!((answer.status, answer.header("allow")), (405, Some("POST, OPTIONS")));
    }
    let address = with(Sessions::default());
    let answer = Events::open(address, "PUT", &[], "");
    assert_eq!((answer.status, answer.header("allow")), (405, Some("POST, GET, DELETE, OPTIONS")));
}
