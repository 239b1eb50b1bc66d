//! Answers that take their time: who is gone meanwhile, what keeps a stream alive, and progress that comes too late.

use std::future::poll_fn;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody as _};
use mcp_runtime::Sessions;
use mcp_runtime::prelude::*;
use serde_json::json;
use tokio::sync::Semaphore;
use tower_service::Service as _;

use crate::client::{
    HANDSHAKE, MODERN, asked, connect, headers, initialize, listen, post, request, server, text,
};

/// What handlers did, in order.
static DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// What lets a handler of `slow` go on.
static GO_ON: Semaphore = Semaphore::const_new(0);

fn done(what: String) {
    DONE.lock().unwrap_or_else(PoisonError::into_inner).push(what);
}

fn has_done(what: &str) -> bool {
    DONE.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|done| done == what)
}

#[track_caller]
fn wait_until(what: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !has_done(what) {
        assert!(Instant::now() < deadline, "not seen: {what}");
        std::thread::yield_now();
    }
}

struct Guard(String);

impl Drop for Guard {
    fn drop(&mut self) {
        done(format!("{} is dropped", self.0));
    }
}

/// Goes on when it may.
#[mcp::tool(group = "streams")]
async fn slow(name: String, tells: bool, ctx: mcp::Context) -> &'static str {
    let guard = Guard(name);
    if tells {
        ctx.progress(1).await;
    }
    done(format!("{} has begun", guard.0));
    GO_ON.acquire().await.expect("it is never closed").forget();
    ctx.progress(2).await;
    done(format!("{} has finished", guard.0));
    "done"
}

/// Sends a call of `slow`, but for the last bytes.
fn begin(address: SocketAddr, revision: &str, name: &str, tells: bool, but: usize) -> TcpStream {
    let message = request(
        revision,
        1,
        "tools/call",
        json!({"name": "slow", "arguments": {"name": name, "tells": tells}, "_meta": {"progressToken": 1}}),
    );
    let body = message.to_string();
    let mut head = format!("POST /mcp HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers(&message, &[]) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut socket = TcpStream::connect(address).expect("the server listens");
    socket
        .write_all(format!("{head}\r\n{}", &body[..body.len() - but]).as_bytes())
        .expect("it can be written");
    socket
}

/// rust-sdk#857, go-sdk#1093: a handler goes on for minutes for nobody, or an answer to nobody ends the server.
#[test]
fn fc_27_a_client_that_goes_away_cancels_in_the_modern_era_alone() {
    let address = listen(|| server("streams"));
    drop(begin(address, MODERN, "half a body", false, 1));
    let calls = [(HANDSHAKE, false), (HANDSHAKE, true), (MODERN, false), (MODERN, true)];
    let name = |(revision, tells): (&str, bool)| format!("{revision} {tells}");
    for call in calls {
        let socket = begin(address, call.0, &name(call), call.1, 0);
        wait_until(&format!("{} has begun", name(call)));
        drop(socket);
    }
    for call in [(MODERN, false), (MODERN, true)] {
        wait_until(&format!("{} is dropped", name(call)));
        assert!(!has_done(&format!("{} has finished", name(call))));
    }
    GO_ON.add_permits(2);
    for call in [(HANDSHAKE, false), (HANDSHAKE, true)] {
        wait_until(&format!("{} has finished", name(call)));
    }
    assert!(!has_done("half a body has begun"));
    assert_eq!(
        post(address, &request(MODERN, 1, "tools/list", json!({})), &[]).status,
        200,
        "others are served"
    );
}

/// Takes 90 seconds, and says nothing meanwhile.
#[mcp::tool(group = "silent")]
async fn silent() -> &'static str {
    tokio::time::sleep(Duration::from_secs(90)).await;
    "done"
}

/// The same, having said something.
#[mcp::tool(group = "silent")]
async fn nearly_silent(ctx: mcp::Context) -> &'static str {
    ctx.progress(1).await;
    tokio::time::sleep(Duration::from_secs(90)).await;
    "done"
}

/// How long the longest silence of an answer is within a time, and everything that it says.
async fn longest_silence(answer: &mut axum::response::Response, within: Duration) -> (Duration, String) {
    let (start, mut last) = (tokio::time::Instant::now(), tokio::time::Instant::now());
    let (mut longest, mut said) = (Duration::ZERO, Vec::new());
    let body = answer.body_mut();
    while start.elapsed() < within {
        let frame = poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx));
        let Ok(Some(Ok(frame))) = tokio::time::timeout(within, frame).await else { break };
        longest = longest.max(last.elapsed());
        last = tokio::time::Instant::now();
        said.extend_from_slice(&frame.into_data().unwrap_or_default());
    }
    (longest, String::from_utf8(said).expect("events are text"))
}

