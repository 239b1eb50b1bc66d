//! What becomes of a message: a result, an error, or nothing.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::auth::Refusal;
use crate::handler::ProtocolError;
use crate::protocol::{Answer, Meta, ResponseFormat};

/// What becomes of a message: of a request its result or its error, of other messages nothing.
///
/// A middleware that refuses gives `ProtocolError::new(…).into()`, or [`Reply::refused`] for who may not.
#[must_use = "what becomes of the message is what a middleware gives back"]
#[derive(Clone)]
pub struct Reply {
    outcome: Outcome,
    format: Option<ResponseFormat>,
}

#[derive(Clone)]
pub(crate) enum Outcome {
    None,
    /// As it was written.
    Written(Box<Written>),
    Result(Meta),
    Error(Box<ProtocolError>),
    Refused(Box<Refusal>),
    /// The error of the other side, whatever its code.
    Told(Box<Failed>),
}

/// An answer as it was written, and its members, once somebody has asked for them.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) answer: Answer,
    members: Option<Meta>,
}

/// An error of the other side, or that it gave no answer.
#[derive(Clone)]
pub(crate) struct Failed {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
    /// Why there is no answer of the other side's, where that is what is told.
    #[cfg(feature = "client")]
    failure: Option<std::sync::Arc<crate::client::Error>>,
}

/// An answer, read as far as its outcome.
#[derive(Deserialize)]
struct Read<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Told>,
}

#[derive(Deserialize)]
struct Told {
    message: String,
    #[serde(default)]
    data: Option<Value>,
}

impl Reply {
    fn of(outcome: Outcome) -> Self {
        Self { outcome, format: None }
    }

    /// Nothing: what becomes of a notification, of an answer, and of a request that is dropped.
    pub fn none() -> Self {
        Self::of(Outcome::None)
    }

    /// A result with these members. What every result of its revision carries is added.
    pub fn result(members: Meta) -> Self {
        Self::of(Outcome::Result(members))
    }

    /// Turns the caller away, with the status and the challenge of the refusal over HTTP.
    pub fn refused(refusal: Refusal) -> Self {
        Self::of(Outcome::Refused(Box::new(refusal)))
    }

    pub(crate) fn written(answer: Answer) -> Self {
        Self::of(Outcome::Written(Box::new(Written { answer, members: None })))
    }

    /// The other side's result or error.
    pub(crate) fn told(told: Result<Value, (i64, String, Option<Value>)>) -> Self {
        Self::of(match told {
            Ok(Value::Object(members)) => Outcome::Result(members),
            Ok(_) => Outcome::Result(Meta::new()),
            Err((code, message, data)) => Outcome::Told(Box::new(Failed {
                code,
                message,
                data,
                #[cfg(feature = "client")]
                failure: None,
            })),
        })
    }

    /// A request of a client's that has no answer, and why.
    #[cfg(feature = "client")]
    pub(crate) fn failed(failure: crate::client::Error) -> Self {
        let (message, failure) = (failure.to_string(), Some(std::sync::Arc::new(failure)));
        Self::of(Outcome::Told(Box::new(Failed { code: -32603, message, data: None, failure })))
    }

    /// Why a request of a client's has no answer: a timeout, a connection that ended. `None` where the server answered,
    /// be it by an error.
    #[cfg(feature = "client")]
    pub fn failure(&self) -> Option<&crate::client::Error> {
        match &self.outcome {
            Outcome::Told(failed) => failed.failure.as_deref(),
            _ => None,
        }
    }

