//! Why a handler has no result.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::call::AskError;
use crate::protocol::Era;
use crate::protocol::fault::{Fault, FaultKind, Leg, author_kind};
use crate::schema::faults::{ArgumentFault, told};

/// Why a handler has no result.
#[derive(Debug)]
pub enum Failure {
    /// The arguments do not fit: a result with `isError` for a tool, -32602 for others.
    Arguments(Vec<ArgumentFault>),
    /// An error of the protocol.
    Protocol(ProtocolError),
    /// There is no such resource.
    NotFound,
    /// What the handler returned cannot be sent, and why, for the log alone.
    Unsendable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(faults) => f.write_str(&told("the handler", faults)),
            Self::Protocol(error) => error.fmt(f),
            Self::NotFound => f.write_str("there is no such resource"),
            Self::Unsendable(text) => f.write_str(text),
        }
    }
}

/// A JSON-RPC error. Return it where the call itself is wrong; what the model should read is a
/// [`ToolError`](crate::mcp::ToolError), or any other `Err`.
///
/// It is not a `std::error::Error`, so that `anyhow` and its like cannot swallow it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolError {
    fault: Fault,
}

impl ProtocolError {
    /// -32602: the parameters do not fit the method.
    pub const INVALID_PARAMS: i32 = -32602;

    /// An error of that code. Codes that JSON-RPC and MCP keep to themselves (`-32768..=-32000`, but for -32601,
    /// -32602 and -32603) become -32603.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        let kind = author_kind(code).unwrap_or_else(|| {
            crate::log::warn(&format!(
                "the error code {code} is the protocol's own, and is answered as -32603: codes of yours are outside of -32768 to -32000"
            ));
            FaultKind::Internal
        });
        Self { fault: Fault::new(kind, Cow::Owned(message.into())) }
    }

    /// The parameters do not fit the method.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// The server failed. What happened goes to the log under an id; the client reads the id.
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let id = crate::log::masked(&*error.into());
        Self::new(-32603, format!("Internal error {id}; the server's log says more"))
    }

    /// The server has as much to do as it takes.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self { fault: Fault::new(FaultKind::Busy, Cow::Owned(message.into())) }
    }

    /// Adds facts that a program can act on.
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.fault.data = Some(data.into());
        self
    }

    /// Its code.
    pub fn code(&self) -> i32 {
        // The codes that a handler can give are the same in both eras.
        self.fault.code(Leg::Era(Era::Modern))
    }

    /// What it says.
    pub fn message(&self) -> &str {
        &self.fault.message
    }

    /// The facts that a program can act on.
    pub fn data(&self) -> Option<&Value> {
        self.fault.data.as_ref()
    }

    pub(crate) fn into_fault(self) -> Fault {
        self.fault
    }
}

/// What was asked has no answer, as the client reads it: -32603, with the reason.
impl From<AskError> for ProtocolError {
    fn from(error: AskError) -> Self {
        Self::new(-32603, error.to_string())
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl From<ProtocolError> for Failure {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_cannot_fake_the_protocols_own_codes() {
        for (code, sent) in [(-32020, -32603), (-32002, -32603), (-32602, -32602), (4, 4)] {
            assert_eq!(ProtocolError::new(code, "x").code(), sent);
        }
    }
}
