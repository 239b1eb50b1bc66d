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
pub(crate) struct Cache(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    kept: HashMap<Key, Kept>,
    /// How often what each method tells has changed.
    changes: [u64; CACHEABLE.len()],
}

/// The methods whose results can be kept.
const CACHEABLE: [&str; 5] =
    ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"];

/// A request, by its method and what of its parameters decides the result.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// Its place among those that can be kept.
    method: usize,
    params: String,
}

/// What had changed when a request was made.
#[derive(Clone, Copy)]
pub(crate) struct Asked(u64);

struct Kept {
    until: Instant,
    result: Map<String, Value>,
}

impl Key {
    /// Of a request whose result can be kept: one that says nothing but what it wants.
    pub(crate) fn of(method: &str, params: &Map<String, Value>) -> Option<Self> {
        let method = CACHEABLE.iter().position(|known| *known == method)?;
        let params = (!params.contains_key("_meta")).then(|| Value::Object(params.clone()).to_string())?;
        Some(Self { method, params })
    }

    /// Whether it asks for that resource.
    fn reads(&self, uri: &str) -> bool {
        serde_json::from_str::<Value>(&self.params).is_ok_and(|params| params["uri"] == uri)
    }
}

/// Whether a change is one of what that method tells.
fn concerns(change: &Change, method: &str) -> bool {
    match change {
        Change::Tools => method == "tools/list",
        Change::Prompts => method == "prompts/list",
        Change::Resources => matches!(method, "resources/list" | "resources/templates/list"),
        Change::Resource(_) => method == "resources/read",
    }
}

impl Cache {
    /// A result that is still good, or what to say when another is kept.
    pub(crate) fn fresh(&self, key: &Key) -> Result<Map<String, Value>, Asked> {
        let inner = lock(&self.0);
        match inner.kept.get(key).filter(|kept| Instant::now() < kept.until) {
            Some(kept) => Ok(kept.result.clone()),
            None => Err(inner.asked(key)),
        }
    }

    pub(crate) fn asked(&self, key: &Key) -> Asked {
        lock(&self.0).asked(key)
    }

    /// Keeps a result for as long as it says; not at all where it says nothing, or may have changed since it was asked for.
    pub(crate) fn keep(&self, key: Key, asked: Asked, received: Instant, result: &Map<String, Value>) {
        let mut inner = lock(&self.0);
        let ttl = result.get("ttlMs").and_then(Value::as_u64).unwrap_or_default();
        if ttl == 0 || inner.asked(&key).0 != asked.0 {
            inner.kept.remove(&key);
            return;
        }
        if inner.kept.len() >= MOST {
            let now = Instant::now();
            inner.kept.retain(|_, one| now < one.until);
            if inner.kept.len() >= MOST {
                inner.kept.clear();
            }
        }
        let until = received + Duration::from_millis(ttl).min(LONGEST);
        inner.kept.insert(key, Kept { until, result: result.clone() });
    }

    /// What has changed is not served any more.
    pub(crate) fn outdated(&self, change: &Change) {
        let Inner { kept, changes } = &mut *lock(&self.0);
        for (method, changes) in CACHEABLE.iter().zip(changes) {
            *changes += u64::from(concerns(change, method));
        }
        kept.retain(|key, _| match change {
            Change::Resource(uri) => !concerns(change, CACHEABLE[key.method]) || !key.reads(uri),
            _ => !concerns(change, CACHEABLE[key.method]),
        });
    }

    /// A page cannot be had any more: all of its list are asked for anew.
    pub(crate) fn forget(&self, method: &str) {
        lock(&self.0).kept.retain(|key, _| CACHEABLE[key.method] != method);
    }

    /// Nothing of it is known to be good any more.
    pub(crate) fn clear(&self) {
        let Inner { kept, changes } = &mut *lock(&self.0);
        kept.clear();
        changes.iter_mut().for_each(|changes| *changes += 1);
    }
}

impl Inner {
    fn asked(&self, key: &Key) -> Asked {
        Asked(self.changes[key.method])
    }
}
