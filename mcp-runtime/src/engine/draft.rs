//! A message on its way to its handler, once it no longer borrows from its bytes.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::Engine;
use super::admit::{About, Caller};
use super::frame::error;
use super::jobs::Job;
use crate::auth::Principal;
use crate::call::{Asks, Client, End, Means, Outbox, Peer, Shared, Span, Trace, Transport};
use crate::protocol::Answer;
use crate::protocol::envelope::{Meta, Params, Raw, Text};
use crate::protocol::fault::{Fault, Leg};
use crate::protocol::method::MethodName;
use crate::protocol::{Era, LogLevel, Revision};
use crate::session::Session;

/// A request that was admitted: what it is, and what it calls.
pub(crate) struct Work {
    pub(crate) call: Arc<Shared>,
    pub(crate) job: Job,
}

impl Work {
    pub(crate) fn new(engine: &Engine, mut draft: Draft, job: Job, body: Bytes, mut caller: Caller) -> Self {
        let mut body = body;
        if let Job::Listen(_) = job {
            // It stays for long: nothing of the buffer that it came in is to stay with it.
            body = Bytes::copy_from_slice(&body);
            caller.forget_http();
        }
        if let Job::Initialize(agreed) = &job {
            // What answers it is of the revision that it leads to.
            draft.revision = agreed.revision;
        }
        let asks = draft.asks(&job, &caller);
        Self { call: draft.share(engine, body, caller, asks), job }
    }

    /// The refusal of this request.
    pub(crate) fn refuse(&self, fault: &Fault, leg: Leg) -> Answer {
        error(fault, leg, Some(self.call.id_json()))
    }
}

/// A notification that was admitted, and what it is about.
pub(crate) struct Notice {
    pub(crate) call: Arc<Shared>,
    pub(crate) about: About,
}

impl Notice {
    pub(crate) fn new(engine: &Engine, draft: Draft, about: About, body: Bytes, caller: Caller) -> Self {
        let asks = Asks::new(Means::Never(ELSEWHERE), None);
        Self { call: draft.share(engine, body, caller, asks), about }
    }
}

/// What a message says of itself beside what it calls, as places in its body.
pub(crate) struct Draft {
    pub(crate) id: Option<Span>,
    method: MethodName,
    pub(crate) revision: Revision,
    pub(crate) client: Client,
    pub(crate) progress_token: Option<Span>,
    pub(crate) log_level: Option<LogLevel>,
    /// The session that it belongs to.
    pub(crate) session: Option<Arc<Session>>,
    /// The answers that came with a request, and the state.
    pub(crate) answers: Option<Span>,
    pub(crate) state: Option<Box<str>>,
    trace: Trace,
}

impl Draft {
    /// A draft of a message that says nothing of itself but its id and method.
    pub(crate) fn new(revision: Revision, id: Option<Span>, method: MethodName) -> Self {
        Self {
            id,
            method,
            revision,
            client: Client::Unknown,
            progress_token: None,
            log_level: None,
            session: None,
            answers: None,
            state: None,
            trace: Trace::default(),
        }
    }

    /// Reads what a modern request says of itself in `_meta`: its capabilities have to be there.
    pub(crate) fn modern(
        body: &[u8],
        revision: Revision,
        id: Option<Span>,
        method: MethodName,
        params: &Params<'_>,
        meta: &Meta<'_>,
    ) -> Result<Self, Fault> {
        let Some(capabilities) = meta.client_capabilities.object() else {
            return Err(Fault::invalid_params(format!(
                "`params._meta[\"{CAPABILITIES}\"]` has to be an object"
            )));
        };
        let mut draft = Self::new(revision, id, method);
        draft.client = Client::InRequest {
            // Display data that nobody verifies: what is malformed is as good as absent.
            info: meta.client_info.object().map(|info| Span::of(body, info)),
            capabilities: Span::of(body, capabilities),
        };
        draft.answers = params.input_responses.non_null().map(|answers| Span::of(body, answers));
        draft.state = match &params.request_state {
            Text::Absent => None,
            // Of another kind it is as good as one that opens nowhere.
            state => Some(state.text().unwrap_or_default().into()),
        };
        draft.progress_token = progress_token(body, meta.progress_token)?;
        draft.trace = Trace::of(body, meta);
        draft.log_level = match &meta.log_level {
            Text::Absent => None,
            level => Some(log_level(level.text(), "params._meta[\"io.modelcontextprotocol/logLevel\"]")?),
        };
        Ok(draft)
    }

