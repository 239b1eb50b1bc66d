//! Middleware that panics, waits for ever, or does what it should not: it ends its own call, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::mcp;
use serde_json::{Value, json};

use crate::seen::Seen;
use crate::server;
use crate::wires::{Kind, Wire};

fn is_masked(answer: &Value) -> bool {
    answer["error"]["code"] == -32603
        && answer["error"]["message"].as_str().is_some_and(|text| text.starts_with("Internal error "))
}

#[test]
fn a_panic_ends_its_own_call() {
    for kind in Kind::ALL {
        let panics = |call: mcp::Call, next: mcp::Next| async move {
            assert!(call.params()["name"] != "echo", "the middleware");
            next.run(call).await
        };
        let mut wire = Wire::new(kind, move || server().receive_middleware(panics));
        assert!(is_masked(&wire.call("echo", json!({"text": "a"}))), "{kind:?}");
        assert!(wire.call("whose", json!({}))["result"].is_object(), "{kind:?}");

        let panics = |mut call: mcp::Call, next: mcp::Next| async move {
            let said = call.reply().members().and_then(|result| result.get("content")?.as_array().cloned());
            assert!(said.is_none_or(|said| said[0]["text"] != "a"), "the middleware");
            next.run(call).await
        };
        let mut wire = Wire::new(kind, move || server().send_middleware(panics));
        assert!(is_masked(&wire.call("echo", json!({"text": "a"}))), "{kind:?}");
        assert!(wire.call("whose", json!({}))["result"].is_object(), "{kind:?}");
    }
}

/// A server handles a call once, however often it is run.
#[test]
fn a_call_is_handled_once() {
    let twice = |call: mcp::Call, next: mcp::Next| async move {
        let first = next.clone().run(call.clone()).await;
        let second = next.run(call).await;
        assert!(first.error_code().is_none());
        second
    };
    for kind in Kind::ALL.into_iter().filter(|kind| kind.is_modern()) {
        let mut wire = Wire::new(kind, move || server().receive_middleware(twice));
        assert!(is_masked(&wire.call("echo", json!({"text": "a"}))), "{kind:?}");
    }
}

/// What stands around a handler sees that its time was up.
#[test]
fn it_sees_that_the_time_of_a_handler_was_up() {
    for kind in Kind::ALL {
        let seen = Seen::default();
        let around = seen.around("outer");
        let mut wire = Wire::new(kind, || {
            server().handler_timeout(Duration::from_millis(50)).receive_middleware(around)
        });
        seen.take();
        let answer = wire.call("stays", json!({}));
        assert!(
            answer["error"]["message"].as_str().is_some_and(|text| text.contains("took longer")),
            "{answer}"
        );
        assert_eq!(
            seen.wait(2),
            ["outer > Request tools/call", "outer < Request tools/call -32603"],
            "{kind:?}"
        );
    }
}

/// Counts what is alive.
struct Alive(Arc<AtomicUsize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What waits in a middleware is dropped with its call.
#[test]
fn it_is_dropped_with_its_call() {
    for waits_behind in [true, false] {
        let alive = Arc::new(AtomicUsize::new(0));
        let seen = Seen::default();
        let (own, noted) = (Arc::clone(&alive), seen.clone());
        let holds = move |call: mcp::Call, next: mcp::Next| {
            let (own, noted) = (Arc::clone(&own), noted.clone());
            async move {
                if call.method() != "tools/call" {
                    return next.run(call).await;
                }
                own.fetch_add(1, Ordering::SeqCst);
                let _alive = Alive(own);
                noted.note("holds");
                if waits_behind {
                    return next.run(call).await;
                }
                std::future::pending().await
            }
        };
        for kind in [Kind::ModernLines, Kind::HandshakeLines] {
            let holds = holds.clone();
            let mut wire = Wire::new(kind, move || server().receive_middleware(holds));
            let id = wire.begin("tools/call", json!({"name": "stays", "arguments": {}}));
            seen.wait(1);
            wire.notify("notifications/cancelled", json!({"requestId": id}));
            // What is answered after it was taken after it.
            while alive.load(Ordering::SeqCst) > 0 {
                wire.request("tools/list", json!({}));
            }
        }
        let holds = holds.clone();
        let mut wire = Wire::new(Kind::ModernHttp, move || server().receive_middleware(holds));
        let params = json!({"name": "reports", "arguments": {}, "_meta": {"progressToken": 1}});
        if waits_behind {
            drop(wire.post_request("tools/call", params));
            while alive.load(Ordering::SeqCst) > 0 {
                wire.request("tools/list", json!({}));
            }
        }
    }
}
