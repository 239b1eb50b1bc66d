//! The one error table: every way in which a message is refused, with its JSON-RPC code and HTTP status.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::revision::{Era, Revision};

/// The part of the server that refuses, which decides the HTTP status (and once the code).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// Before an era is known.
    Edge,
    /// Within an era.
    Era(Era),
}

/// What is wrong, as a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The body is not JSON.
    Parse,
    /// The JSON is not a message that may stand here.
    InvalidRequest,
    /// No session of that id, for this caller.
    NoSession,
    /// The body is longer than the server takes.
    TooLarge,
    /// The `Origin` or `Host` is not one the server answers.
    Forbidden,
    /// The HTTP method is not served at this path.
    MethodNotAllowed,
    /// The client accepts no media type the answer could have.
    NotAcceptable,
    /// The body did not arrive in time.
    Timeout,
    /// The `Content-Type` is not `application/json`.
    UnsupportedMediaType,
    /// No such method, or one of another era.
    MethodNotFound,
    /// The parameters do not fit the method.
    InvalidParams,
    /// No resource of that URI.
    ResourceNotFound,
    /// The server failed; what happened is in its log.
    Internal,
    /// The server has as many calls in flight as it takes.
    Busy,
    /// A mirrored header is missing, malformed or differs from the body.
    HeaderMismatch,
    /// The revision is not served.
    UnsupportedVersion,
    /// A code of the author's own, outside the reserved range.
    Author(i32),
}

impl FaultKind {
    /// JSON-RPC code, and HTTP status at the edge, in the handshake era and in the modern one.
    fn row(self, leg: Leg) -> (i32, u16) {
        let by_leg = |edge, handshake, modern| match leg {
            Leg::Edge => edge,
            Leg::Era(Era::Handshake) => handshake,
            Leg::Era(Era::Modern) => modern,
        };
        match self {
            Self::Parse => (-32700, 400),
            Self::InvalidRequest => (-32600, 400),
            Self::NoSession => (-32600, 404),
            Self::TooLarge => (-32600, 413),
            Self::Forbidden => (-32600, 403),
            Self::MethodNotAllowed => (-32600, 405),
            Self::NotAcceptable => (-32600, 406),
            Self::Timeout => (-32600, 408),
            Self::UnsupportedMediaType => (-32600, 415),
            Self::MethodNotFound => (-32601, by_leg(404, 200, 404)),
            Self::InvalidParams => (-32602, by_leg(400, 200, 400)),
            Self::ResourceNotFound => match leg {
                Leg::Era(Era::Handshake) => (-32002, 200),
                _ => (-32602, 400),
            },
            Self::Internal => (-32603, by_leg(500, 200, 500)),
            Self::Busy => (-32603, 503),
            Self::HeaderMismatch => (-32020, 400),
            Self::UnsupportedVersion => (-32022, 400),
            Self::Author(code) => (code, 200),
        }
    }
}

/// A refusal on its way to the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The row of the table.
    pub kind: FaultKind,
    /// What was wrong, where, and what would be right: one sentence.
    pub message: Cow<'static, str>,
    /// Facts a program can act on.
    pub data: Option<Value>,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, message: message.into(), data: None }
    }

    pub(crate) fn with(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(FaultKind::InvalidRequest, message)
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(FaultKind::InvalidParams, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(FaultKind::MethodNotFound, format!("Method not found: {method}"))
    }

    pub(crate) fn resource_not_found(uri: &str) -> Self {
        Self::new(FaultKind::ResourceNotFound, format!("Resource not found: {uri}"))
            .with(json!({ "uri": uri }))
    }

    pub(crate) fn header_mismatch(header: &str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(FaultKind::HeaderMismatch, message).with(json!({ "header": header }))
    }

    pub(crate) fn unsupported_version(requested: &str, supported: &[Revision]) -> Self {
        let mut message = format!("Unsupported protocol version `{requested}`; this server speaks ");
        for (at, revision) in supported.iter().enumerate() {
            if at > 0 {
                message.push_str(", ");
            }
            message.push_str(revision.as_str());
        }
        Self::new(FaultKind::UnsupportedVersion, message)
            .with(json!({ "supported": supported, "requested": requested }))
    }

    /// The JSON-RPC code as the given leg sends it.
    pub fn code(&self, leg: Leg) -> i32 {
        self.kind.row(leg).0
    }

    /// The HTTP status as the given leg sends it while nothing has been written yet.
    pub fn status(&self, leg: Leg) -> u16 {
        self.kind.row(leg).1
    }
}

/// Whether JSON-RPC or MCP keeps the code to itself, so that a handler may not invent a meaning for it.
///
/// `-32768..=-32000` is reserved as a whole; the codes a handler can honestly mean are left to it.
pub(crate) fn author_kind(code: i32) -> Option<FaultKind> {
    match code {
        -32601 => Some(FaultKind::MethodNotFound),
        -32602 => Some(FaultKind::InvalidParams),
        -32603 => Some(FaultKind::Internal),
        -32768..=-32000 => None,
        other => Some(FaultKind::Author(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_resources_have_the_code_of_their_era() {
        let fault = Fault::resource_not_found("a://b");
        assert_eq!(fault.code(Leg::Era(Era::Handshake)), -32002);
        assert_eq!(fault.status(Leg::Era(Era::Handshake)), 200);
        assert_eq!(fault.code(Leg::Era(Era::Modern)), -32602);
        assert_eq!(fault.status(Leg::Era(Era::Modern)), 400);
    }

    #[test]
    fn reserved_codes_are_not_the_authors_to_use() {
        for code in [-32700, -32600, -32000, -32002, -32020, -32021, -32022, -32042, -32099] {
            assert_eq!(author_kind(code), None, "{code}");
        }
        assert_eq!(author_kind(-32602), Some(FaultKind::InvalidParams));
        assert_eq!(author_kind(7), Some(FaultKind::Author(7)));
    }
}
