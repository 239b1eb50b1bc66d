//! What comes of an ask.

use std::fmt;

/// What a person did with what they were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// They answered.
    Accept(T),
    /// They said no.
    Decline,
    /// They closed it, which says neither.
    Cancel,
}

/// Why an ask has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// The person said no.
    Declined,
    /// The person closed the question.
    Cancelled,
    /// It can be asked of nobody, or not of clients of this revision, and why.
    Unaskable(String),
    /// The client has not declared that it can be asked this; with the capability's name.
    Unsupported(&'static str),
    /// Nothing can be asked in this place, and why.
    Impossible(&'static str),
    /// The call has ended, for one of several reasons: its client cancelled it or went away, its time was up, or it
    /// is answered, while something that it started goes on.
    CallEnded,
    /// Nobody has answered in time ([`Server::state_ttl`](crate::Server::state_ttl)).
    Unanswered,
    /// It was asked inside of a [`once`](crate::mcp::Context::once).
    InsideOnce,
    /// The key was used for another ask, or another `once`, of the same call.
    KeyTwice(String),
    /// The client refused, with the code and message of its error.
    Refused {
        /// The code of the JSON-RPC error.
        code: i64,
        /// Its message.
        message: String,
    },
    /// What the client answered is no answer to this, and why.
    Invalid(String),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declined => f.write_str("the user declined"),
            Self::Cancelled => f.write_str("the user closed the question without an answer"),
            Self::Unaskable(why) => write!(f, "this cannot be asked: {why}"),
            Self::Unsupported(capability) => {
                write!(f, "the client cannot be asked: it has not declared the capability `{capability}`")
            }
            Self::Impossible(why) => f.write_str(why),
            Self::CallEnded => f.write_str("the call has ended, and nothing can be asked for it any more"),
            Self::Unanswered => f.write_str("nobody has answered in time"),
            Self::InsideOnce => f.write_str(
                "nothing can be asked inside of `once`: ask before it, and give it what came of that",
            ),
            Self::KeyTwice(key) => {
                write!(f, "the key `{key}` is used twice in one call: give each ask and each `once` its own")
            }
            Self::Refused { code, message } => write!(f, "the client refused ({code}): {message}"),
            Self::Invalid(why) => write!(f, "the client's answer cannot be used: {why}"),
        }
    }
}

impl std::error::Error for AskError {}

/// Why a [`once`](crate::mcp::Context::once) came to nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum OnceError {
    /// It was used where it cannot be, or when the call had ended.
    Ask(AskError),
    /// The error of its body.
    Body(Box<dyn std::error::Error + Send + Sync>),
    /// What came of it cannot be remembered as JSON, or read back.
    Memory(serde_json::Error),
}

impl fmt::Display for OnceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ask(error) => error.fmt(f),
            Self::Body(error) => error.fmt(f),
            Self::Memory(error) => write!(f, "what came of it cannot be remembered: {error}"),
        }
    }
}

impl std::error::Error for OnceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Ask(error) => error.source(),
            Self::Body(error) => error.source(),
            Self::Memory(error) => Some(error),
        }
    }
}

impl From<AskError> for OnceError {
    fn from(error: AskError) -> Self {
        Self::Ask(error)
    }
}

impl<T> Answer<T> {
    /// The answer; what else there is becomes an error.
    ///
    /// # Errors
    /// [`AskError::Declined`] and [`AskError::Cancelled`].
    pub fn accepted(self) -> Result<T, AskError> {
        match self {
            Self::Accept(answer) => Ok(answer),
            Self::Decline => Err(AskError::Declined),
            Self::Cancel => Err(AskError::Cancelled),
        }
    }
}
