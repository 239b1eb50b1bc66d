//! What middleware sees of the table: nothing of what the edge refuses, and the same of every request.

use std::sync::{Arc, Mutex};

use mcp_runtime::prelude::mcp;
use mcp_runtime_tests::listen::listen;
use serde_json::json;

use crate::fixture::{Config, turn};
use crate::ids;
use crate::replay::over_socket;
use crate::request::{call, initialize, list, modern};
use crate::row::Said;

/// Which test shows which requirement.
pub const SHOWN: &[(&str, fn())] = &[
    ("R-6", what_the_edge_refuses_is_seen_by_nobody),
    ("R-11, R-17", every_request_makes_the_same_events),
    ("R-12", one_answer_is_changed_and_no_other),
];

/// What was seen, in its order.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, what: String) {
        self.0.lock().expect("nobody panics").push(what);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("nobody panics"))
    }

    /// Notes what comes, and what becomes of it.
    fn receive(&self) -> impl mcp::Middleware + use<> {
        let seen = self.clone();
        move |call: mcp::Call, next: mcp::Next| {
            let seen = seen.clone();
            async move {
                let method = call.method().to_owned();
                seen.note(format!("{method}: {:?}", call.kind()));
                let reply = next.run(call).await;
                seen.note(format!("{method}: {reply:?}"));
                reply
            }
        }
    }

    /// Notes what leaves.
    fn send(&self) -> impl mcp::Middleware + use<> {
        let seen = self.clone();
        move |mut call: mcp::Call, next: mcp::Next| {
            let reply = format!("{:?}", call.reply());
            seen.note(format!("{}: {:?} {reply}", call.method(), call.kind()));
            next.run(call)
        }
    }
}

fn observed(config: Config) -> (std::net::SocketAddr, Seen) {
    let seen = Seen::default();
    let (receive, send) = (seen.receive(), seen.send());
    (listen(move || config.server().receive_middleware(receive).send_middleware(send)), seen)
}

#[test]
fn what_the_edge_refuses_is_seen_by_nobody() {
    let _turn = turn();
    let (address, seen) = observed(Config::Default);
    let mut replayed = 0;
    for row in ids::rows().into_iter().filter(|row| row.config == Config::Default) {
        let at_the_edge = |id: &str| ["C-3", "C-14", "C-20", "H-17"].contains(&id);
        if ids::named(row.id).any(at_the_edge) {
            for exchange in &row.exchanges {
                let said = Said::from(over_socket(address, &exchange.request));
                // Some rows show beside a refusal what is none.
                let refused = said.status.is_some_and(|status| status >= 400);
                replayed += usize::from(refused);
                let noted = seen.take();
                assert!(!refused || noted.is_empty(), "{}: {noted:?}", row.id);
            }
        }
    }
    assert!(replayed >= 10, "{replayed} refusals");
}

#[test]
fn every_request_makes_the_same_events() {
    let _turn = turn();
    let (address, seen) = observed(Config::Default);
    let events = |method: &str, outcome: &str| {
        vec![
            format!("{method}: Request"),
            format!("{method}: Reply({outcome})"),
            format!("{method}: Answer Reply({outcome})"),
        ]
    };
    for (request, method, outcome) in [
        (modern("server/discover", json!({})), "server/discover", "result"),
        (list(), "tools/list", "result"),
        (call("echo", json!({"text": "a"})), "tools/call", "result"),
        (call("nowhere", json!({})), "tools/call", "error -32602"),
        (modern("acme/unheard", json!({})), "acme/unheard", "error -32601"),
        (initialize(), "initialize", "result"),
    ] {
        over_socket(address, &request);
        assert_eq!(seen.take(), events(method, outcome));
    }

    let fails = Seen::default();
    let (receive, send) = (fails.receive(), fails.send());
    let address = listen(move || {
        let server = Config::Default.server().receive_middleware(receive).send_middleware(send);
        server.discover(|_| async { Err::<serde_json::Value, _>(mcp::ProtocolError::new(7, "not today")) })
    });
    let answer = over_socket(address, &modern("server/discover", json!({})));
    assert_eq!((answer.status, answer.message()["error"]["code"].clone()), (200, json!(7)));
    assert_eq!(fails.take(), events("server/discover", "error 7"));
}

#[test]
fn one_answer_is_changed_and_no_other() {
    let _turn = turn();
    let address = listen(|| {
        Config::Default.server().send_middleware(|mut call: mcp::Call, next: mcp::Next| {
            if call.method() == "server/discover" {
                call.reply().set("instructions", "Only today.");
            }
            next.run(call)
        })
    });
    let plain = listen(|| Config::Default.server());
    let mut usual = over_socket(plain, &modern("server/discover", json!({}))).message();
    let changed = over_socket(address, &modern("server/discover", json!({}))).message();
    usual["result"]["instructions"] = "Only today.".into();
    assert_eq!(changed, usual);
    let initialized = over_socket(address, &initialize()).message();
    assert_eq!(initialized["result"]["instructions"], "Use it well.");
}