    /// Reads what a handshake request says of itself in `_meta`: a progress token at most.
    pub(crate) fn handshake(
        body: &[u8],
        revision: Revision,
        id: Option<Span>,
        method: MethodName,
        params: Option<&Params<'_>>,
    ) -> Result<Self, Fault> {
        let mut draft = Self::new(revision, id, method);
        draft.log_level = Some(LogLevel::UNSET);
        if let Some(meta) = params.and_then(|params| params.meta.as_ref()) {
            draft.progress_token = progress_token(body, meta.progress_token)?;
        }
        Ok(draft)
    }

    /// Takes from a session what its client said of itself once.
    pub(super) fn within(&mut self, session: &Arc<Session>) {
        self.client = Client::Connected(Arc::clone(&session.client));
        self.log_level = Some(session.log_gate().level());
        self.session = Some(Arc::clone(session));
    }

    /// How the handler of a job asks the client.
    fn asks(&mut self, job: &Job, caller: &Caller) -> Asks {
        if !matches!(job, Job::Tool { .. } | Job::Prompt { .. } | Job::Read { .. }) {
            return Asks::new(Means::Never(ELSEWHERE), None);
        }
        match (self.revision.era(), &caller.peer) {
            (Era::Modern, _) => Asks::new(Means::Rounds(self.answers), self.state.take()),
            (Era::Handshake, Some(peer)) => Asks::new(Means::Reverse(Arc::clone(peer)), None),
            (Era::Handshake, None) => Asks::new(Means::Never(NO_SESSION), None),
        }
    }

    // It moves much, which the compiler saves where it sees both ends.
    #[inline]
    fn share(self, engine: &Engine, body: Bytes, caller: Caller, asks: Asks) -> Arc<Shared> {
        Arc::new(Shared {
            body,
            id: self.id,
            method: self.method,
            revision: self.revision,
            transport: caller.transport,
            principal: caller.principal,
            client: self.client,
            progress_token: self.progress_token,
            log_level: self.log_level,
            trace: self.trace,
            outbox: Outbox::new(caller.takes_messages),
            asks,
            deadline: OnceLock::new(),
            end: End::default(),
            session: self.session.map(|session| Arc::clone(&session.id)),
            states: Arc::clone(&engine.states),
            extensions: OnceLock::new(),
            #[cfg(feature = "http")]
            http: caller.http,
        })
    }
}

/// Why nothing is asked in other handlers.
const ELSEWHERE: &str = "the client cannot be asked here: only tools, prompts and resources ask";
/// Why a handshake client over HTTP is not asked.
const NO_SESSION: &str = "the client cannot be asked: it is a client of the handshake era over HTTP, which is asked in a \
                          session only, and the server keeps none (it says `.sessions(Sessions::default())` to do so)";

/// The `_meta` member by which a modern request declares what the client can do.
pub(crate) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

fn progress_token(body: &[u8], token: Raw<'_>) -> Result<Option<Span>, Fault> {
    match token.non_null() {
        None => Ok(None),
        Some(token) if crate::call::RequestId::is_valid(token) => Ok(Some(Span::of(body, token))),
        Some(_) => Err(Fault::invalid_params("`params._meta.progressToken` has to be a text or an integer")),
    }
}

/// The level of that name.
pub(crate) fn log_level(name: Option<&str>, member: &str) -> Result<LogLevel, Fault> {
    name.and_then(LogLevel::parse).ok_or_else(|| {
        let known: Vec<&str> = LogLevel::ALL.iter().map(|level| level.as_str()).collect();
        Fault::invalid_params(format!("`{member}` has to be one of {}", known.join(", ")))
    })
}

impl Caller {
    fn forget_http(&mut self) {
        #[cfg(feature = "http")]
        {
            self.http = None;
        }
    }

    /// Whoever holds the other end of the pipe.
    pub(crate) fn by_lines(peer: &Arc<Peer>) -> Self {
        Self {
            principal: Principal::anonymous(),
            transport: Transport::Stdio,
            takes_messages: true,
            peer: Some(Arc::clone(peer)),
            #[cfg(feature = "http")]
            http: None,
        }
    }
}
