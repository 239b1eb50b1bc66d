//! A message that came over HTTP, taken as far as its headers: refused, taken in silence, or work to do.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::Engine;
use super::classify::{CLAIM, Kind, Route, no_claim};
use super::draft::Draft;
use super::frame::error;
use super::headers::{Headers, VERSION, mismatch};
use super::jobs::{Given, Initialize, Job};
use crate::auth::Principal;
use crate::call::{Peer, Reply, RequestId, Span, Transport};
use crate::protocol::Answer;
use crate::protocol::envelope::{Envelope, Object, Params, Text, Unreadable};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::protocol::method::{Method, MethodName, is_removed_notification};
use crate::protocol::{Era, Revision};
use crate::registry::NotificationDef;
use crate::schema::mirror;
use crate::session::{Presented, Session};

/// Who sent a message, and what can be sent back before its result.
pub(crate) struct Caller {
    pub(crate) principal: Principal,
    pub(crate) transport: Transport,
    /// Messages can go before the result.
    pub(crate) takes_messages: bool,
    /// Whom a handler asks in the handshake era.
    pub(crate) peer: Option<Arc<Peer>>,
    #[cfg(feature = "http")]
    /// In a box: it is long, and handed on several times.
    pub(crate) http: Option<Box<http::request::Parts>>,
}

/// What is to be done about a message. It borrows nothing, so that its bytes can be handed on.
pub(crate) enum Admission {
    /// This is answered.
    Answer(Answer),
    /// Nothing is answered. The HTTP status says how it was taken.
    Silent(u16),
    /// Something is called.
    Work(Draft, Job),
    /// A notification, and what it is about.
    Notice(Draft, About),
    /// The answer to a request of the server's own.
    Reply(u64, Reply),
}

/// What a notification is about.
pub(crate) enum About {
    /// Nothing that anybody handles.
    Nothing,
    /// Somebody handles it.
    Handled(Arc<NotificationDef>),
    /// The request of that id is not wanted any more.
    Cancel(RequestId),
}

/// A refusal on its way out: who speaks, what is wrong, and which request it answers.
pub(super) struct Refusal<'m>(pub(super) Leg, pub(super) Fault, pub(super) Option<&'m str>);

impl From<Refusal<'_>> for Admission {
    fn from(Refusal(leg, fault, id): Refusal<'_>) -> Self {
        Self::Answer(error(&fault, leg, id))
    }
}

impl Engine {
    /// Takes a message that came over HTTP.
    pub(crate) fn admit_http(&self, body: &Bytes, headers: &Headers<'_>) -> Admission {
        match read(body) {
            Ok(message) => self.step(body, &message, headers).unwrap_or_else(Admission::from),
            Err(refusal) => refusal.into(),
        }
    }

