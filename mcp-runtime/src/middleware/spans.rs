//! A span for every request.

use tracing::Instrument as _;

use super::call::{Call, Kind};
use super::reply::Reply;
use super::stack::{Middleware, Next};

/// Opens a `tracing` span named `mcp` around every request, with its method, id and revision, its `traceparent` (W3C Trace
/// Context, from `_meta`, else from the HTTP request), and, once it is answered, the code of an error.
///
/// What handlers and the middleware behind it tell is told within the span. A layer that exports spans reads the
/// `traceparent` off its fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spans;

impl Middleware for Spans {
    async fn handle(&self, call: Call, next: Next) -> Reply {
        if call.kind() != Kind::Request {
            return next.run(call).await;
        }
        let span = tracing::info_span!(
            target: "mcp_runtime",
            "mcp",
            method = call.method(),
            id = tracing::field::Empty,
            revision = tracing::field::Empty,
            traceparent = tracing::field::Empty,
            code = tracing::field::Empty,
        );
        if !span.is_disabled() {
            if let Some(id) = call.request_id() {
                span.record("id", tracing::field::display(id));
            }
            if let Some(revision) = call.revision() {
                span.record("revision", revision.as_str());
            }
            if let Some(parent) = call.trace_parent() {
                span.record("traceparent", parent);
            }
        }
        let reply = next.run(call).instrument(span.clone()).await;
        if let Some(code) = reply.error_code() {
            span.record("code", code);
        }
        reply
    }
}
