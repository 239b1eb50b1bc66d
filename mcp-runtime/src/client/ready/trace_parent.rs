//! The trace that a request is a part of (W3C Trace Context).

use std::sync::Arc;

use reqwest::header::{HeaderName, HeaderValue};

use crate::middleware::{Call, Kind, Middleware, Next, Reply};

const NAME: &str = "traceparent";

/// Says of every request and notification which trace it is a part of: in `_meta`, and over HTTP as a header.
#[derive(Clone)]
pub struct TraceParent(Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl TraceParent {
    /// The trace of the moment, as a whole `traceparent`: of the caller's span, or of the call that a server answers
    /// by calling others. Nothing is said where there is none.
    pub fn from(current: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(current))
    }

    /// A trace of its own for each message, for those who collect none themselves.
    pub fn fresh() -> Self {
        Self::from(|| {
            let mut random = [0_u8; 24];
            getrandom::fill(&mut random).ok()?;
            let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            Some(format!("00-{}-{}-01", hex(&random[..16]), hex(&random[16..])))
        })
    }
}

impl Middleware for TraceParent {
    async fn handle(&self, mut call: Call, next: Next) -> Reply {
        // What the caller has said itself stands.
        if call.kind() != Kind::Answer
            && !call.meta().contains_key(NAME)
            && let Some(parent) = (self.0)()
        {
            if let Ok(value) = HeaderValue::from_str(&parent) {
                call.set_header(HeaderName::from_static(NAME), value);
            }
            call.set_meta(NAME, parent);
        }
        next.run(call).await
    }
}

impl std::fmt::Debug for TraceParent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TraceParent")
    }
}
