//! What a prompt may return.

use std::error::Error;

use super::Outcome;
use super::failure::{Failure, ProtocolError};
use crate::protocol::{ContentBlock, GetPromptResult, PromptMessage, Role};

/// The messages of a prompt.
///
/// ```
/// # use mcp_runtime::prelude::*;
/// let prompt = mcp::Prompt::new().user("Review this code.").assistant("Which language is it?");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    result: GetPromptResult,
}

impl Prompt {
    /// No messages yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text that the person says.
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message(Role::User, ContentBlock::text(text))
    }

    /// Adds a text that the model says.
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message(Role::Assistant, ContentBlock::text(text))
    }

    /// Adds a message of any content.
    pub fn message(mut self, role: Role, content: ContentBlock) -> Self {
        self.result.messages.push(PromptMessage::new(role, content));
        self
    }

    /// The messages so far.
    pub fn messages(&self) -> &[PromptMessage] {
        &self.result.messages
    }

    /// Says what these messages are for, in place of the prompt's own description.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.result.description = Some(text.into());
        self
    }
}

/// What a prompt may return: a [`Prompt`], one text, messages, and a `Result` of any of these.
#[diagnostic::on_unimplemented(
    message = "MCP093: a prompt cannot return `{Self}`",
    label = "not the messages of a prompt",
    note = "return `mcp::Prompt`, a `String`, `Vec<mcp::PromptMessage>`, or a `Result` of one of them"
)]
pub trait IntoPromptResult {
    /// What the client gets.
    fn into_prompt_result(self) -> Outcome<GetPromptResult>;
}

impl IntoPromptResult for Prompt {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        Ok(self.result)
    }
}

impl IntoPromptResult for GetPromptResult {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        Ok(self)
    }
}

impl IntoPromptResult for Vec<PromptMessage> {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        Ok(GetPromptResult { messages: self, ..GetPromptResult::default() })
    }
}

impl IntoPromptResult for PromptMessage {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        vec![self].into_prompt_result()
    }
}

impl IntoPromptResult for String {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        Prompt::new().user(self).into_prompt_result()
    }
}

impl IntoPromptResult for &'static str {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        self.to_owned().into_prompt_result()
    }
}

impl<T: IntoPromptResult, E: IntoFailure> IntoPromptResult for Result<T, E> {
    fn into_prompt_result(self) -> Outcome<GetPromptResult> {
        match self {
            Ok(value) => value.into_prompt_result(),
            Err(error) => Err(error.into_failure()),
        }
    }
}

/// An error that a prompt, a completion or a custom method may end with. Its `Display` is what the client reads.
#[diagnostic::on_unimplemented(
    message = "MCP094: `{Self}` cannot be the error of this handler",
    label = "not an error",
    note = "return `mcp::ProtocolError`, `anyhow::Error`, a `String`, or implement `std::error::Error` (with `Send + Sync`)",
    note = "of boxed errors, `Box<dyn Error + Send + Sync>` is one"
)]
pub trait IntoFailure {
    /// What the client gets.
    fn into_failure(self) -> Failure;
}

impl IntoFailure for ProtocolError {
    fn into_failure(self) -> Failure {
        Failure::Protocol(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> IntoFailure for E {
    fn into_failure(self) -> Failure {
        Failure::Protocol(ProtocolError::new(-32603, self.into().to_string()))
    }
}
