//! Every message goes through the stacks, once, in their order.

use serde_json::{Value, json};

use crate::seen::Seen;
use crate::server;
use crate::wires::{Kind, Wire};

/// A server with two middlewares in each stack.
fn observed(kind: Kind) -> (Wire, Seen) {
    let seen = Seen::default();
    let [outer, inner] = [seen.around("outer"), seen.around("inner")];
    let [first, last] = [seen.around("first"), seen.around("last")];
    let wire = Wire::new(kind, || {
        server()
            .receive_middleware(outer)
            .receive_middleware(inner)
            .send_middleware(first)
            .send_middleware(last)
    });
    seen.take();
    (wire, seen)
}

/// What a request makes of itself, with the answer's code.
fn whole(method: &str, code: &str) -> Vec<String> {
    vec![
        format!("outer > Request {method}"),
        format!("inner > Request {method}"),
        format!("inner < Request {method}{code}"),
        format!("outer < Request {method}{code}"),
        format!("first > Answer {method}{code}"),
        format!("last > Answer {method}{code}"),
        format!("last < Answer {method}"),
        format!("first < Answer {method}"),
    ]
}

#[test]
fn every_request_goes_through_all_of_both_stacks() {
    for kind in Kind::ALL {
        let (mut wire, seen) = observed(kind);
        let tool = |name: &str| json!({"name": name, "arguments": {}});
        let both: Vec<(&str, Value, &str)> = vec![
            ("tools/list", json!({}), ""),
            ("tools/call", json!({"name": "echo", "arguments": {"text": "a"}}), ""),
            ("tools/call", tool("echo"), ""),
            ("tools/call", tool("nowhere"), " -32602"),
            ("tools/call", tool("panics"), " -32603"),
            ("prompts/list", json!({}), ""),
            ("prompts/get", json!({"name": "greet", "arguments": {"name": "Ada"}}), ""),
            ("prompts/get", json!({"name": "greet"}), " -32602"),
            ("resources/list", json!({}), ""),
            ("resources/templates/list", json!({}), ""),
            ("resources/read", json!({"uri": "config://app"}), ""),
            (
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": "A"}}),
                "",
            ),
            ("acme/own", json!({}), ""),
            ("acme/none", json!({}), " -32601"),
        ];
        let own = if kind.is_modern() {
            vec![("server/discover", json!({}), "")]
        } else {
            vec![
                ("ping", json!({}), ""),
                ("logging/setLevel", json!({"level": "debug"}), ""),
                ("resources/subscribe", json!({"uri": "config://app"}), ""),
                ("resources/unsubscribe", json!({"uri": "config://app"}), ""),
            ]
        };
        for (method, params, code) in both.into_iter().chain(own) {
            let answer = wire.request(method, params);
            assert_eq!(seen.wait(8), whole(method, code), "{kind:?}: {answer}");
        }
    }
}

#[test]
fn a_handshake_goes_through_the_stacks() {
    for kind in [Kind::HandshakeHttp, Kind::HandshakeLines] {
        let seen = Seen::default();
        let (outer, first) = (seen.around("outer"), seen.around("first"));
        Wire::new(kind, || server().receive_middleware(outer).send_middleware(first));
        let expected = [
            "outer > Request initialize",
            "outer < Request initialize",
            "first > Answer initialize",
            "first < Answer initialize",
        ];
        assert_eq!(seen.wait(4), expected, "{kind:?}");
    }
}

#[test]
fn notifications_of_both_directions_go_through_one_stack() {
    for kind in Kind::ALL {
        let (mut wire, seen) = observed(kind);
        for method in ["notifications/acme/own", "notifications/acme/unheard", "notifications/cancelled"] {
            wire.notify(method, json!({}));
            let expected = ["outer >", "inner >", "inner <", "outer <"];
            assert_eq!(seen.wait(4), expected.map(|at| format!("{at} Notification {method}")), "{kind:?}");
        }
        let progress = json!({"name": "reports", "arguments": {}, "_meta": {"progressToken": 7}});
        assert_eq!(wire.exchange("tools/call", progress).len(), 3, "{kind:?}");
        let came = seen.wait(8 + 2 * 4);
        let told = |at: &str| {
            came.iter().filter(|line| **line == format!("{at} Notification notifications/progress")).count()
        };
        assert_eq!(
            [told("first >"), told("last >"), told("last <"), told("first <")],
            [2; 4],
            "{kind:?}: {came:?}"
        );
    }
}

