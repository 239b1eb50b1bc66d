//! Results that the server said may be kept for a while (2026-07-28, "Caching"). A client serves one authorization
//! context, so that what is private may be kept as well as what is public.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::core::lock;
use crate::hub::Change;

/// How many results are kept.
const MOST: usize = 512;

/// The longest that one is kept, whatever the server says.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Default)]
pub(crate) struct Cache(Mutex<HashMap<Key, Kept>>);

/// A request, by its method and what of its parameters decides the result.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    method: String,
    params: String,
}

struct Kept {
    until: Instant,
    result: Map<String, Value>,
}

impl Key {
    /// Of a request whose result can be kept.
    pub(crate) fn of(method: &str, params: &Map<String, Value>) -> Option<Self> {
        let cacheable = matches!(
            method,
            "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" | "resources/read"
        );
        let mut params = params.clone();
        params.remove("_meta");
        cacheable.then(|| Self { method: method.to_owned(), params: Value::Object(params).to_string() })
    }
}

impl Cache {
    pub(crate) fn fresh(&self, key: &Key) -> Option<Map<String, Value>> {
        lock(&self.0).get(key).filter(|kept| Instant::now() < kept.until).map(|kept| kept.result.clone())
    }

    /// Keeps a result for as long as it says; not at all where it says nothing.
    pub(crate) fn keep(&self, key: Key, received: Instant, result: &Map<String, Value>) {
        let mut kept = lock(&self.0);
        let ttl = result.get("ttlMs").and_then(Value::as_u64).unwrap_or_default();
        if ttl == 0 {
            kept.remove(&key);
            return;
        }
        if kept.len() >= MOST {
            let now = Instant::now();
            kept.retain(|_, one| now < one.until);
            if kept.len() >= MOST {
                kept.clear();
            }
        }
        let until = received + Duration::from_millis(ttl).min(LONGEST);
        kept.insert(key, Kept { until, result: result.clone() });
    }

    /// What has changed is not served any more.
    pub(crate) fn outdated(&self, change: &Change) {
        lock(&self.0).retain(|key, _| match change {
            Change::Tools => key.method != "tools/list",
            Change::Prompts => key.method != "prompts/list",
            Change::Resources => {
                !matches!(key.method.as_str(), "resources/list" | "resources/templates/list")
            }
            Change::Resource(uri) => {
                key.method != "resources/read"
                    || serde_json::from_str::<Value>(&key.params).is_ok_and(|params| params["uri"] != **uri)
            }
        });
    }

    /// A page cannot be had any more: all of its list are asked for anew.
    pub(crate) fn forget(&self, method: &str) {
        lock(&self.0).retain(|key, _| key.method != method);
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }
}
