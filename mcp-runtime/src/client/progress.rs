//! What a server tells of its own accord: how far a call has come, and log messages.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::protocol::LogLevel;

/// How far a call has come.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// How far, in a unit of the server's.
    pub progress: f64,
    /// How far there is to go, in the same unit.
    #[serde(default)]
    pub total: Option<f64>,
    /// What is going on.
    #[serde(default)]
    pub message: Option<String>,
}

impl Progress {
    /// The request that it belongs to, by the token that is its id, and how far that has come.
    pub(crate) fn read(params: &Map<String, Value>) -> Option<(u64, Self)> {
        let id = params.get("progressToken")?.as_u64()?;
        Some((id, serde_json::from_value(Value::Object(params.clone())).ok()?))
    }
}

/// A log message of the server's.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LogMessage {
    /// How severe it is.
    pub level: LogLevel,
    /// Which part of the server says it.
    #[serde(default)]
    pub logger: Option<String>,
    /// What it says: a text, or anything.
    #[serde(default)]
    pub data: Value,
}
