//! Between generated code and the pipeline: what a parameter is, and what a handler may return.

mod absent;
mod args;
mod asks;
mod blob;
mod describe;
mod failure;
mod fields;
mod finite;
mod header_value;
mod inject;
mod into_completion;
mod into_method;
mod into_prompt;
mod into_resource;
mod into_tool;
mod json;
mod names;
mod param;
mod path;
mod scope;
mod state;
mod text;
mod tool_error;

pub use crate::schema::faults::ArgumentFault;
pub use args::{Args, Choice, Form, FormField, Input, Output};
pub use blob::Blob;
pub use describe::{Describe, OutputDescription, Parameter};
pub use failure::{Failure, ProtocolError};
pub use fields::{FieldSource, Fields, Read, Shape};
pub use header_value::HeaderValue;
#[cfg(feature = "http")]
pub use inject::Headers;
pub use inject::{Caller, Extension};
pub use into_completion::IntoCompletion;
pub use into_method::{IntoMethodResult, IntoNotificationResult};
pub use into_prompt::{IntoPromptResult, Prompt};
pub use into_resource::{IntoResourceResult, ReadAt, ResourceError};
pub use into_tool::IntoToolResult;
pub use json::Json;
pub(crate) use names::names;
pub use param::{Length, Param, ParamFault, ParamSpec, Place, Range};
pub use scope::{Faults, Scope, Source};
pub use state::{Shared, State};
pub use tool_error::{IntoToolError, ToolError};

use std::pin::Pin;

/// What becomes of a call: a result of its own kind, or why there is none.
pub type Outcome<R> = Result<R, Failure>;

/// A handler at work.
pub type Running<R> = Pin<Box<dyn Future<Output = Outcome<R>> + Send>>;