    fn step<'m>(
        &self,
        body: &'m Bytes,
        message: &'m Envelope<'m>,
        headers: &'m Headers<'_>,
    ) -> Result<Admission, Refusal<'m>> {
        let kind = Kind::of(message);
        let id = readable_id(message);
        let route = self
            .classify(message, headers.version(), kind)
            .map_err(|(leg, fault)| Refusal(leg, fault, echoed(kind, id)))?;
        let (leg, step) = match route {
            Route::Modern { claim, header } => {
                (Leg::Era(Era::Modern), self.modern(body, message, claim, header, (kind, id), headers))
            }
            Route::Handshake(named) => {
                return self.handshake(body, message, named, kind, id, headers.session);
            }
            Route::Dropped => {
                (Leg::Era(Era::Modern), notification_shape(message).map(|_| Admission::Silent(202)))
            }
            Route::HandshakeUnknown(named) => {
                let fault = Fault::unsupported_version(named, self.revisions(Era::Handshake));
                (Leg::Era(Era::Handshake), Err(fault))
            }
        };
        step.map_err(|fault| Refusal(leg, fault, echoed(kind, id)))
    }

    fn modern(
        &self,
        body: &Bytes,
        message: &Envelope<'_>,
        claim: Option<&str>,
        version: Option<&str>,
        (kind, id): (Kind, Option<&str>),
        headers: &Headers<'_>,
    ) -> Result<Admission, Fault> {
        if !self.serves(Era::Modern) {
            let asked = claim.or(version).unwrap_or_default();
            return Err(Fault::unsupported_version(asked, self.revisions(Era::Handshake)));
        }
        match kind {
            Kind::Request => {}
            Kind::Notification => return self.modern_notification(message, claim, headers),
            Kind::Response => {
                return Err(Fault::invalid_request(
                    "A response cannot be posted: the server sends no requests",
                ));
            }
            Kind::Malformed => return Err(malformed(message)),
        }
        let (method, id) = request_shape(message, id)?;
        let (Some(params), Some(claim)) = (params(message)?, claim) else {
            return Err(no_claim(message));
        };
        let Some(meta) = params.meta.as_ref() else { return Err(no_claim(message)) };
        let known = Method::parse(method);
        // Whether the revision is served is told after what is missing.
        let revision = self.modern_revision(claim);
        let draft = Draft::modern(
            body,
            revision.unwrap_or(Revision::V2026_07_28),
            Some(Span::of(body, id)),
            MethodName::of(known, method),
            params,
            meta,
        )?;
        if version.is_none() {
            return Err(mismatch(VERSION, &format!("is missing; it mirrors `params._meta[\"{CLAIM}\"]`")));
        }
        if revision.is_none() {
            return Err(Fault::unsupported_version(claim, self.revisions(Era::Modern)));
        }
        headers.check_method(method)?;
        headers.check_name(known, Some(params))?;

        let surface = self.surface();
        let tool = known
            .filter(|method| surface.mirrors && *method == Method::ToolsCall)
            .and_then(|_| params.name.text())
            .and_then(|name| surface.tool(name));
        let given = match tool.filter(|tool| !tool.input.mirrors.is_empty()) {
            Some(tool) => {
                let read = mirror::check(&tool.input.mirrors, params.arguments.0, headers.param)?;
                Given::Read(read)
            }
            None => Given::of(body, params.arguments),
        };
        let job = self.job(&surface, Era::Modern, known, method, body, Some(params), given);
        Ok(Admission::Work(draft, job))
    }

    pub(super) fn modern_revision(&self, claim: &str) -> Option<Revision> {
        Revision::parse(claim).filter(|revision| self.revisions(Era::Modern).contains(revision))
    }

    fn modern_notification(
        &self,
        message: &Envelope<'_>,
        claim: Option<&str>,
        headers: &Headers<'_>,
    ) -> Result<Admission, Fault> {
        let method = notification_shape(message)?;
        let revision = match claim {
            Some(claim) => self
                .modern_revision(claim)
                .ok_or_else(|| Fault::unsupported_version(claim, self.revisions(Era::Modern)))?,
            None => Revision::V2026_07_28,
        };
        headers.check_notification(method)?;
        if is_removed_notification(method) {
            return Ok(Admission::Silent(400));
        }
        Ok(self.notification(method, revision, None))
    }

    /// A notification that is no affair of the protocol's own: somebody handles it, or nobody does.
    pub(super) fn notification(
        &self,
        method: &str,
        revision: Revision,
        session: Option<&Arc<Session>>,
    ) -> Admission {
        let about = self.surface().notification(method).cloned().map_or(About::Nothing, About::Handled);
        notice(method, revision, session, about)
    }

    fn handshake<'m>(
        &self,
        body: &'m Bytes,
        message: &'m Envelope<'m>,
        named: Option<Revision>,
        kind: Kind,
        id: Option<&'m str>,
        presented: &Presented,
    ) -> Result<Admission, Refusal<'m>> {
        let edge = |fault| Refusal(Leg::Edge, fault, echoed(kind, id));
        let era = |fault| Refusal(Leg::Era(Era::Handshake), fault, id);
        let served = self.revisions(Era::Handshake);
        let revision = match named {
            Some(named) if served.contains(&named) => named,
            Some(named) => return Err(era(Fault::unsupported_version(named.as_str(), served))),
            None if served.contains(&Revision::ASSUMED) => Revision::ASSUMED,
            None => served.first().copied().unwrap_or(Revision::ASSUMED),
        };
        let (method, request) = match kind {
            Kind::Request => request_shape(message, id).map(|(method, id)| (method, Some(id))),
            Kind::Notification => notification_shape(message).map(|method| (method, None)),
            Kind::Response => response_shape(message).map(|()| ("", None)),
            Kind::Malformed => Err(malformed(message)),
        }
        .map_err(edge)?;
        let known = Method::parse(method);
        let opens = request.is_some() && known == Some(Method::Initialize);
        let session = presented.of(opens).map_err(edge)?;
        // What a session has agreed on stands, whichever revision a header names.
        let revision = session.map_or(revision, |session| session.revision);
        let Some(request) = request else {
            return Ok(match session {
                Some(_) if kind == Kind::Response => reply(message),
                None if kind == Kind::Response => Admission::Silent(202),
                Some(session) if method == CANCELLED => {
                    notice(method, revision, Some(session), cancelled(body, message))
                }
                _ => self.notification(method, revision, session),
            });
        };
        let params = params(message).map_err(edge)?;
        meta_shape(params).map_err(era)?;
        let mut draft = Draft::handshake(
            body,
            revision,
            Some(Span::of(body, request)),
            MethodName::of(known, method),
            params,
        )
        .map_err(era)?;
        if let Some(session) = session {
            draft.within(session);
        }
        let surface = self.surface();
        let given = Given::of(body, params.map(|params| params.arguments).unwrap_or_default());
        let job = self.job(&surface, Era::Handshake, known, method, body, params, given);
        let job = match job {
            Job::SetLevel(level, _) => {
                Job::SetLevel(level, session.map(|session| Arc::clone(session.log_gate())))
            }
            Job::Subscribe { uri, on, .. } => {
                Job::Subscribe { uri, on, whom: session.map(|session| Arc::clone(session.listener())) }
            }
            Job::Initialize(agreed) => {
                Job::Initialize(Initialize { is_told: !matches!(presented, Presented::Off), ..agreed })
            }
            job => job,
        };
        Ok(Admission::Work(draft, job))
    }
}

