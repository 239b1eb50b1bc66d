//! Why a call of a client came to nothing: what was wrong, and what would help.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::negotiate::MISSING_CAPABILITY;

type SharedError = Arc<dyn std::error::Error + Send + Sync>;

/// Why a call came to nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server answered with an error.
    Refused {
        /// What was called.
        method: String,
        /// The code of the JSON-RPC error.
        code: i64,
        /// Its message.
        message: String,
        /// Facts that a program can act on.
        data: Option<Value>,
    },
    /// The server cannot be reached: nothing of the call has run.
    Unreachable {
        /// The program or the URL, and what is wrong with it.
        what: String,
        /// What the system says.
        source: Option<SharedError>,
    },
    /// HTTP answered with a status that carries no answer of the protocol.
    Http {
        /// What was called.
        method: String,
        /// The status.
        status: u16,
        /// `WWW-Authenticate`: what the server wants to know of the caller.
        challenge: Option<String>,
        /// The beginning of the body.
        body: String,
    },
    /// The connection ended before the answer: the call may have run.
    Disconnected {
        /// What was called.
        method: String,
        /// How it ended.
        why: String,
    },
    /// The answer did not come in time. The server was told that nobody waits for it.
    Timeout {
        /// What was called.
        method: String,
        /// How long it was waited for.
        after: Duration,
        /// Which limit that was.
        limit: TimeLimit,
    },
    /// What the server sent is not what the protocol says.
    Malformed {
        /// What was called.
        method: String,
        /// What is wrong with it.
        why: String,
    },
    /// The server asked something, and nothing here answers it, or what does has failed.
    Unanswered {
        /// What the server asked, such as `elicitation/create`.
        method: String,
        /// Why there is no answer.
        source: SharedError,
    },
    /// It cannot be asked of this server, or in this way: why, and what would be right.
    Unsupported(String),
    /// A middleware of the client refused it, or what it gave back is no answer.
    Stopped(String),
    /// The client was closed.
    Closed,
}

/// A limit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeLimit {
    /// For a sign of life: `.timeout(…)` of the call or of the client's builder.
    SignOfLife,
    /// In all: `.deadline(…)` of the call or of the client's builder.
    Deadline,
    /// For the answer to the first question: `.probe_timeout(…)` of the client's builder.
    FirstAnswer,
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SignOfLife => "`.timeout(…)` of the call or the client",
            Self::Deadline => "`.deadline(…)` of the call or the client",
            Self::FirstAnswer => "`.probe_timeout(…)` of the client",
        })
    }
}

/// What was waited for too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pub(crate) after: Duration,
    pub(crate) limit: TimeLimit,
}

impl Late {
    pub(crate) fn of(self, method: &str) -> Error {
        let Self { after, limit } = self;
        Error::Timeout { method: method.to_owned(), after, limit }
    }
}

impl Error {
    /// The code of the server's error, where that is why.
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// Whether it is certain that nothing of the call has run, so that it can be made again.
    pub fn has_not_run(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Closed | Self::Stopped(_) | Self::Unsupported(_) => true,
            Self::Http { status, .. } => {
                matches!(status, 401 | 403 | 404 | 405 | 413 | 415 | 421 | 429 | 503)
            }
            _ => false,
        }
    }

    /// The option of the client's builder that declares what the server has missed.
    pub(crate) fn lacks(&self) -> Option<&'static str> {
        match self {
            Self::Refused { code: MISSING_CAPABILITY, data: Some(data), .. } => declared_by(data),
            _ => None,
        }
    }

    pub(crate) fn malformed(method: &str, why: impl fmt::Display) -> Self {
        Self::Malformed { method: method.to_owned(), why: why.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { method, code, message, .. } => {
                write!(f, "`{method}` was refused ({code}): {message}")?;
                match self.lacks() {
                    Some(option) => write!(f, "; `{option}` of the client's builder declares it"),
                    None => Ok(()),
                }
            }
            Self::Unreachable { what, source: Some(source) } => write!(f, "{what}: {}", chain(&**source)),
            Self::Unreachable { what, source: None } => f.write_str(what),
            Self::Http { method, status, challenge, body } => {
                write!(f, "`{method}` got HTTP {status}")?;
                match (status, challenge) {
                    (401, Some(challenge)) => {
                        write!(f, ": the server wants to know who calls (`WWW-Authenticate: {challenge}`)")?;
                    }
                    (401 | 403, _) => f.write_str(": the server does not let this caller in")?,
                    (404 | 405, _) => {
                        f.write_str(": there is no MCP endpoint at this URL, or its path is another")?;
                    }
                    _ => {}
                }
                if !body.is_empty() {
                    write!(f, "; it says: {body}")?;
                }
                Ok(())
            }
            Self::Disconnected { method, why } => {
                write!(f, "the connection ended before `{method}` was answered, which may have run: {why}")
            }
            Self::Timeout { method, after, limit } => {
                write!(f, "`{method}` was not answered within {after:?}; {limit} gives it longer")
            }
            Self::Malformed { method, why } => {
                write!(f, "the server broke the protocol in answering `{method}`: {why}")
            }
            Self::Unanswered { method, source } => {
                write!(f, "the server asked `{method}`, which has no answer here: {}", chain(&**source))
            }
            Self::Unsupported(why) => f.write_str(why),
            Self::Stopped(why) => write!(f, "a middleware of the client stopped it: {why}"),
            Self::Closed => f.write_str("the client is closed"),
        }
    }
}

/// What declares the capability that a call needs.
fn declared_by(data: &Value) -> Option<&'static str> {
    let needs = &data["requiredCapabilities"];
    let elicitation = &needs["elicitation"];
    [
        (elicitation.get("form").is_some(), ".on_form(…)"),
        (elicitation.get("url").is_some(), ".on_page(…)"),
        (needs["sampling"].get("tools").is_some(), ".on_sampling_with_tools(…)"),
        (needs.get("sampling").is_some(), ".on_sampling(…)"),
        (needs.get("roots").is_some(), ".roots(…)"),
    ]
    .into_iter()
    .find_map(|(is_needed, option)| is_needed.then_some(option))
}

/// An error with everything beneath it.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let more = inner.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = inner.source();
    }
    text
}

/// What is beneath an error stands in its text; the fields have it for programs.
impl std::error::Error for Error {}
