//! The headers that mirror a message, compared with it (2026-07-28, Streamable HTTP, "Server Validation").

use super::Engine;
use crate::protocol::envelope::{Params, Text};
use crate::protocol::fault::Fault;
use crate::protocol::method::{Method, NamedBy};
use crate::protocol::mirrored::{decode, is_plainly, plain, trim};
use crate::protocol::{Era, Revision};
use crate::schema::mirror::{Line, Mirror};
use crate::session::Presented;

/// What a request says in its headers.
pub(crate) struct Headers<'h> {
    pub(crate) version: Line<'h>,
    pub(crate) method: Line<'h>,
    pub(crate) name: Line<'h>,
    /// What `Mcp-Session-Id` leads to.
    pub(crate) session: &'h Presented,
    /// `Mcp-Param-*`.
    pub(crate) param: &'h (dyn Fn(&Mirror) -> Line<'h> + Sync),
}

pub(crate) const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

impl Headers<'_> {
    /// The revision that the headers name; an empty value is none.
    pub(crate) fn version(&self) -> Result<Option<&str>, Fault> {
        match self.version {
            Line::Absent => Ok(None),
            Line::Twice => Err(mismatch(VERSION, "is sent more than once")),
            Line::Once(value) => match known(value).map_or_else(|| plain(trim(value)), Ok) {
                Ok("") => Ok(None),
                Ok(version) => Ok(Some(version)),
                Err(malformed) => Err(mismatch(VERSION, malformed.as_str())),
            },
        }
    }

    /// `Mcp-Method` on a request: there, and equal.
    pub(crate) fn check_method(&self, method: &str) -> Result<(), Fault> {
        match self.method {
            Line::Absent => Err(mismatch(METHOD, "is missing; it mirrors the method of the request")),
            Line::Twice => Err(mismatch(METHOD, "is sent more than once")),
            Line::Once(value) if trim(value).is_empty() => {
                Err(mismatch(METHOD, "is empty; it mirrors the method of the request"))
            }
            Line::Once(value) if trim(value) == method.as_bytes() => Ok(()),
            Line::Once(_) => Err(mismatch(METHOD, "differs from the method of the request")),
        }
    }

    /// `Mcp-Method` on a notification: equal, where it is there.
    pub(crate) fn check_notification(&self, method: &str) -> Result<(), Fault> {
        if self.method == Line::Absent { Ok(()) } else { self.check_method(method) }
    }

    /// `Mcp-Name`: there and equal where the method has a name; whatever it says elsewhere.
    pub(crate) fn check_name(
        &self,
        method: Option<Method>,
        params: Option<&Params<'_>>,
    ) -> Result<(), Fault> {
        let Some(by) = method.and_then(Method::named_by) else { return Ok(()) };
        let absent = Text::Absent;
        let (body, member) = match (by, params) {
            (NamedBy::Name, Some(params)) => (&params.name, "params.name"),
            (NamedBy::Uri, Some(params)) => (&params.uri, "params.uri"),
            (NamedBy::TaskId, Some(params)) => (&params.task_id, "params.taskId"),
            (_, None) => (&absent, "params"),
        };
        match (body.text(), self.name) {
            (_, Line::Twice) => Err(mismatch(NAME, "is sent more than once")),
            // What is missing in the body is told as that, later.
            (None, Line::Absent) => Ok(()),
            (Some(_), Line::Absent) => Err(mismatch(NAME, &format!("is missing; it mirrors `{member}`"))),
            (None, Line::Once(_)) => Err(mismatch(NAME, &format!("mirrors `{member}`, which is not a text"))),
            (Some(body), Line::Once(value)) if is_plainly(value, body) => Ok(()),
            (Some(body), Line::Once(value)) => match decode(trim(value)) {
                Ok(value) if value == body => Ok(()),
                Ok(_) => Err(mismatch(NAME, &format!("differs from `{member}`"))),
                Err(malformed) => Err(mismatch(NAME, malformed.as_str())),
            },
        }
    }
}

/// The revision of that name; what most requests say need not be looked at byte by byte.
fn known(name: &[u8]) -> Option<&'static str> {
    Revision::ALL.into_iter().map(Revision::as_str).find(|known| known.as_bytes() == name)
}

impl Engine {
    /// What a request without a message may say of its revision: one of the handshake era, or nothing.
    pub(crate) fn check_version(&self, headers: &Headers<'_>) -> Result<(), Fault> {
        let served = self.revisions(Era::Handshake);
        match headers.version()? {
            Some(named) if !served.iter().any(|revision| revision.as_str() == named) => {
                Err(Fault::unsupported_version(named, served))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn mismatch(header: &str, what: &str) -> Fault {
    Fault::header_mismatch(header, format!("Header mismatch: `{header}` {what}"))
}
