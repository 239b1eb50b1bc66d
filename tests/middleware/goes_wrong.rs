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

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "the attached value");
    }
}

/// What panics when it is dropped with its call ends neither the answer nor the connection.
#[test]
fn an_attached_value_that_panics_ends_nothing() {
    for kind in Kind::ALL {
        let mut wire = Wire::new(kind, || {
            server().receive_middleware(|mut call: mcp::Call, next: mcp::Next| {
                call.insert(Bomb);
                next.run(call)
            })
        });
        for _ in 0..2 {
            let answer = wire.call("echo", json!({"text": "a"}));
            assert_eq!(answer["result"]["content"][0]["text"], "a", "{kind:?}: {answer}");
            assert!(wire.call("reports", json!({}))["result"].is_object(), "{kind:?}");
        }
    }
}

/// Whoever asks does not wait for a question, or an answer, that a stack has lost.
#[test]
fn what_a_stack_loses_fails_the_ask() {
    fn drops(kind: mcp::middleware::Kind) -> impl mcp::Middleware {
        move |call: mcp::Call, next: mcp::Next| async move {
            let is_asked = call.method() == "elicitation/create" && call.kind() == kind;
            if is_asked { mcp::Reply::none() } else { next.run(call).await }
        }
    }
    let panics = |call: mcp::Call, next: mcp::Next| async move {
        assert!(call.method() != "elicitation/create", "the middleware");
        next.run(call).await
    };
    for kind in [Kind::HandshakeHttp, Kind::HandshakeLines] {
        let wires = [
            Wire::new(kind, || server().send_middleware(drops(mcp::middleware::Kind::Request))),
            Wire::new(kind, || server().receive_middleware(drops(mcp::middleware::Kind::Answer))),
            Wire::new(kind, move || server().send_middleware(panics)),
            Wire::new(kind, move || server().receive_middleware(panics)),
        ];
        for mut wire in wires {
            let answer = wire.call("asks", json!({}));
            let told = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
            assert!(
                told.starts_with("the client refused (-32603): middleware dropped the"),
                "{kind:?}: {answer}"
            );
        }
    }
}

/// What waits in middleware is in flight, and there is no more of it than there may be.
#[test]
fn what_waits_in_middleware_is_in_flight() {
    let hangs = |call: mcp::Call, next: mcp::Next| async move {
        if call.method() == "tools/call" && call.kind() != mcp::middleware::Kind::Notification {
            std::future::pending::<()>().await;
        }
        next.run(call).await
    };
    for send in [false, true] {
        let (handles, handle) = std::sync::mpsc::channel();
        let mut wire = Wire::new(Kind::ModernLines, move || {
            let server = server().max_in_flight(2);
            handles.send(server.handle()).expect("the test waits");
            if send { server.send_middleware(hangs) } else { server.receive_middleware(hangs) }
        });
        let echo = || json!({"name": "echo", "arguments": {"text": "a"}});
        wire.begin("tools/call", echo());
        wire.begin("tools/call", echo());
        let refused = wire.request("tools/list", json!({}));
        assert_eq!(refused["error"]["message"], "The server is busy: 2 calls are in flight; try again");
        assert_eq!(handle.recv().expect("it is served").gauges().handlers, 2, "send: {send}");
    }
}

/// News go out in the order in which they came, however long each takes.
#[test]
fn news_stay_in_their_order() {
    let (handles, handle) = std::sync::mpsc::channel();
    let turns = Arc::new(AtomicUsize::new(0));
    let mut wire = Wire::new(Kind::HandshakeLines, move || {
        let server = server().send_middleware(move |call: mcp::Call, next: mcp::Next| {
            let first = call.kind() == mcp::middleware::Kind::Notification
                && turns.fetch_add(1, Ordering::SeqCst) == 0;
            async move {
                // Others would overtake in the meantime.
                for _ in 0..if first { 1000 } else { 0 } {
                    tokio::task::yield_now().await;
                }
                next.run(call).await
            }
        });
        handles.send(server.handle()).expect("the test waits");
        server
    });
    let handle = handle.recv().expect("it is served");
    handle.notify(mcp::Change::Tools);
    handle.notify(mcp::Change::Prompts);
    handle.notify(mcp::Change::Resources);
    let told: Vec<_> = (0..3).map(|_| wire.next()["method"].take()).collect();
    assert_eq!(
        told,
        ["tools", "prompts", "resources"].map(|what| format!("notifications/{what}/list_changed"))
    );
}

/// What has no object to take a member does without it.
#[test]
fn a_meta_that_is_none_is_left_alone() {
    let mut wire = Wire::new(Kind::HandshakeLines, || {
        server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
            call.set_meta("acme/from", "here");
            next.run(call)
        })
    });
    assert!(wire.call("echo", json!({"text": "a"}))["result"].is_object());
}

/// Waits until that is so.
#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(std::time::Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

