//! One connection by lines: the era that its first request decides, and what a handshake agreed on.

use std::sync::Arc;

use bytes::Bytes;

use super::Engine;
use super::admit::{
    Admission, CANCELLED, Refusal, cancelled, malformed, meta_shape, notice, notification_shape, params,
    read, readable_id, reply, request_shape,
};
use super::classify::{Kind, claim, no_claim};
use super::draft::Draft;
use super::jobs::{Given, Job};
use crate::call::{Client, Connected, LogGate, Span};
use crate::hub::{Listener, Wants};
use crate::protocol::envelope::Envelope;
use crate::protocol::fault::{Fault, Leg};
use crate::protocol::method::{Method, MethodName};
use crate::protocol::{Era, Revision};

/// One connection by lines.
#[derive(Default)]
pub(crate) struct Pipe {
    state: State,
}

#[derive(Default)]
enum State {
    /// No request has come yet.
    #[default]
    Open,
    Modern,
    /// The handshake era; with what `initialize` agreed on, once it has come.
    Handshake(Option<Session>),
}

struct Session {
    revision: Revision,
    client: Arc<Connected>,
    log_gate: Arc<LogGate>,
    listener: Arc<Listener>,
}

impl Pipe {
    /// What a handshake agreed on does not hold: it was refused.
    pub(crate) fn forget(&mut self) {
        if let State::Handshake(session) = &mut self.state {
            *session = None;
        }
    }

    /// What has changed for a client of the handshake era, once there is one.
    pub(crate) fn listener(&self) -> Option<&Arc<Listener>> {
        self.session().map(|session| &session.listener)
    }

    fn session(&self) -> Option<&Session> {
        match &self.state {
            State::Handshake(session) => session.as_ref(),
            _ => None,
        }
    }
}

impl Engine {
    /// Takes one line.
    pub(crate) fn admit_line(&self, pipe: &mut Pipe, line: &Bytes) -> Admission {
        match read(line) {
            Ok(message) => self.line(pipe, line, &message).unwrap_or_else(Admission::from),
            Err(refusal) => refusal.into(),
        }
    }

