//! What is left behind: of requests that are refused nothing, of sessions that are given up nothing once they are over.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::{Request, StatusCode};
use mcp_runtime::Sessions;
use serde_json::json;
use tower_service::Service as _;

use crate::{ALLOCATOR, turn};

/// How many bytes are allocated and not freed.
pub fn live() -> usize {
    // What a reallocation adds is counted as allocated, and what it takes away as freed.
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

fn router(sessions: Sessions) -> Router {
    mcp_runtime::server().sessions(sessions).into_router().expect("it is in order")
}

async fn post(router: &Router, headers: &[(&str, &str)], body: &str) -> StatusCode {
    let mut request = Request::builder().method("POST").uri("/mcp").header("Host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body.to_owned())).expect("a request");
    let response = router.clone().call(request).await.expect("a router does not fail");
    let status = response.status();
    axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("the body can be read");
    status
}

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn initialize(meta: serde_json::Value) -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string()
}

/// One of each kind of refusal.
async fn refusals(router: &Router) {
    let version = |version: &'static str| ("MCP-Protocol-Version", version);
    let session = |id: &'static str| ("Mcp-Session-Id", id);
    let claims = |version: &str| initialize(json!({"io.modelcontextprotocol/protocolVersion": version}));
    let open = initialize(json!({}));
    for (headers, body, status) in [
        (vec![], open.clone(), 415),
        (vec![JSON, ("Origin", "http://evil.example")], open.clone(), 403),
        (vec![JSON, ("Accept", "text/html")], open.clone(), 406),
        (vec![JSON], "{".to_owned(), 400),
        (vec![JSON], "[]".to_owned(), 400),
        (vec![JSON], format!("[{open}]"), 400),
        (vec![JSON, version("2026-07-28")], open.clone(), 400),
        (vec![JSON, version("2025-11-25")], claims("2025-06-18"), 400),
        (vec![JSON, version("2025-11-25")], claims("2026-07-28"), 400),
        (vec![JSON], claims("2030-01-01"), 400),
        (vec![JSON, version("1999-01-01")], open.clone(), 400),
        (vec![JSON, session("0123456789abcdef0123456789abcdef")], open.clone(), 400),
        (
            vec![JSON, session("unknown")],
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string(),
            404,
        ),
        (vec![JSON], json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string(), 400),
    ] {
        assert_eq!(post(router, &headers, &body).await.as_u16(), status, "{headers:?} {body}");
    }
}

/// Edge refusals touch nothing: 10 000 of them leave not even 4 KiB.
#[test]
fn refusals_leave_nothing_behind() {
    let _turn = turn();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let router = router(Sessions::default().max_sessions(1));
        for _ in 0..72 {
            refusals(&router).await;
        }
        let before = live();
        for _ in 0..715 {
            refusals(&router).await;
        }
        let after = live();
        assert!(after.abs_diff(before) <= 4096, "{before} bytes before, {after} after");
        // Nor did any of them take the one session.
        assert_eq!(post(&router, &[JSON], &initialize(json!({}))).await, StatusCode::OK);
        assert_eq!(post(&router, &[JSON], &initialize(json!({}))).await, StatusCode::SERVICE_UNAVAILABLE);
    });
}

/// 10 000 sessions that nobody ends are gone once they are over, and so is what they held.
#[test]
fn sessions_that_are_given_up_leave_nothing_behind() {
    let _turn = turn();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let idle = Duration::from_secs(60);
        let router = router(Sessions::default().max_sessions(10_000).idle_timeout(idle));
        let open = async || post(&router, &[JSON], &initialize(json!({}))).await;
        assert_eq!(open().await, StatusCode::OK);
        tokio::time::sleep(idle * 2).await;
        let before = live();
        for _ in 0..10_000 {
            assert_eq!(open().await, StatusCode::OK);
        }
        assert_eq!(open().await, StatusCode::SERVICE_UNAVAILABLE);
        let full = live();
        tokio::time::sleep(idle * 2).await;
        let after = live();
        eprintln!("10 000 sessions: {before} bytes before, {full} while they are open, {after} after");
        assert!(after <= before + before / 10, "{before} bytes before, {after} after");
        assert_eq!(open().await, StatusCode::OK, "there is room again");
    });
}