/// typescript-sdk#1211, agentdeals#1100: proxies cut what is silent for long, and keep back what has no first byte.
#[tokio::test(start_paused = true)]
async fn fc_28_no_stream_is_silent_for_long() {
    let most = Duration::from_secs(15);
    let router = server("silent").sessions(Sessions::default()).into_router().expect("it is in order");
    let ask = async |method: &str, message: &Value, more: &[(&str, &str)]| {
        let mut request = http::Request::builder().method(method).uri("/mcp");
        for (name, value) in headers(message, more) {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(message.to_string())).expect("a request");
        let start = tokio::time::Instant::now();
        let answer = router.clone().call(request).await.expect("a router does not fail");
        assert!(start.elapsed() <= most, "{method} {message}: headers after {:?}", start.elapsed());
        assert_eq!(answer.headers()["x-accel-buffering"], "no");
        assert_eq!(answer.headers()["cache-control"], "no-store, no-transform");
        assert!(!answer.headers().contains_key("content-encoding"));
        answer
    };
    for revision in ["2025-06-18", HANDSHAKE, MODERN] {
        let mut session = None;
        if revision != MODERN {
            let mut request = http::Request::builder().method("POST").uri("/mcp");
            for (name, value) in headers(&initialize(revision), &[]) {
                request = request.header(name, value);
            }
            let request = request.body(Body::from(initialize(revision).to_string())).expect("a request");
            let answer = router.clone().call(request).await.expect("a router does not fail");
            session = Some(answer.headers()["mcp-session-id"].to_str().expect("text").to_owned());
        }
        let session: Vec<_> = session.iter().map(|id| ("Mcp-Session-Id", id.as_str())).collect();
        for tool in ["silent", "nearly_silent"] {
            let message =
                request(revision, 1, "tools/call", json!({"name": tool, "_meta": {"progressToken": 1}}));
            let mut answer = ask("POST", &message, &session).await;
            let (longest, said) = longest_silence(&mut answer, Duration::from_secs(200)).await;
            assert!(longest <= most, "{revision} {tool}: {longest:?}");
            assert!(
                said.contains("\"done\"") && said.matches("\n:").count() >= 3,
                "{revision} {tool}: {said}"
            );
        }
        if revision != MODERN {
            let listen = [session.as_slice(), &[("Accept", "text/event-stream")]].concat();
            let mut answer = ask("GET", &Value::Null, &listen).await;
            let (first, said) = longest_silence(&mut answer, Duration::from_millis(1)).await;
            assert!(first.is_zero() && !said.is_empty(), "{revision}: the first byte comes after {first:?}");
            let (longest, _) = longest_silence(&mut answer, Duration::from_secs(600)).await;
            assert!(longest <= most, "{revision}: {longest:?}");
        }
    }
}

/// What lets `late` tell more once it is over.
static TELL_LATE: Semaphore = Semaphore::const_new(0);

/// Tells less than before, and goes on telling when it is over.
#[mcp::tool(group = "late")]
async fn late(ctx: mcp::Context) -> &'static str {
    for step in [1.0, 3.0, 2.0, 3.0, f64::NAN, 4.0] {
        ctx.progress(step).await;
    }
    let kept = ctx.clone();
    tokio::spawn(async move {
        TELL_LATE.acquire().await.expect("it is never closed").forget();
        kept.progress(5).await;
        kept.log(mcp::LogLevel::Emergency, "late").await;
        done("told late".to_owned());
    });
    "done"
}

/// rust-sdk#990, #1005, go-sdk#846: progress that is told in JSON, after the result, backwards, or to nobody.
#[test]
fn fc_64_progress_increases_and_ends_with_the_result() {
    let told = |messages: &[Value]| -> Vec<Value> {
        messages.iter().filter_map(|message| message["params"].get("progress").cloned()).collect()
    };
    let address = listen(|| server("late"));
    for revision in [HANDSHAKE, MODERN] {
        let call = request(revision, 1, "tools/call", json!({"name": "late", "_meta": {"progressToken": 1}}));
        let messages = post(address, &call, &[]).messages();
        assert_eq!(told(&messages), [json!(1), json!(3), json!(4)], "{revision}");
        let whole = post(address, &call, &[("Accept", "application/json")]);
        assert_eq!(
            (whole.status, whole.header("content-type")),
            (200, Some("application/json")),
            "{revision}"
        );
        assert_eq!(text(&whole.message()), "done", "{revision}");
        let silent = post(address, &request(revision, 1, "tools/call", json!({"name": "late"})), &[]);
        assert!(told(&silent.messages()).is_empty(), "{revision}");
    }
    assert_eq!(text(&asked("late", MODERN, "tools/call", json!({"name": "late"}))), "done");

    let mut lines = connect("late");
    let call = request(MODERN, 1, "tools/call", json!({"name": "late", "_meta": {"progressToken": 1}}));
    lines.send(&call.to_string());
    let messages: Vec<_> = (0..4).map(|_| lines.message().expect("a message")).collect();
    assert_eq!((told(&messages), messages[3]["id"].clone()), (vec![json!(1), json!(3), json!(4)], json!(1)));
    TELL_LATE.add_permits(100);
    wait_until("told late");
    lines.send(&request(MODERN, 2, "tools/list", json!({})).to_string());
    lines.end();
    let rest = lines.rest();
    assert!(rest.len() == 1 && rest[0]["id"] == 2, "nothing comes after the result: {rest:?}");
}