/// A notification as it was sent, within a session where there is one.
pub(super) fn notice(
    method: &str,
    revision: Revision,
    session: Option<&Arc<Session>>,
    about: About,
) -> Admission {
    let mut draft = Draft::new(revision, None, MethodName::parse(method));
    if let Some(session) = session {
        draft.within(session);
    }
    Admission::Notice(draft, about)
}

/// The answer that a message is to a request of the server's own; one to nothing that the server asked says nothing.
pub(super) fn reply(message: &Envelope<'_>) -> Admission {
    let Some(id) = message.id.0.and_then(|id| id.parse().ok()) else { return Admission::Silent(202) };
    // What is neither a result nor an error is nothing that fits.
    let reply = match (message.result.0, message.error.object()) {
        (_, Some(error)) => {
            #[derive(serde::Deserialize, Default)]
            #[serde(default)]
            struct Told {
                code: i64,
                message: String,
            }
            let told: Told = serde_json::from_str(error).unwrap_or_default();
            Err((told.code, told.message))
        }
        (result, None) => Ok(result.and_then(|result| serde_json::from_str(result).ok()).unwrap_or_default()),
    };
    Admission::Reply(id, reply)
}

/// The notification that a request is not wanted any more.
pub(super) const CANCELLED: &str = "notifications/cancelled";

/// Which request is not wanted any more; what names none says nothing.
pub(super) fn cancelled(body: &Bytes, message: &Envelope<'_>) -> About {
    let id = message.params.as_ref().and_then(|params| params.request_id.0);
    match id.filter(|id| RequestId::is_valid(id)) {
        Some(id) => About::Cancel(RequestId::of(body, Span::of(body, id))),
        None => About::Nothing,
    }
}

/// Reads the bytes of a message.
pub(super) fn read(body: &Bytes) -> Result<Envelope<'_>, Refusal<'_>> {
    let text = std::str::from_utf8(body).map_err(|_| {
        Refusal(Leg::Edge, Fault::new(FaultKind::Parse, "Parse error: the message is not UTF-8"), None)
    })?;
    Envelope::read(text).map_err(|unreadable| no_message(text, unreadable))
}