    fn line<'m>(
        &self,
        pipe: &mut Pipe,
        body: &'m Bytes,
        message: &'m Envelope<'m>,
    ) -> Result<Admission, Refusal<'m>> {
        let id = readable_id(message);
        match Kind::of(message) {
            Kind::Request => {}
            Kind::Notification => return Ok(self.line_notification(pipe, body, message)),
            // What is no answer is nobody's, and nobody waits to be told.
            Kind::Response if matches!(pipe.state, State::Handshake(Some(_))) => return Ok(reply(message)),
            Kind::Response => return Ok(Admission::Silent(202)),
            Kind::Malformed => return Err(Refusal(Leg::Edge, malformed(message), id)),
        }
        let (method, id) = request_shape(message, id).map_err(|fault| Refusal(Leg::Edge, fault, id))?;
        let claim = claim(message).map_err(|fault| Refusal(Leg::Edge, fault, Some(id)))?;
        let era = match (&pipe.state, claim.map(Revision::parse)) {
            (State::Modern, _) => Era::Modern,
            (State::Handshake(_), None) => Era::Handshake,
            (State::Handshake(_), Some(Some(revision))) if revision.era() == Era::Handshake => Era::Handshake,
            (State::Handshake(_), Some(_)) => {
                let fault = Fault::invalid_request(
                    "This connection has begun in the handshake era; a request that names its revision needs a new one",
                );
                return Err(Refusal(Leg::Era(Era::Handshake), fault, Some(id)));
            }
            (State::Open, None) => Era::Handshake,
            (State::Open, Some(Some(revision))) => revision.era(),
            (State::Open, Some(None)) => Era::Modern,
        };
        let step = match era {
            Era::Modern => self.modern_line(pipe, body, message, claim, method, id),
            Era::Handshake => self.handshake_line(pipe, body, message, claim, method, id),
        };
        step.map_err(|(leg, fault)| Refusal(leg, fault, Some(id)))
    }

    fn modern_line(
        &self,
        pipe: &mut Pipe,
        body: &Bytes,
        message: &Envelope<'_>,
        claim: Option<&str>,
        method: &str,
        id: &str,
    ) -> Result<Admission, (Leg, Fault)> {
        let refused = |fault| (Leg::Era(Era::Modern), fault);
        let served = if self.serves(Era::Modern) { Era::Modern } else { Era::Handshake };
        let Some(claim) = claim else {
            return Err(refused(if method == "initialize" {
                self.initialize_refused(message, None)
            } else {
                no_claim(message)
            }));
        };
        let Some(revision) = self.modern_revision(claim) else {
            return Err(refused(Fault::unsupported_version(claim, self.revisions(served))));
        };
        pipe.state = State::Modern;
        let (Some(params), Some(meta)) =
            (message.params.as_ref(), message.params.as_ref().and_then(|params| params.meta.as_ref()))
        else {
            return Err(refused(no_claim(message)));
        };
        let known = Method::parse(method);
        let id = Some(Span::of(body, id));
        let draft = Draft::modern(body, revision, id, MethodName::of(known, method), params, meta)
            .map_err(refused)?;
        let given = Given::of(body, params.arguments);
        let job = self.job(&self.surface(), Era::Modern, known, method, body, Some(params), given);
        Ok(Admission::Work(draft, job))
    }

    fn handshake_line(
        &self,
        pipe: &mut Pipe,
        body: &Bytes,
        message: &Envelope<'_>,
        claim: Option<&str>,
        method: &str,
        id: &str,
    ) -> Result<Admission, (Leg, Fault)> {
        let refused = |fault| (Leg::Era(Era::Handshake), fault);
        if !self.serves(Era::Handshake) {
            return Err((
                Leg::Era(Era::Modern),
                match claim {
                    Some(claim) => Fault::unsupported_version(claim, self.revisions(Era::Modern)),
                    None if method == "initialize" => self.initialize_refused(message, None),
                    None => no_claim(message),
                },
            ));
        }
        if !matches!(pipe.state, State::Handshake(_)) {
            pipe.state = State::Handshake(None);
        }
        let session = pipe.session();
        let known = Method::parse(method);
        let newest = self.revisions(Era::Handshake).first().copied().unwrap_or(Revision::ASSUMED);
        let params = params(message).map_err(refused)?;
        meta_shape(params).map_err(refused)?;
        let revision = session.map_or(newest, |session| session.revision);
        let id = Some(Span::of(body, id));
        let mut draft =
            Draft::handshake(body, revision, id, MethodName::of(known, method), params).map_err(refused)?;
        match session {
            Some(session) => {
                draft.client = Client::Connected(Arc::clone(&session.client));
                draft.log_level = Some(session.log_gate.level());
            }
            None if matches!(known, Some(Method::Initialize | Method::Ping)) => {}
            None if known.is_none_or(|method| !method.is_of(Era::Handshake)) => {}
            None => {
                return Err(refused(Fault::invalid_request(
                    "The connection is not initialized: send `initialize` first, or name the revision in `params._meta`",
                )));
            }
        }
        let surface = self.surface();
        let given = Given::of(body, params.map(|params| params.arguments).unwrap_or_default());
        let mut job = self.job(&surface, Era::Handshake, known, method, body, params, given);
        match &mut job {
            Job::Initialize(_) if session.is_some() => {
                return Err(refused(Fault::invalid_request("The connection is initialized already")));
            }
            Job::Initialize(agreed) => {
                let client = Arc::new(agreed.client.clone());
                draft.revision = agreed.revision;
                pipe.state = State::Handshake(Some(Session {
                    revision: agreed.revision,
                    client,
                    log_gate: Arc::default(),
                    listener: self.live.hub().listen(Wants::lists()),
                }));
            }
            Job::Subscribe { whom, .. } => *whom = session.map(|session| Arc::clone(&session.listener)),
            Job::SetLevel(_, gate) => *gate = session.map(|session| Arc::clone(&session.log_gate)),
            _ => {}
        }
        Ok(Admission::Work(draft, job))
    }

    fn line_notification(&self, pipe: &Pipe, body: &Bytes, message: &Envelope<'_>) -> Admission {
        let Ok(method) = notification_shape(message) else { return Admission::Silent(400) };
        let revision = match &pipe.state {
            State::Handshake(Some(session)) => session.revision,
            State::Modern => self.revisions(Era::Modern).first().copied().unwrap_or(Revision::V2026_07_28),
            State::Open | State::Handshake(None) => Revision::ASSUMED,
        };
        if method == CANCELLED {
            return notice(method, revision, None, cancelled(body, message));
        }
        self.notification(method, revision, None)
    }
}
