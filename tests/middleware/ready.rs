//! The ready-made middleware.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mcp_runtime::middleware::{ConcurrencyLimit, Logging, PayloadLimit, RateLimit, Spans, Timeout};
use mcp_runtime::prelude::mcp;
use serde_json::json;

use crate::seen::Seen;
use crate::server;
use crate::wires::{Kind, Wire};

#[test]
fn a_timeout_ends_requests_but_no_subscriptions() {
    for kind in Kind::ALL {
        let mut wire =
            Wire::new(kind, || server().receive_middleware(Timeout::new(Duration::from_millis(50))));
        let answer = wire.call("stays", json!({}));
        assert_eq!(
            answer["error"]["message"],
            "`tools/call` of `stays` took longer than 50ms and is waited for no more",
            "{kind:?}"
        );
        assert!(wire.call("echo", json!({"text": "a"}))["result"].is_object(), "{kind:?}");
    }
}

#[test]
fn a_concurrency_limit_refuses_or_has_wait() {
    for kind in [Kind::ModernLines, Kind::HandshakeLines] {
        let mut wire =
            Wire::new(kind, || server().receive_middleware(ConcurrencyLimit::new(1).of("tools/call")));
        let stays = wire.begin("tools/call", json!({"name": "stays", "arguments": {}}));
        let refused = wire.call("echo", json!({"text": "a"}));
        assert_eq!(
            refused["error"]["message"], "The server is busy: 1 requests are at work; try again",
            "{kind:?}"
        );
        assert!(wire.request("tools/list", json!({}))["result"].is_object(), "{kind:?}");
        wire.notify("notifications/cancelled", json!({"requestId": stays}));
        while wire.call("echo", json!({"text": "a"}))["error"].is_object() {}

        let mut wire = Wire::new(kind, || server().receive_middleware(ConcurrencyLimit::new(1).waiting()));
        let stays = wire.begin("tools/call", json!({"name": "stays", "arguments": {}}));
        let waits = wire.begin("tools/call", json!({"name": "echo", "arguments": {"text": "a"}}));
        wire.notify("notifications/cancelled", json!({"requestId": stays}));
        let came = wire.exchange("tools/list", json!({}));
        assert_eq!(came.first().map(|first| &first["id"]), Some(&json!(waits)), "{kind:?}: {came:?}");
    }
}

#[test]
fn a_payload_limit_refuses_what_is_longer() {
    for kind in Kind::ALL {
        let mut wire =
            Wire::new(kind, || server().receive_middleware(PayloadLimit::new(1000).of("tools/call")));
        assert!(wire.call("echo", json!({"text": "a"}))["result"].is_object(), "{kind:?}");
        let refused = wire.call("echo", json!({"text": "a".repeat(1000)}));
        assert_eq!(refused["error"]["code"], -32602, "{kind:?}");
        let told = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(told.ends_with("for `tools/call` 1000 are taken"), "{told}");
    }
}

#[test]
fn a_rate_limit_counts_each_caller_by_itself() {
    for kind in Kind::ALL {
        let by_tool = |call: &mcp::Call| call.params()["name"].to_string();
        let mut wire = Wire::new(kind, move || {
            server().receive_middleware(RateLimit::per_minute(1).burst(2).by(by_tool))
        });
        for _ in 0..2 {
            assert!(wire.call("echo", json!({"text": "a"}))["result"].is_object(), "{kind:?}");
        }
        let refused = wire.call("echo", json!({"text": "a"}));
        assert_eq!(refused["error"]["code"], -32603, "{kind:?}: {refused}");
        let wait = refused["error"]["data"]["retryAfterMs"].as_u64().expect("a time");
        assert!((1..=60_000).contains(&wait), "{wait}");
        assert!(wire.call("whose", json!({}))["result"].is_object(), "{kind:?}: another's");
    }
}

/// Notes the spans and events that are made on a thread.
struct Recorder {
    seen: Seen,
    spans: AtomicU64,
}

struct Fields(String);

impl tracing::field::Visit for Fields {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
        if field.name() != "took" {
            self.0.push_str(&format!(" {}={value:?}", field.name()));
        }
    }
}

fn fields(record: impl FnOnce(&mut dyn tracing::field::Visit)) -> String {
    let mut fields = Fields(String::new());
    record(&mut fields);
    fields.0
}

impl tracing::Subscriber for Recorder {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("mcp_runtime")
    }

    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        self.seen.note(format!("span{}", fields(|visit| span.record(visit))));
        tracing::span::Id::from_u64(self.spans.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn record(&self, _: &tracing::span::Id, values: &tracing::span::Record<'_>) {
        self.seen.note(format!("record{}", fields(|visit| values.record(visit))));
    }

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        if event.metadata().target() == "mcp_runtime::messages" {
            self.seen.note(fields(|visit| event.record(visit)));
        }
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

/// What is told of messages: nothing that they carry, unless it is asked for; and a span with the trace of the call.
#[test]
fn the_log_has_no_payloads_and_spans_have_the_trace() {
    let seen = Seen::default();
    tracing::subscriber::set_global_default(Recorder { seen: seen.clone(), spans: AtomicU64::new(0) })
        .expect("nothing else in this process listens");
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let secret = json!({"name": "echo", "arguments": {"text": "secret"}, "_meta": {"traceparent": parent}});

    let mut wire = Wire::new(Kind::ModernHttp, || {
        server().receive_middleware(Spans).receive_middleware(Logging::new()).send_middleware(Logging::new())
    });
    seen.take();
    wire.request("tools/call", secret.clone());
    assert_eq!(
        seen.wait(6),
        [
            "span method=\"tools/call\"",
            "record id=1",
            "record revision=\"2026-07-28\"",
            &format!("record traceparent={parent:?}"),
            " message=request method=\"tools/call\" name=\"echo\" id=\"1\"",
            " message=answer method=\"tools/call\" id=\"1\"",
        ]
    );
    wire.request("acme/none", json!({}));
    let refused = seen.wait(6);
    assert!(refused.contains(&"record code=-32601".to_owned()), "{refused:?}");
    assert!(
        refused.iter().any(|line| line.contains("message=request refused") && line.contains("code=-32601"))
    );

    let mut wire =
        Wire::new(Kind::HandshakeLines, || server().receive_middleware(Logging::new().with_payloads()));
    seen.take();
    wire.request("tools/call", secret);
    let told = seen.wait(1);
    assert!(told[0].contains("secret"), "{told:?}");
}