/// What was attached to a message goes with it, in either stack.
#[test]
fn nothing_of_a_message_stays() {
    for kind in Kind::ALL {
        let (alive, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (count, counted) = (Arc::clone(&alive), Arc::clone(&seen));
        let attach = move |mut call: mcp::Call, next: mcp::Next| {
            count.fetch_add(1, Ordering::SeqCst);
            counted.fetch_add(1, Ordering::SeqCst);
            call.insert(Alive(Arc::clone(&count)));
            next.run(call)
        };
        let mut wire =
            Wire::new(kind, move || server().send_middleware(attach.clone()).receive_middleware(attach));
        for _ in 0..5 {
            wire.call("echo", json!({"text": "a"}));
            wire.call("reports", json!({}));
            wire.call("asks", json!({}));
        }
        assert!(seen.load(Ordering::SeqCst) >= 30, "{kind:?}");
        until("what was attached is dropped", || alive.load(Ordering::SeqCst) == 0);
    }
}

/// What a client has posted.
fn posted(message: &Value) -> Vec<(String, String)> {
    let mut headers = vec![
        ("Host".to_owned(), "127.0.0.1".to_owned()),
        ("Content-Type".to_owned(), "application/json".to_owned()),
        ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
    ];
    if let Some(session) = message["session"].as_str() {
        headers.push(("Mcp-Session-Id".to_owned(), session.to_owned()));
    }
    headers
}

/// Whoever hangs up while a middleware thinks about its handshake has no session.
#[test]
fn a_handshake_that_is_left_leaves_no_session() {
    let (handles, handle) = std::sync::mpsc::channel();
    let (entered, enters) = std::sync::mpsc::channel();
    let address = mcp_runtime_tests::listen::listen(move || {
        let server = server().receive_middleware(move |call: mcp::Call, next: mcp::Next| {
            entered.send(()).expect("the test waits");
            async move {
                std::future::pending::<()>().await;
                next.run(call).await
            }
        });
        handles.send(server.handle()).expect("the test waits");
        server
    });
    let handle = handle.recv().expect("it is served");
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let socket = mcp_runtime_tests::raw::open(address, greeting.to_string().as_bytes(), &posted(&greeting));
    enters.recv().expect("the middleware sees it");
    assert_eq!(handle.gauges().sessions, 1);
    drop(socket);
    until("the session is closed", || handle.gauges().sessions == 0);
}

/// An answer that has come is taken, whether or not its sender waits to be told so.
#[test]
fn an_answer_is_taken_when_its_sender_hangs_up() {
    let (entered, enters) = std::sync::mpsc::channel();
    let goes_on = Arc::new(tokio::sync::Semaphore::new(0));
    let gate = Arc::clone(&goes_on);
    let mut wire = Wire::new(Kind::HandshakeHttp, move || {
        server().receive_middleware(move |call: mcp::Call, next: mcp::Next| {
            let (gate, entered) = (Arc::clone(&gate), entered.clone());
            async move {
                if call.kind() == mcp::middleware::Kind::Answer {
                    entered.send(()).expect("the test waits");
                    gate.acquire().await.expect("it is open").forget();
                }
                next.run(call).await
            }
        })
    });
    let mut answer = wire.post_request("tools/call", json!({"name": "asks", "arguments": {}}));
    let mut message = move || loop {
        let event = answer.next_event().expect("the stream goes on");
        // The first says only where the stream begins.
        if event.data.as_deref().is_some_and(|data| !data.is_empty()) {
            return event.message();
        }
    };
    let question = message();
    let said = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "Ada"}}});
    let mut headers = posted(&json!({"session": wire.session()}));
    headers.push(("MCP-Protocol-Version".to_owned(), "2025-11-25".to_owned()));
    let socket = mcp_runtime_tests::raw::open(wire.address(), said.to_string().as_bytes(), &headers);
    enters.recv().expect("the middleware sees it");
    drop(socket);
    // By then the server has seen that nobody waits.
    for _ in 0..3 {
        assert!(wire.request("ping", json!({}))["result"].is_object());
    }
    goes_on.add_permits(1);
    let told = message();
    assert!(told["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("Ada")), "{told}");
}

/// A greeting whose answer is dropped has not taken place.
#[test]
fn a_greeting_that_is_dropped_can_be_made_again() {
    let greetings = AtomicUsize::new(0);
    let mut wire = Wire::silent(Kind::HandshakeLines, move || {
        server().send_middleware(move |call: mcp::Call, next: mcp::Next| {
            let drops = call.method() == "initialize" && greetings.fetch_add(1, Ordering::SeqCst) == 0;
            async move { if drops { mcp::Reply::none() } else { next.run(call).await } }
        })
    });
    wire.begin("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}));
    let answer = wire.initialize();
    assert!(answer["result"].is_object(), "{answer}");
}

/// Notifications begin in the order in which they came.
#[test]
fn notifications_begin_in_their_order() {
    let (told, tells) = std::sync::mpsc::channel();
    let mut wire = Wire::new(Kind::HandshakeLines, move || {
        server().receive_middleware(move |call: mcp::Call, next: mcp::Next| {
            if call.method() == "notifications/acme/own" {
                told.send(call.params()["number"].as_u64()).expect("the test waits");
            }
            next.run(call)
        })
    });
    for number in 0..500 {
        wire.notify("notifications/acme/own", json!({"number": number}));
    }
    assert!(wire.request("ping", json!({}))["result"].is_object());
    let told: Vec<_> = tells.try_iter().flatten().collect();
    assert!(told.iter().copied().eq(0..500), "{told:?}");
}
