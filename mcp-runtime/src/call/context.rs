//! What a handler knows of its call and can do while it runs.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::log::LogMessage;
use super::progress::{Amount, Progress};
use super::request_id::RequestId;
use super::shared::Shared;
use crate::auth::Principal;
use crate::protocol::members;
use crate::protocol::{Era, Implementation, LogLevel, Meta, Revision};

/// One call, as its handler sees it. Take it as a parameter; it never appears in a schema.
///
/// A clone is the same call. After the call has ended a kept clone can still be read, but sends nothing.
#[derive(Clone)]
pub struct Context(pub(crate) Arc<Shared>);

/// What the client is connected by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// Streamable HTTP.
    Http,
    /// Lines over a pipe.
    Stdio,
}

impl Context {
    /// The id of the request; `None` in a notification handler.
    pub fn request_id(&self) -> Option<RequestId> {
        self.0.request_id()
    }

    /// The era the client speaks.
    pub fn era(&self) -> Era {
        self.0.revision.era()
    }

    /// The revision the client speaks.
    pub fn revision(&self) -> Revision {
        self.0.revision
    }

    /// What the client is connected by.
    pub fn transport(&self) -> Transport {
        self.0.transport
    }

    /// Who the call is made for, by the server's authentication hook.
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }

    /// The id of the session that the call belongs to: handshake clients over HTTP have one where the server keeps
    /// [sessions](crate::Sessions). It lets whoever knows it act for the session; keep it out of logs.
    pub fn session_id(&self) -> Option<&str> {
        self.0.session.as_deref()
    }

    /// What the client calls itself. Not verified: for display and logs only.
    ///
    /// `None` where it did not say, as sessionless handshake clients over HTTP cannot.
    pub fn client_info(&self) -> Option<Implementation> {
        serde_json::from_slice(self.0.client_info()?).ok()
    }

    /// What the client can do, as it declared it; `null` where it did not say.
    pub fn client_capabilities(&self) -> Value {
        self.0.client_capabilities().and_then(|raw| serde_json::from_slice(raw).ok()).unwrap_or_default()
    }

    /// The `_meta` of the request; empty where there is none.
    pub fn meta(&self) -> Meta {
        members::meta(&self.0.body)
    }

    /// The headers of the HTTP request; `None` over other transports.
    #[cfg(feature = "http")]
    pub fn headers(&self) -> Option<&http::HeaderMap> {
        self.0.http.as_ref().map(|parts| &parts.headers)
    }

    /// What axum or a tower layer attached to the HTTP request; `None` over other transports.
    #[cfg(feature = "http")]
    pub fn extensions(&self) -> Option<&http::Extensions> {
        self.0.http.as_ref().map(|parts| &parts.extensions)
    }

    /// When the time of the call is up, where the server gives its handlers a time
    /// ([`handler_timeout`](crate::Server::handler_timeout)).
    pub fn deadline(&self) -> Option<std::time::Instant> {
        self.0.deadline.get().map(|deadline| deadline.into_std())
    }

    /// What is cancelled once nobody waits for the call any more: it was cancelled, its client went away, its time was
    /// up, the server stops, or it is answered. The handler itself need not look, since it is dropped then; what it
    /// spawned, or runs on a thread, does.
    pub fn cancellation_token(&self) -> tokio_util::sync::CancellationToken {
        self.0.end.token()
    }

    /// The trace that the request is a part of: the `traceparent` of its `_meta`, else of its HTTP request, where there is
    /// a well-formed one (W3C Trace Context).
    pub fn trace_parent(&self) -> Option<String> {
        self.0.trace_parent()
    }

    /// Tells the client how far the call has come. Awaiting it sends it; any number type does.
    ///
    /// Nothing happens where the client asked for no progress, does not accept a stream, or was told as much before:
    /// progress only increases. After a burst of 100 it is told 50 times a second at most, the end always.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # async fn copy(ctx: mcp::Context) {
    /// ctx.progress(3).of(10).message("three of ten").await;
    /// # }
    /// ```
    pub fn progress(&self, progress: impl Amount) -> Progress<'_> {
        Progress::new(&self.0, progress.to_f64())
    }

    /// Tells the client what happens: a text, or any value that becomes JSON. Awaiting it sends it.
    ///
    /// Sent only where the client wants messages of that level: it says so with each request in the modern era,
    /// and by `logging/setLevel` before that (unless it did, from [`LogLevel::Info`] up).
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # async fn index(ctx: mcp::Context) {
    /// ctx.log(mcp::LogLevel::Info, "indexing").await;
    /// # }
    /// ```
    pub fn log(&self, level: LogLevel, data: impl Into<Value>) -> LogMessage<'_> {
        LogMessage::new(&self.0, level, data.into())
    }
}

impl Context {
    /// Closes the client's connection while the call goes on, so that none has to be held open for long: the client
    /// comes back for what follows, the result included, after `retry`.
    ///
    /// Says whether it does. Only clients of 2025-11-25 come back, over HTTP, where the server keeps
    /// [sessions](crate::Sessions); for others nothing happens.
    pub fn close_stream(&self, retry: std::time::Duration) -> bool {
        self.0.outbox.close_stream(retry)
    }
}

impl fmt::Debug for Context {
    /// Shows what identifies the call and none of its payload.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("id", &self.0.id_json())
            .field("revision", &self.0.revision)
            .field("transport", &self.0.transport)
            .field("principal", &self.0.principal)
            .finish_non_exhaustive()
    }
}
