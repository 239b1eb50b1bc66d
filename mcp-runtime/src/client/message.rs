//! Messages as a client sends and reads them.

use bytes::Bytes;
use reqwest::header::HeaderMap;
use serde_json::{Map, Value, json};

use super::core::Limits;
use super::error::Error;
use super::pending::Wants;
use crate::protocol::{Revision, one_line};

/// A result, or the error in its place.
pub(crate) type Outcome = Result<Map<String, Value>, Refused>;

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

impl Refused {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn of(self, method: &str) -> Error {
        let Self { code, message, data } = self;
        Error::Refused { method: method.to_owned(), code, message, data }
    }
}

/// What a message is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A request of ours, by its id.
    Request(u64),
    Notification,
    /// The answer to a request of the server's, by its id.
    Answer(Value, Outcome),
}

/// A message that leaves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outgoing {
    pub(crate) what: What,
    /// Of an answer, the method that it belongs to.
    pub(crate) method: String,
    /// With `_meta`.
    pub(crate) params: Map<String, Value>,
    /// What HTTP carries beside the headers of the protocol itself: what belongs to this message alone.
    pub(crate) headers: HeaderMap,
    /// And what middleware adds, which stands behind those.
    pub(crate) added: HeaderMap,
}

impl Outgoing {
    pub(crate) fn request(id: u64, method: &str, params: Map<String, Value>) -> Self {
        Self::new(What::Request(id), method.to_owned(), params)
    }

    pub(crate) fn notification(method: &str, params: Map<String, Value>) -> Self {
        Self::new(What::Notification, method.to_owned(), params)
    }

    /// The answer to a request of the server's, by its id and method.
    pub(crate) fn answer(id: Value, method: String, outcome: Outcome) -> Self {
        Self::new(What::Answer(id, outcome), method, Map::new())
    }

    fn new(what: What, method: String, params: Map<String, Value>) -> Self {
        Self { what, method, params, headers: HeaderMap::new(), added: HeaderMap::new() }
    }

    pub(crate) fn with_headers(mut self, headers: HeaderMap) -> Self {
        self.headers = headers;
        self
    }

    pub(crate) fn bytes(&self) -> Bytes {
        let message = match &self.what {
            What::Request(id) => {
                json!({ "jsonrpc": "2.0", "id": id, "method": self.method, "params": self.params })
            }
            What::Notification if self.params.is_empty() => {
                json!({ "jsonrpc": "2.0", "method": self.method })
            }
            What::Notification => json!({ "jsonrpc": "2.0", "method": self.method, "params": self.params }),
            What::Answer(id, Ok(result)) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            What::Answer(id, Err(error)) => {
                let mut shown = json!({ "code": error.code, "message": error.message });
                if let Some(data) = &error.data {
                    shown["data"] = data.clone();
                }
                json!({ "jsonrpc": "2.0", "id": id, "error": shown })
            }
        };
        one_line(message.to_string().into_bytes())
    }
}

/// A message on its way, with what whoever sends it wants to be told, and for how long it waits.
#[derive(Clone)]
pub(crate) struct Sending {
    pub(crate) message: Outgoing,
    pub(crate) wants: Wants,
    pub(crate) limits: Limits,
}

/// A request of the server's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Map<String, Value>,
    /// The headers of the call that it came with.
    pub(crate) headers: HeaderMap,
}

/// A message that came.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Incoming {
    Request(Asked),
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// An answer; without an id where the server could not read the request's.
    Answer {
        id: Option<u64>,
        outcome: Outcome,
    },
}

/// What came, and is no message: why, and whose answer it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub(crate) id: Option<u64>,
    why: String,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

impl Incoming {
    /// Reads one message, or says why it is none.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let none = |why: String| Unreadable { id: None, why };
        let message: Value =
            serde_json::from_slice(bytes).map_err(|error| none(format!("it is no JSON: {error}")))?;
        Self::of(message)
    }

    /// Reads what is one message, or in 2025-03-26 many ("Batching"), which no other revision knows.
    pub(crate) fn each(bytes: &[u8], revision: Revision) -> Vec<Result<Self, Unreadable>> {
        if revision == Revision::V2025_03_26
            && let Ok(batch) = serde_json::from_slice::<Vec<Value>>(bytes)
        {
            return batch.into_iter().map(Self::of).collect();
        }
        vec![Self::read(bytes)]
    }

    fn of(message: Value) -> Result<Self, Unreadable> {
        let none = |why: String| Unreadable { id: None, why };
        let Value::Object(mut message) = message else { return Err(none("it is no JSON object".to_owned())) };
        let id = message.remove("id").filter(|id| !id.is_null());
        if let Some(method) = message.remove("method") {
            return Self::called(id, method, message.remove("params")).map_err(none);
        }
        let id = match id {
            None => None,
            Some(id) => {
                Some(id.as_u64().ok_or_else(|| none(format!("it answers {id}, which was never asked")))?)
            }
        };
        Self::outcome(message)
            .map(|outcome| Self::Answer { id, outcome })
            .map_err(|why| Unreadable { id, why: why.to_owned() })
    }

    /// What has a method.
    fn called(id: Option<Value>, method: Value, params: Option<Value>) -> Result<Self, String> {
        let Value::String(method) = method else { return Err("its `method` is no text".to_owned()) };
        let params = match params {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(format!("the `params` of `{method}` are no object")),
        };
        Ok(match id {
            Some(id) => Self::Request(Asked { id, method, params, headers: HeaderMap::new() }),
            None => Self::Notification { method, params },
        })
    }

    /// What an answer says.
    fn outcome(mut message: Map<String, Value>) -> Result<Outcome, &'static str> {
        let mut given = |member| message.remove(member).filter(|value| !value.is_null());
        match (given("result"), given("error")) {
            (Some(Value::Object(result)), None) => Ok(Ok(result)),
            (None, Some(Value::Object(mut error))) => Ok(Err(Refused {
                code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
                message: match error.remove("message") {
                    Some(Value::String(message)) => message,
                    _ => String::new(),
                },
                data: error.remove("data"),
            })),
            (Some(_), None) => Err("its `result` is no object"),
            _ => Err("it is neither a request nor one answer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let read = |text: &str| Incoming::read(text.as_bytes());
        assert!(matches!(
            read(r#"{"id":1,"result":{}}"#),
            Ok(Incoming::Answer { id: Some(1), outcome: Ok(_) })
        ));
        assert!(matches!(
            read(r#"{"id":null,"error":{"code":-32700}}"#),
            Ok(Incoming::Answer { id: None, outcome: Err(_) })
        ));
        assert!(matches!(read(r#"{"id":"a","method":"ping"}"#), Ok(Incoming::Request(_))));
        assert!(matches!(read(r#"{"method":"x","params":null}"#), Ok(Incoming::Notification { .. })));
        for bad in ["", "[]", "7", r#"{"id":1}"#, r#"{"id":"1","result":{}}"#, r#"{"id":1,"result":[]}"#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
