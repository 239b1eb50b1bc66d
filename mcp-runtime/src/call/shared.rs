//! What the pipeline and the handler both hold of one call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::asks::Asks;
use super::outbox::Outbox;
use super::request_id::RequestId;
use super::states::States;
use super::trace::Trace;
use crate::auth::Principal;
use crate::middleware::Extensions;
use crate::protocol::method::MethodName;
use crate::protocol::{LogLevel, Revision};

/// A part of a message's body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Where `part` lies in `body`, of which it is a part.
    pub(crate) fn of(body: &[u8], part: &str) -> Self {
        let start = (part.as_ptr() as usize).wrapping_sub(body.as_ptr() as usize);
        debug_assert!(start + part.len() <= body.len());
        // Bodies are capped far below 4 GiB.
        Self { start: start as u32, end: (start + part.len()) as u32 }
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text, out of the body it was taken from.
    pub(crate) fn text(self, body: &Bytes) -> &str {
        body.get(self.range()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// What a client says of itself.
#[derive(Clone, Debug)]
pub(crate) enum Client {
    /// Nothing: a handshake client over HTTP without a session.
    Unknown,
    /// In each request, in its `_meta`.
    InRequest { info: Option<Span>, capabilities: Span },
    /// Once, in `initialize`.
    Connected(Arc<Connected>),
}

/// What a client said of itself in `initialize`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connected {
    pub(crate) info: Bytes,
    pub(crate) capabilities: Bytes,
}

/// One call: everything about it that does not depend on what it calls.
pub(crate) struct Shared {
    /// The message. Slices of it are what the members below point at.
    pub(crate) body: Bytes,
    pub(crate) id: Option<Span>,
    pub(crate) method: MethodName,
    pub(crate) revision: Revision,
    pub(crate) transport: super::Transport,
    pub(crate) principal: Principal,
    pub(crate) client: Client,
    pub(crate) progress_token: Option<Span>,
    /// The mildest level the client wants to read; `None` for no log messages at all.
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) trace: Trace,
    pub(crate) outbox: Outbox,
    pub(crate) asks: Asks,
    /// When its time is up.
    pub(crate) deadline: OnceLock<Instant>,
    pub(crate) end: End,
    /// The id of the session that it belongs to, over HTTP.
    pub(crate) session: Option<Arc<str>>,
    pub(crate) states: Arc<States>,
    /// What middleware has attached.
    pub(crate) extensions: OnceLock<Extensions>,
    #[cfg(feature = "http")]
    pub(crate) http: Option<Box<http::request::Parts>>,
}

/// The end of a call, for what outlives its handler.
#[derive(Default)]
pub(crate) struct End {
    came: AtomicBool,
    token: OnceLock<CancellationToken>,
}

impl End {
    /// The call has ended.
    pub(crate) fn comes(&self) {
        self.came.store(true, Ordering::SeqCst);
        if let Some(token) = self.token.get() {
            token.cancel();
        }
    }

    /// What is cancelled then.
    pub(crate) fn token(&self) -> CancellationToken {
        let token = self.token.get_or_init(CancellationToken::new).clone();
        // It may have come before there was a token.
        if self.came.load(Ordering::SeqCst) {
            token.cancel();
        }
        token
    }
}

impl Shared {
    /// The JSON text of the id; `null` where there is none, which is never sent.
    pub(crate) fn id_json(&self) -> &str {
        self.id.map_or("null", |span| span.text(&self.body))
    }

    /// The JSON text of what the client calls itself.
    pub(crate) fn client_info(&self) -> Option<&[u8]> {
        match &self.client {
            Client::Unknown => None,
            Client::InRequest { info, .. } => Some(&self.body[(*info)?.range()]),
            Client::Connected(client) => Some(&client.info),
        }
    }

    /// The JSON text of what the client can do.
    pub(crate) fn client_capabilities(&self) -> Option<&[u8]> {
        match &self.client {
            Client::Unknown => None,
            Client::InRequest { capabilities, .. } => Some(&self.body[capabilities.range()]),
            Client::Connected(client) => Some(&client.capabilities),
        }
    }

    pub(crate) fn request_id(&self) -> Option<RequestId> {
        self.id.map(|span| RequestId::of(&self.body, span))
    }
}
