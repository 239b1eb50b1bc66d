//! The errors of a tool: results that the model reads.

use std::error::Error;
use std::fmt;

use super::Outcome;
use super::failure::{Failure, ProtocolError};
use crate::protocol::CallToolResult;

/// An error that the model reads, as a result with `isError`.
///
/// Made of any error by `?`, it shows that error's `Display`: not its sources, not its `Debug`. What should not be
/// shown goes through [`ToolError::internal`].
pub struct ToolError(Kind);

enum Kind {
    Shown(String),
    Protocol(ProtocolError),
}

impl ToolError {
    /// An error that shows this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Kind::Shown(message.into()))
    }

    /// An error that is not the model's to read: it goes to the log under an id, and the model reads the id.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let id = crate::log::masked(&*error.into());
        Self::new(format!("Internal error {id}; the server's log says more"))
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::new(error.into().to_string())
    }
}

impl From<ProtocolError> for ToolError {
    fn from(error: ProtocolError) -> Self {
        Self(Kind::Protocol(error))
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Shown(text) => f.debug_tuple("ToolError").field(text).finish(),
            Kind::Protocol(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Shown(text) => f.write_str(text),
            Kind::Protocol(error) => error.fmt(f),
        }
    }
}

/// An error that a tool may end with.
#[diagnostic::on_unimplemented(
    message = "MCP094: `{Self}` cannot be the error of a tool",
    label = "not an error",
    note = "return `mcp::ToolError`, `anyhow::Error`, a `String`, or implement `std::error::Error` (with `Send + Sync`)",
    note = "of boxed errors, `Box<dyn Error + Send + Sync>` is one"
)]
pub trait IntoToolError {
    /// What the client gets.
    fn into_tool_error(self) -> Outcome<CallToolResult>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> IntoToolError for E {
    fn into_tool_error(self) -> Outcome<CallToolResult> {
        Ok(CallToolResult::error(self.into().to_string()))
    }
}

impl IntoToolError for ToolError {
    fn into_tool_error(self) -> Outcome<CallToolResult> {
        match self.0 {
            Kind::Shown(text) => Ok(CallToolResult::error(text)),
            Kind::Protocol(error) => Err(Failure::Protocol(error)),
        }
    }
}

impl IntoToolError for ProtocolError {
    fn into_tool_error(self) -> Outcome<CallToolResult> {
        Err(Failure::Protocol(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Outer;

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("outer")
        }
    }

    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&fmt::Error)
        }
    }

    #[track_caller]
    fn shows(error: impl IntoToolError, text: &str) {
        assert_eq!(error.into_tool_error().unwrap(), CallToolResult::error(text));
    }

    #[test]
    fn the_model_reads_display_and_nothing_else() {
        shows(Outer, "outer");
        shows(String::from("text"), "text");
        shows(ToolError::from(Outer), "outer");
        let inner = || -> Result<(), ToolError> { Err(Outer)? };
        shows(inner().unwrap_err(), "outer");
    }

    #[test]
    fn internal_errors_are_masked() {
        let result = ToolError::internal("the password is 1234").into_tool_error().unwrap();
        let shown = serde_json::to_string(&result).unwrap();
        assert!(shown.contains("Internal error") && !shown.contains("1234"), "{shown}");
    }

    #[test]
    fn a_protocol_error_stays_one() {
        let error = ToolError::from(ProtocolError::invalid_params("no"));
        assert!(matches!(error.into_tool_error(), Err(Failure::Protocol(_))));
    }
}