    /// Why a middleware of this side refused, where one did.
    #[cfg(feature = "client")]
    pub(crate) fn refusal(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Error(error) => Some(error.message()),
            Outcome::Refused(refusal) => Some(&refusal.message),
            _ => None,
        }
    }

    pub(crate) fn into_outcome(self) -> (Outcome, Option<ResponseFormat>) {
        (self.outcome, self.format)
    }

    /// Whether there is neither result nor error.
    pub fn is_none(&self) -> bool {
        matches!(self.outcome, Outcome::None)
    }

    /// The code of the error; `None` where there is none. A tool that failed has a result, whose `isError` says so.
    pub fn error_code(&self) -> Option<i64> {
        match &self.outcome {
            Outcome::None | Outcome::Result(_) => None,
            Outcome::Written(written) => written.answer.code.map(i64::from),
            Outcome::Error(error) => Some(error.code().into()),
            Outcome::Refused(_) => Some(-32600),
            Outcome::Told(error) => Some(error.code),
        }
    }

    /// The message of the error.
    pub fn error_message(&self) -> Option<String> {
        match &self.outcome {
            Outcome::None | Outcome::Result(_) => None,
            Outcome::Written(written) => Some(told(&written.answer)?.message),
            Outcome::Error(error) => Some(error.message().to_owned()),
            Outcome::Refused(refusal) => Some(refusal.message.clone()),
            Outcome::Told(error) => Some(error.message.clone()),
        }
    }

    /// What the error says for programs.
    pub fn error_data(&self) -> Option<Value> {
        match &self.outcome {
            Outcome::None | Outcome::Result(_) | Outcome::Refused(_) => None,
            Outcome::Written(written) => told(&written.answer)?.data,
            Outcome::Error(error) => error.data().cloned(),
            Outcome::Told(error) => error.data.clone(),
        }
    }

    /// The members of the result. Reading them takes time; nothing is read until somebody asks.
    pub fn members(&mut self) -> Option<&Meta> {
        self.read();
        match &mut self.outcome {
            Outcome::Written(written) => written.members.as_ref(),
            Outcome::Result(members) => Some(members),
            _ => None,
        }
    }

    /// Reads the members of a result that was written. One that cannot be read (it is nested deeper than 128 levels) is
    /// answered by an error: what cannot be looked at does not leave.
    fn read(&mut self) {
        if let Outcome::Written(written) = &mut self.outcome
            && written.answer.code.is_none()
            && written.members.is_none()
        {
            match read(&written.answer) {
                Ok(members) => written.members = Some(members),
                Err(why) => {
                    let why = format!("middleware cannot read the result: {why}");
                    self.outcome = Outcome::Error(Box::new(ProtocolError::internal(why)));
                }
            }
        }
    }

    /// The members of the result, to be changed: what was written does not stand any more.
    fn members_mut(&mut self) -> Option<&mut Meta> {
        self.read();
        if let Outcome::Written(written) = &mut self.outcome {
            self.outcome = Outcome::Result(written.members.take()?);
        }
        match &mut self.outcome {
            Outcome::Result(members) => Some(members),
            _ => None,
        }
    }

    /// Sets a member of the result; an error has none, and stays what it is. What the revision does not know, or every
    /// result of it has, is put right when the answer is written.
    pub fn set(&mut self, member: impl Into<String>, value: impl Into<Value>) {
        if let Some(members) = self.members_mut() {
            members.insert(member.into(), value.into());
        }
    }

    /// Takes a member out of the result.
    pub fn remove(&mut self, member: &str) -> Option<Value> {
        self.members_mut()?.remove(member)
    }

    /// Asks for one of two ways to write the answer over HTTP, where nothing has been written yet.
    pub fn answer_as(mut self, format: ResponseFormat) -> Self {
        self.format = Some(format);
        self
    }
}

/// What an error says that was written.
fn told(answer: &Answer) -> Option<Told> {
    let whole = answer.frame.whole();
    let read: Read<'_> = serde_json::from_slice(&whole).ok()?;
    read.error
}

/// The members of a result that was written.
fn read(answer: &Answer) -> Result<Meta, serde_json::Error> {
    let whole = answer.frame.whole();
    let read: Read<'_> = serde_json::from_slice(&whole)?;
    serde_json::from_str(read.result.map_or("{}", RawValue::get))
}

impl From<ProtocolError> for Reply {
    fn from(error: ProtocolError) -> Self {
        Self::of(Outcome::Error(Box::new(error)))
    }
}

impl fmt::Debug for Reply {
    /// Shows what it is and none of its payload.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error_code() {
            Some(code) => write!(f, "Reply(error {code})"),
            None if self.is_none() => f.write_str("Reply(none)"),
            None => f.write_str("Reply(result)"),
        }
    }
}