/// Why a text is no message, with the id of the request that it may be nevertheless.
#[cold]
fn no_message(text: &str, unreadable: Unreadable) -> Refusal<'_> {
    match unreadable {
        Unreadable::NotJson(why) => {
            Refusal(Leg::Edge, Fault::new(FaultKind::Parse, format!("Parse error: {why}")), id_alone(text))
        }
        Unreadable::Batch => Refusal(
            Leg::Edge,
            Fault::invalid_request(
                "Invalid request: a message is one object; batches are not taken, send each alone",
            ),
            None,
        ),
        Unreadable::Scalar => {
            Refusal(Leg::Edge, Fault::invalid_request("Invalid request: a message is one object"), None)
        }
    }
}

/// The id of a request of which something else cannot be read: a member twice, half a surrogate pair.
fn id_alone(text: &str) -> Option<&str> {
    #[derive(serde::Deserialize)]
    struct Request<'m> {
        #[serde(borrow)]
        id: &'m RawValue,
        #[serde(borrow, rename = "method")]
        _method: &'m RawValue,
    }
    let request: Request<'_> = serde_json::from_slice(text.as_bytes()).ok()?;
    Some(request.id.get()).filter(|id| RequestId::is_valid(id))
}

/// The id, where it is one that can be sent back.
pub(super) fn readable_id<'m>(message: &Envelope<'m>) -> Option<&'m str> {
    message.id.0.filter(|id| RequestId::is_valid(id))
}

/// Which id a refusal carries: that of a request. A posted response's id is not one of the client's own.
fn echoed(kind: Kind, id: Option<&str>) -> Option<&str> {
    id.filter(|_| kind != Kind::Response)
}

/// The method and id of a request whose id could be read, with what JSON-RPC wants beside them.
pub(super) fn request_shape<'m>(
    message: &'m Envelope<'_>,
    id: Option<&'m str>,
) -> Result<(&'m str, &'m str), Fault> {
    let id =
        id.ok_or_else(|| Fault::invalid_request("Invalid request: `id` has to be a text or an integer"))?;
    Ok((notification_shape(message)?, id))
}

/// The method of a message, with what JSON-RPC wants beside it.
pub(super) fn notification_shape<'m>(message: &'m Envelope<'_>) -> Result<&'m str, Fault> {
    if message.jsonrpc.text() != Some("2.0") {
        return Err(Fault::invalid_request("Invalid request: `jsonrpc` has to be \"2.0\""));
    }
    message
        .method
        .text()
        .filter(|method| !method.is_empty())
        .ok_or_else(|| Fault::invalid_request("Invalid request: `method` has to be a text"))
}

/// Whether a posted response is one.
pub(super) fn response_shape(message: &Envelope<'_>) -> Result<(), Fault> {
    let one_outcome = message.result.0.is_some() != message.error.0.is_some();
    if one_outcome && readable_id(message).is_some() && message.jsonrpc.text() == Some("2.0") {
        return Ok(());
    }
    Err(Fault::invalid_request(
        "Invalid response: it has an `id` that is a text or an integer, and either `result` or `error`",
    ))
}

/// What is wrong with an object that is no kind of message.
pub(super) fn malformed(message: &Envelope<'_>) -> Fault {
    Fault::invalid_request(if message.method == Text::Absent {
        "Invalid request: a message has a `method`, or the `result` or `error` of a request"
    } else {
        "Invalid request: a message has either a `method`, or a `result` or `error`"
    })
}

/// The parameters, which are an object where they are there.
pub(super) fn params<'m>(message: &'m Envelope<'m>) -> Result<Option<&'m Params<'m>>, Fault> {
    match &message.params {
        Object::Absent | Object::Null => Ok(None),
        Object::Is(params) => Ok(Some(params)),
        Object::Other => Err(Fault::invalid_params("Invalid params: `params` has to be an object")),
    }
}

/// Whether `_meta` is an object where it is there.
pub(super) fn meta_shape(params: Option<&Params<'_>>) -> Result<(), Fault> {
    match params.map(|params| &params.meta) {
        Some(Object::Other) => {
            Err(Fault::invalid_params("Invalid params: `params._meta` has to be an object"))
        }
        _ => Ok(()),
    }
}
