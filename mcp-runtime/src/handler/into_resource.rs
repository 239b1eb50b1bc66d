//! What a resource may return.

use std::error::Error;
use std::fmt;

use super::Outcome;
use super::args::Output;
use super::blob::Blob;
use super::failure::{Failure, ProtocolError};
use super::json::Json;
use crate::protocol::{ReadResourceResult, ResourceContents};

/// What is being read.
#[derive(Clone, Copy, Debug)]
pub struct ReadAt<'r> {
    /// Its URI, as the client wrote it.
    pub uri: &'r str,
    /// The media type that the resource declares.
    pub mime_type: Option<&'r str>,
}

impl ReadAt<'_> {
    fn contents(
        &self,
        mut contents: ResourceContents,
        otherwise: Option<&str>,
    ) -> Outcome<ReadResourceResult> {
        if contents.mime_type_mut().is_none() {
            *contents.mime_type_mut() = self.mime_type.or(otherwise).map(str::to_owned);
        }
        Ok(ReadResourceResult::new([contents]))
    }
}

/// What a resource may return: text, bytes, [`Json`], [`Blob`], contents of its own making, and a `Result` of any of
/// these.
#[diagnostic::on_unimplemented(
    message = "MCP093: a resource cannot return `{Self}`",
    label = "not the contents of a resource",
    note = "return a `String`, `Vec<u8>`, `mcp::Json<…>` of data, `mcp::Blob`, `mcp::ResourceContents` or a list of them, \
            or a `Result` of one of these",
    note = "in place of an `Option` return a `Result`: what is not there is `Err(mcp::ResourceError::not_found())`"
)]
pub trait IntoResourceResult {
    /// What the client gets.
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult>;
}

impl IntoResourceResult for String {
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        at.contents(ResourceContents::text(at.uri, self), None)
    }
}

impl IntoResourceResult for &'static str {
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        self.to_owned().into_resource_result(at)
    }
}

impl IntoResourceResult for Vec<u8> {
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        at.contents(ResourceContents::blob(at.uri, self), None)
    }
}

impl IntoResourceResult for Blob {
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        at.contents(ResourceContents::blob(at.uri, self.bytes).mime_type(self.mime_type), None)
    }
}

impl<T: Output> IntoResourceResult for Json<T> {
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        at.contents(ResourceContents::text(at.uri, self.text()?), Some("application/json"))
    }
}

impl IntoResourceResult for ResourceContents {
    fn into_resource_result(self, _: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        Ok(ReadResourceResult::new([self]))
    }
}

impl IntoResourceResult for Vec<ResourceContents> {
    fn into_resource_result(self, _: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        Ok(ReadResourceResult::new(self))
    }
}

impl IntoResourceResult for ReadResourceResult {
    fn into_resource_result(self, _: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        Ok(self)
    }
}

impl<T: IntoResourceResult, E: IntoResourceError> IntoResourceResult for Result<T, E> {
    fn into_resource_result(self, at: ReadAt<'_>) -> Outcome<ReadResourceResult> {
        match self {
            Ok(value) => value.into_resource_result(at),
            Err(error) => Err(error.into_resource_failure()),
        }
    }
}

/// Why a resource cannot be read.
pub struct ResourceError(Kind);

enum Kind {
    NotFound,
    Protocol(ProtocolError),
}

impl ResourceError {
    /// There is no such resource: the client reads which.
    pub fn not_found() -> Self {
        Self(Kind::NotFound)
    }

    /// An error that shows this text.
    pub fn new(message: impl Into<String>) -> Self {
        Self(Kind::Protocol(ProtocolError::new(-32603, message)))
    }

    /// An error that is not the client's to read: it goes to the log under an id, and the client reads the id.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Kind::Protocol(ProtocolError::internal(error)))
    }

    /// Whether it says that there is no such resource.
    pub fn is_not_found(&self) -> bool {
        matches!(self.0, Kind::NotFound)
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ResourceError {
    fn from(error: E) -> Self {
        Self::new(error.into().to_string())
    }
}

impl From<ProtocolError> for ResourceError {
    fn from(error: ProtocolError) -> Self {
        Self(Kind::Protocol(error))
    }
}

impl fmt::Debug for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NotFound => f.write_str("ResourceError::NotFound"),
            Kind::Protocol(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NotFound => f.write_str("there is no such resource"),
            Kind::Protocol(error) => error.fmt(f),
        }
    }
}

/// An error that a resource may end with.
#[diagnostic::on_unimplemented(
    message = "MCP094: `{Self}` cannot be the error of a resource",
    label = "not an error",
    note = "return `mcp::ResourceError`, `anyhow::Error`, a `String`, or implement `std::error::Error` (with `Send + Sync`)",
    note = "of boxed errors, `Box<dyn Error + Send + Sync>` is one"
)]
pub trait IntoResourceError {
    /// What the client gets.
    fn into_resource_failure(self) -> Failure;
}

impl IntoResourceError for ResourceError {
    fn into_resource_failure(self) -> Failure {
        match self.0 {
            Kind::NotFound => Failure::NotFound,
            Kind::Protocol(error) => Failure::Protocol(error),
        }
    }
}

impl IntoResourceError for ProtocolError {
    fn into_resource_failure(self) -> Failure {
        Failure::Protocol(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> IntoResourceError for E {
    fn into_resource_failure(self) -> Failure {
        ResourceError::from(self).into_resource_failure()
    }
}
