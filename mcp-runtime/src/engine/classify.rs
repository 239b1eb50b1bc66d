//! Which era a message belongs to, decided once, by its body first (`claim`) and its header second.

use super::Engine;
use super::headers::{VERSION, mismatch};
use crate::protocol::envelope::{Envelope, Object, Text};
use crate::protocol::fault::{Fault, Leg};
use crate::protocol::{Era, Revision};

/// The `_meta` member by which a request names its revision.
pub(crate) const CLAIM: &str = "io.modelcontextprotocol/protocolVersion";

/// What kind of message it is, by which members are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Notification,
    /// An answer to a request of the server's.
    Response,
    /// None of these.
    Malformed,
}

impl Kind {
    pub(crate) fn of(message: &Envelope<'_>) -> Self {
        let has_method = message.method != Text::Absent;
        let has_outcome = message.result.0.is_some() || message.error.0.is_some();
        match (has_method, message.id.0.is_some(), has_outcome) {
            (true, _, true) => Self::Malformed,
            (true, true, false) => Self::Request,
            (true, false, false) => Self::Notification,
            (false, _, true) => Self::Response,
            (false, _, false) => Self::Malformed,
        }
    }
}

/// The leg that answers a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route<'v> {
    /// The modern leg, with the revision that the message claims and the one that its header names. A notification
    /// may claim none.
    Modern { claim: Option<&'v str>, header: Option<&'v str> },
    /// The handshake leg, with the revision that the message names.
    Handshake(Option<Revision>),
    /// The handshake leg, for a revision that it does not know.
    HandshakeUnknown(&'v str),
    /// Nobody: a notification of an era that is not served.
    Dropped,
}

/// A refusal together with the leg that speaks it.
pub(crate) type Refused = (Leg, Fault);

/// What a message claims its revision to be.
pub(crate) fn claim<'m>(message: &'m Envelope<'_>) -> Result<Option<&'m str>, Fault> {
    let Some(meta) = message.params.as_ref().and_then(|params| params.meta.as_ref()) else { return Ok(None) };
    match &meta.protocol_version {
        Text::Absent => Ok(None),
        Text::Is(claim) if !claim.is_empty() => Ok(Some(claim)),
        Text::Is(_) | Text::Null | Text::Other => Err(Fault::invalid_params(format!(
            "`params._meta[\"{CLAIM}\"]` has to be a text such as \"2026-07-28\""
        ))),
    }
}

impl Engine {
    /// Decides the leg of a message that came over HTTP.
    pub(crate) fn classify<'v>(
        &self,
        message: &'v Envelope<'_>,
        header: Result<Option<&'v str>, Fault>,
        kind: Kind,
    ) -> Result<Route<'v>, Refused> {
        let edge = |fault| (Leg::Edge, fault);
        let claim = claim(message).map_err(edge)?;
        let header = header.map_err(edge)?;
        if let (Some(claim), Some(header)) = (claim, header)
            && claim != header
        {
            let what = format!("differs from `params._meta[\"{CLAIM}\"]`");
            return Err(edge(mismatch(VERSION, &what)));
        }
        if !self.serves(Era::Handshake) {
            return self
                .classify_modern_only(message, claim, header, kind)
                .map_err(|fault| (Leg::Era(Era::Modern), fault));
        }
        match (claim, claim.or(header).map(|name| (name, Revision::parse(name)))) {
            (_, None) => Ok(Route::Handshake(None)),
            (_, Some((_, Some(revision)))) if revision.era() == Era::Handshake => {
                Ok(Route::Handshake(Some(revision)))
            }
            (claim @ Some(_), _) => Ok(Route::Modern { claim, header }),
            (None, Some((_, Some(_)))) => match kind {
                Kind::Request => Err(edge(no_claim(message))),
                Kind::Response => Err(edge(Fault::invalid_request(
                    "A response cannot be posted: in this revision the server sends no requests",
                ))),
                Kind::Notification | Kind::Malformed => Ok(Route::Modern { claim: None, header }),
            },
            (None, Some((unknown, None))) => Ok(Route::HandshakeUnknown(unknown)),
        }
    }

    fn classify_modern_only<'v>(
        &self,
        message: &'v Envelope<'_>,
        claim: Option<&'v str>,
        header: Option<&'v str>,
        kind: Kind,
    ) -> Result<Route<'v>, Fault> {
        match (claim, kind) {
            (None, Kind::Request) if message.method.text() == Some("initialize") => {
                Err(self.initialize_refused(message, header))
            }
            (None, Kind::Request) => Err(no_claim(message)),
            (None, Kind::Response) => {
                Err(Fault::invalid_request("A response cannot be posted: the server sends no requests"))
            }
            (None, Kind::Notification) => match header.map(|name| (name, Revision::parse(name))) {
                None => Ok(Route::Dropped),
                Some((_, Some(revision))) if revision.era() == Era::Handshake => Ok(Route::Dropped),
                Some((unknown, None)) => {
                    Err(Fault::unsupported_version(unknown, self.revisions(Era::Modern)))
                }
                Some((_, Some(_))) => Ok(Route::Modern { claim: None, header }),
            },
            (claim, _) => Ok(Route::Modern { claim, header }),
        }
    }

    /// Why a bare `initialize` cannot be served here, with the revisions that can.
    pub(crate) fn initialize_refused(&self, message: &Envelope<'_>, header: Option<&str>) -> Fault {
        let asked = message.params.as_ref().and_then(|params| params.protocol_version.text());
        Fault::unsupported_version(asked.or(header).unwrap_or_default(), self.revisions(Era::Modern))
    }
}

/// A request of the modern era that does not name its revision.
pub(crate) fn no_claim(message: &Envelope<'_>) -> Fault {
    let meta_is_wrong =
        message.params.as_ref().is_some_and(|params| matches!(params.meta, Object::Other | Object::Null));
    if meta_is_wrong {
        Fault::invalid_params(format!("`params._meta` has to be an object that holds `{CLAIM}`"))
    } else {
        Fault::invalid_params(format!(
            "`params._meta[\"{CLAIM}\"]` is missing; every request names its revision there"
        ))
    }
}