/// What handlers ask goes out by one stack and is answered through the other; modern rounds are calls like others.
#[test]
fn asks_go_through_both_stacks() {
    for kind in Kind::ALL {
        let (mut wire, seen) = observed(kind);
        let answer = wire.call("asks", json!({}));
        if kind.is_modern() {
            assert_eq!(answer["result"]["resultType"], "input_required", "{kind:?}");
            assert_eq!(seen.wait(8), whole("tools/call", ""), "{kind:?}");
            let key = answer["result"]["inputRequests"]
                .as_object()
                .and_then(|asked| asked.keys().next())
                .expect("a key");
            let params = json!({"name": "asks", "arguments": {}, "requestState": answer["result"]["requestState"],
                "inputResponses": {key: {"action": "accept", "content": {"name": "Ada"}}}});
            let answer = wire.request("tools/call", params);
            assert_eq!(answer["result"]["content"][0]["text"], "Ada", "{kind:?}: {answer}");
            assert_eq!(seen.wait(8), whole("tools/call", ""), "{kind:?}");
        } else {
            assert_eq!(answer["result"]["content"][0]["text"], "Ada", "{kind:?}: {answer}");
            let came = seen.wait(16);
            let of = |what: &str| came.iter().filter(|line| line.contains(what)).cloned().collect::<Vec<_>>();
            let asked = ["first >", "last >", "last <", "first <"];
            assert_eq!(
                of("Request elicitation/create"),
                asked.map(|at| format!("{at} Request elicitation/create"))
            );
            let told = ["outer >", "inner >", "inner <", "outer <"];
            assert_eq!(
                of("Answer elicitation/create"),
                told.map(|at| format!("{at} Answer elicitation/create"))
            );
            assert_eq!(of("tools/call"), whole("tools/call", ""), "{kind:?}");
        }
    }
}

/// A subscription is one request for as long as it lasts, and what it tells are notifications.
#[test]
fn subscriptions_are_requests_that_last() {
    let seen = Seen::default();
    let (outer, first) = (seen.around("outer"), seen.around("first"));
    let (handles, handle) = std::sync::mpsc::channel();
    let mut wire = Wire::new(Kind::ModernHttp, move || {
        let server = server().receive_middleware(outer).send_middleware(first);
        handles.send(server.handle()).expect("the test waits");
        server
    });
    let handle = handle.recv().expect("it is served");
    let mut events =
        wire.post_request("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let acknowledged = events.next_event().expect("an event").message();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    handle.disable("weather").expect("it is there");
    assert_eq!(
        events.next_event().expect("an event").message()["method"],
        "notifications/tools/list_changed"
    );
    let expected = [
        "outer > Request subscriptions/listen",
        "first > Notification notifications/subscriptions/acknowledged",
        "first < Notification notifications/subscriptions/acknowledged",
        "first > Notification notifications/tools/list_changed",
        "first < Notification notifications/tools/list_changed",
    ];
    assert_eq!(seen.wait(5), expected);
}

/// What belongs to no call leaves by the send stack too.
#[test]
fn news_go_through_the_send_stack() {
    let seen = Seen::default();
    let first = seen.around("first");
    let (handles, handle) = std::sync::mpsc::channel();
    let _wire = Wire::new(Kind::HandshakeLines, move || {
        let server = server().send_middleware(first);
        handles.send(server.handle()).expect("the test waits");
        server
    });
    seen.wait(2);
    handle.recv().expect("it is served").disable("weather").expect("it is there");
    let what = "Notification notifications/tools/list_changed";
    assert_eq!(seen.wait(2), [format!("first > {what}"), format!("first < {what}")]);
}
