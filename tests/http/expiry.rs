//! How long sessions last, on a clock of the test's own.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{Request, Response};
use mcp_runtime::Sessions;
use serde_json::json;
use tower_service::Service as _;

use crate::server;

const IDLE: Duration = Duration::from_secs(60);

fn router(sessions: Sessions) -> Router {
    let sessions = sessions.idle_timeout(IDLE);
    server("sessions").sessions(sessions).into_router().expect("it is in order")
}

async fn ask(router: &Router, method: &str, session: Option<&str>, message: &str) -> Response<Body> {
    let mut request = Request::builder().method(method).uri("/mcp").header("Host", "localhost");
    request = request.header("Content-Type", "application/json");
    if let Some(session) = session {
        request = request.header("Mcp-Session-Id", session);
    }
    let request = request.body(Body::from(message.to_owned())).expect("a request");
    router.clone().call(request).await.expect("a router does not fail")
}

async fn open(router: &Router) -> Response<Body> {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    ask(router, "POST", None, &message.to_string()).await
}

async fn opened(router: &Router) -> String {
    let answer = open(router).await;
    let id = answer.headers().get("mcp-session-id").expect("the session has an id");
    id.to_str().expect("it is text").to_owned()
}

async fn ping(router: &Router, session: &str) -> u16 {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    ask(router, "POST", Some(session), message).await.status().as_u16()
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_not_used_ends() {
    let router = router(Sessions::default());
    let session = opened(&router).await;
    for _ in 0..3 {
        tokio::time::advance(IDLE - Duration::from_secs(1)).await;
        assert_eq!(ping(&router, &session).await, 200, "each use begins anew");
    }
    tokio::time::advance(IDLE + Duration::from_secs(1)).await;
    assert_eq!(ping(&router, &session).await, 404);
}

/// One that was only opened is not kept for as long as one that is used.
#[tokio::test(start_paused = true)]
async fn a_session_that_is_never_used_ends_soon() {
    let router = server("sessions").sessions(Sessions::default()).into_router().expect("it is in order");
    let (unused, used) = (opened(&router).await, opened(&router).await);
    assert_eq!(ping(&router, &used).await, 200);
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(ping(&router, &unused).await, 404);
    assert_eq!(ping(&router, &used).await, 200);
}

#[tokio::test(start_paused = true)]
async fn an_open_stream_is_a_use() {
    let router = router(Sessions::default());
    let session = opened(&router).await;
    let stream = ask(&router, "GET", Some(&session), "").await;
    assert_eq!(stream.status(), 200);
    tokio::time::advance(IDLE * 10).await;
    assert_eq!(ping(&router, &session).await, 200);
    tokio::time::advance(IDLE * 10).await;
    drop(stream);
    tokio::time::advance(IDLE - Duration::from_secs(1)).await;
    assert_eq!(ping(&router, &session).await, 200, "it was in use until the stream ended");
    tokio::time::advance(IDLE + Duration::from_secs(1)).await;
    assert_eq!(ping(&router, &session).await, 404);
}

/// A call goes on although its client is gone, and the session with it.
#[tokio::test(start_paused = true)]
async fn a_call_in_flight_is_a_use() {
    let router = router(Sessions::default());
    let session = opened(&router).await;
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "hold", "_meta": {"progressToken": 1}}});
    drop(ask(&router, "POST", Some(&session), &message.to_string()).await);
    tokio::time::advance(IDLE * 10).await;
    assert_eq!(ping(&router, &session).await, 200);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert_eq!(ask(&router, "POST", Some(&session), cancel).await.status(), 202);
    tokio::task::yield_now().await;
    tokio::time::advance(IDLE + Duration::from_secs(1)).await;
    assert_eq!(ping(&router, &session).await, 404);
}

/// What is over makes room, although nobody asks for it again.
#[tokio::test(start_paused = true)]
async fn sessions_that_are_over_make_room() {
    let router = router(Sessions::default().max_sessions(2));
    opened(&router).await;
    opened(&router).await;
    assert_eq!(open(&router).await.status(), 503);
    tokio::time::sleep(IDLE * 2).await;
    opened(&router).await;
    opened(&router).await;
    assert_eq!(open(&router).await.status(), 503);
}
