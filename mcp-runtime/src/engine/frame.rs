//! Messages as bytes.

use bytes::Bytes;
use serde::Serialize;
use serde_json::json;

use super::Engine;
use crate::protocol::fault::{Fault, Leg};
use crate::protocol::{Answer, Cache, Era, Implementation, Meta};

/// The `_meta` member in which a result says who made it.
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The `_meta` member in which a message says to which subscription it belongs, in the modern era alone.
pub(super) const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// The beginning of every answer with a result.
pub(crate) fn open(id: &str, capacity: usize) -> Vec<u8> {
    const BEFORE: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":";
    const BEHIND: &[u8] = b",\"result\":";
    let mut out = Vec::with_capacity(BEFORE.len() + id.len() + BEHIND.len() + capacity);
    out.extend_from_slice(BEFORE);
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(BEHIND);
    out
}

/// The members that the modern era wants in every result, as they stand in most.
pub(crate) fn stamp(info: &Implementation) -> Bytes {
    let meta = json!({ SERVER_INFO: info });
    Bytes::from(format!("\"resultType\":\"complete\",\"_meta\":{meta}"))
}

/// An error. Without an id where the request's could not be read.
pub(crate) fn error(fault: &Fault, leg: Leg, id: Option<&str>) -> Answer {
    #[derive(Serialize)]
    struct Error<'f> {
        code: i32,
        message: &'f str,
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<&'f serde_json::Value>,
    }
    let error = Error { code: fault.code(leg), message: &fault.message, data: fault.data.as_ref() };
    let mut out = Vec::with_capacity(128 + fault.message.len());
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"error\":");
    write(&mut out, &error);
    out.push(b'}');
    Answer { status: fault.status(leg), code: Some(error.code), frame: out.into(), http: None }
}

/// Writes a value whose maps have text keys: to memory, that cannot fail.
pub(crate) fn write(out: &mut Vec<u8>, value: &impl Serialize) {
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok(), "{written:?}");
}

/// What a result carries beside its own members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cacheable {
    No,
    Yes(Cache),
}

impl Engine {
    /// Writes a result that is an object, with what the modern era wants in it.
    ///
    /// `meta` is the result's own `_meta`, which is not among the members of `result`.
    pub(super) fn result(
        &self,
        out: &mut Vec<u8>,
        era: Era,
        result: &impl Serialize,
        meta: Option<Meta>,
        cacheable: Cacheable,
    ) {
        let start = out.len();
        write(out, result);
        // What was written is an object; what follows goes before its end.
        out.pop();
        if era == Era::Modern {
            if let Cacheable::Yes(cache) = cacheable {
                separate(out, start);
                out.extend_from_slice(b"\"ttlMs\":");
                out.extend_from_slice(itoa::Buffer::new().format(cache.ttl_ms).as_bytes());
                out.extend_from_slice(b",\"cacheScope\":");
                write(out, &cache.scope);
            }
            separate(out, start);
            match meta {
                None => out.extend_from_slice(&self.stamp),
                Some(mut meta) => {
                    meta.entry(SERVER_INFO).or_insert_with(|| json!(self.settings.info));
                    out.extend_from_slice(b"\"resultType\":\"complete\",\"_meta\":");
                    write(out, &meta);
                }
            }
        } else if let Some(mut meta) = meta {
            meta.retain(|name, _| ![SERVER_INFO, SUBSCRIPTION].contains(&name.as_str()));
            if !meta.is_empty() {
                separate(out, start);
                out.extend_from_slice(b"\"_meta\":");
                write(out, &meta);
            }
        }
        out.push(b'}');
    }
}

/// A comma, unless the object that began at `start` is still empty.
fn separate(out: &mut Vec<u8>, start: usize) {
    if out.len() > start + 1 {
        out.push(b',');
    }
}
