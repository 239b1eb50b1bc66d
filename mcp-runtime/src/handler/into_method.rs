//! What a custom method may return.

use serde::Serialize;
use serde_json::Value;

use super::Outcome;
use super::failure::Failure;
use super::into_prompt::IntoFailure;
use super::json::Json;
use crate::protocol::Meta;

/// What a custom method may return: `()`, an object, [`Json`] of one, and a `Result` of any of these.
#[diagnostic::on_unimplemented(
    message = "MCP093: a method cannot return `{Self}`",
    label = "not the result of a method",
    note = "return `()`, `mcp::Json<…>` of data, a `Value` that is an object, or a `Result` of one of them"
)]
pub trait IntoMethodResult {
    /// What the client gets.
    fn into_method_result(self) -> Outcome<Meta>;
}

/// What a notification may return: `()`, or a `Result` of it whose error goes to the log.
#[diagnostic::on_unimplemented(
    message = "MCP093: a notification cannot return `{Self}`",
    label = "nobody is answered",
    note = "return `()`, or a `Result` of it, whose error goes to the log"
)]
pub trait IntoNotificationResult: IntoMethodResult + Sized {
    /// What becomes of it.
    fn into_notification_result(self) -> Outcome<Meta> {
        self.into_method_result()
    }
}

impl IntoNotificationResult for () {}

impl<T: IntoNotificationResult, E: IntoFailure> IntoNotificationResult for Result<T, E> {}

impl IntoMethodResult for () {
    fn into_method_result(self) -> Outcome<Meta> {
        Ok(Meta::new())
    }
}

impl IntoMethodResult for Meta {
    fn into_method_result(self) -> Outcome<Meta> {
        Ok(self)
    }
}

impl IntoMethodResult for Value {
    fn into_method_result(self) -> Outcome<Meta> {
        match self {
            Self::Object(members) => Ok(members),
            _ => Err(Failure::Unsendable("its result is no object, as that of a method is".to_owned())),
        }
    }
}

impl<T: Serialize> IntoMethodResult for Json<T> {
    fn into_method_result(self) -> Outcome<Meta> {
        self.value()?.into_method_result()
    }
}

impl<T: IntoMethodResult, E: IntoFailure> IntoMethodResult for Result<T, E> {
    fn into_method_result(self) -> Outcome<Meta> {
        match self {
            Ok(value) => value.into_method_result(),
            Err(error) => Err(error.into_failure()),
        }
    }
}
