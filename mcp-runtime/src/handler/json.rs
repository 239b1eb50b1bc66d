//! `Json<T>`: a value as data.

use std::ops::{Deref, DerefMut};

use serde::Serialize;
use serde_json::Value;

use super::failure::Failure;
use super::finite;

/// A value as data: structured content with an output schema from a tool, a JSON text from a resource.
///
/// A number that is not finite (NaN, the infinities) has no form in JSON: a call whose result holds one fails with an
/// internal error that the log explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Json<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Json<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Serialize> Json<T> {
    pub(super) fn value(&self) -> Result<Value, Failure> {
        let value = serde_json::to_value(&self.0).map_err(|error| unsendable(&error))?;
        if has_null(&value) {
            self.finite()?;
        }
        Ok(value)
    }

    pub(super) fn text(&self) -> Result<String, Failure> {
        let text = serde_json::to_string(&self.0).map_err(|error| unsendable(&error))?;
        if memchr::memmem::find(text.as_bytes(), b"null").is_some() {
            self.finite()?;
        }
        Ok(text)
    }

    /// What is written as `null` may be a number that is not finite.
    fn finite(&self) -> Result<(), Failure> {
        finite::misfit(&self.0).map_or(Ok(()), |text| Err(Failure::Unsendable(text)))
    }
}

fn unsendable(error: &serde_json::Error) -> Failure {
    Failure::Unsendable(format!("its result cannot be written as JSON: {error}"))
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(members) => members.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
