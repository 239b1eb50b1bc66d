//! The trace that a request is a part of (W3C Trace Context, in `_meta`), which the notifications of the call carry on.

use serde::Serialize;
use serde_json::value::RawValue;

use super::shared::{Shared, Span};
use crate::protocol::envelope::{Meta, Raw};

/// Where a request says which trace it is a part of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trace {
    parent: Option<Span>,
    state: Option<Span>,
    baggage: Option<Span>,
}

/// The trace as the `_meta` of a notification has it.
#[derive(Serialize)]
pub(super) struct Carried<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<&'c RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tracestate: Option<&'c RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baggage: Option<&'c RawValue>,
}

impl Trace {
    /// Reads it off a request's `_meta`. What is malformed is as good as absent, and a state belongs to its parent.
    pub(crate) fn of(body: &[u8], meta: &Meta<'_>) -> Self {
        let text = |raw: Raw<'_>| raw.0.filter(|raw| raw.starts_with('"')).map(|raw| Span::of(body, raw));
        let parent = text(meta.traceparent).filter(|_| meta.traceparent.0.is_some_and(is_parent));
        Self {
            parent,
            state: text(meta.tracestate).filter(|_| parent.is_some()),
            baggage: text(meta.baggage),
        }
    }
}

impl Shared {
    /// The trace that the request is a part of, by its `_meta`, else by its HTTP headers.
    pub(crate) fn trace_parent(&self) -> Option<String> {
        let told = self.trace.parent.and_then(|span| serde_json::from_str(span.text(&self.body)).ok());
        told.or_else(|| self.trace_header())
    }

    #[cfg(feature = "http")]
    fn trace_header(&self) -> Option<String> {
        let header = self.http.as_ref()?.headers.get("traceparent")?.to_str().ok()?;
        is_parent(&format!("\"{header}\"")).then(|| header.to_owned())
    }

    #[cfg(not(feature = "http"))]
    fn trace_header(&self) -> Option<String> {
        None
    }

    /// What a notification of the call says of its trace, if there is anything.
    pub(super) fn carried(&self) -> Option<Carried<'_>> {
        let Trace { parent, state, baggage } = self.trace;
        parent.or(baggage)?;
        // They are parts of a message that was read as JSON.
        let raw = |span: Option<Span>| serde_json::from_str(span?.text(&self.body)).ok();
        Some(Carried { traceparent: raw(parent), tracestate: raw(state), baggage: raw(baggage) })
    }
}

/// Whether a JSON text is `"version-trace-parent-flags"` (W3C Trace Context, section 3.2.2).
fn is_parent(raw: &str) -> bool {
    let text = raw.trim_matches('"');
    let mut parts = text.split('-');
    let version = hex(parts.next(), 2);
    let named = names(hex(parts.next(), 32)) && names(hex(parts.next(), 16));
    let flagged = hex(parts.next(), 2).is_some();
    // Later versions may say more.
    let ends = parts.next().is_none() || version != Some("00");
    version.is_some_and(|version| version != "ff") && named && flagged && ends
}

/// A part of that many digits.
fn hex(part: Option<&str>, length: usize) -> Option<&str> {
    let digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    part.filter(|part| part.len() == length && part.bytes().all(digit))
}

/// Whether a part is an id: one of zeros alone is none.
fn names(part: Option<&str>) -> bool {
    part.is_some_and(|part| part.bytes().any(|byte| byte != b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_told_from_what_is_none() {
        let trace = "0af7651916cd43dd8448eb211c80319c";
        for good in [
            format!("\"00-{trace}-b7ad6b7169203331-01\""),
            format!("\"00-{trace}-b7ad6b7169203331-00\""),
            format!("\"cc-{trace}-b7ad6b7169203331-01-more\""),
        ] {
            assert!(is_parent(&good), "{good}");
        }
        for bad in [
            "\"\"".to_owned(),
            format!("\"ff-{trace}-b7ad6b7169203331-01\""),
            format!("\"00-{trace}-b7ad6b7169203331-01-more\""),
            format!("\"00-{trace}-0000000000000000-01\""),
            format!("\"00-{}-b7ad6b7169203331-01\"", "0".repeat(32)),
            format!("\"00-{}-b7ad6b7169203331-01\"", trace.to_uppercase()),
            format!("\"00-{trace}-b7ad6b7169203331\""),
            format!("\"00-{trace}-b7ad6b716920333-01\""),
        ] {
            assert!(!is_parent(&bad), "{bad}");
        }
    }
}
