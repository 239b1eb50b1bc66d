//! One round of a modern call: the answers that came with it, and what it wants to know before it can go on.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::answer::AskError;

/// What a call remembers from round to round. It travels sealed, with the client.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Until when it is good, in seconds since 1970.
    #[serde(rename = "x")]
    pub(crate) expires: u64,
    /// How many rounds there were.
    #[serde(rename = "n")]
    pub(crate) rounds: u32,
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub(crate) identity: Option<String>,
    /// The answers that were taken, by the keys of their asks.
    #[serde(rename = "a", default, skip_serializing_if = "Map::is_empty")]
    pub(crate) answers: Map<String, Value>,
    /// What came of each `once`, by its key.
    #[serde(rename = "o", default, skip_serializing_if = "Map::is_empty")]
    pub(crate) once: Map<String, Value>,
}

/// What ends a round.
#[derive(Debug)]
pub(crate) struct Suspended {
    /// What is asked, by key.
    pub(crate) requests: Map<String, Value>,
    pub(crate) state: State,
    /// The client answered something, and none of it was what is asked: the question may change each time.
    pub(crate) is_deaf: bool,
}

pub(crate) struct Round {
    /// The answers that came with the request.
    given: Map<String, Value>,
    before: State,
    /// How many asks are open. Looked at each time that the handler waits.
    open: AtomicUsize,
    /// How many bodies of a `once` are at work.
    bodies: AtomicUsize,
    now: Mutex<Now>,
}

#[derive(Default)]
struct Now {
    closed: bool,
    /// The keys of asks that are there, or were answered.
    keys: HashSet<String>,
    open: Map<String, Value>,
    /// The keys of answers that cannot be used.
    refused: HashSet<String>,
    taken: Map<String, Value>,
    once: Map<String, Value>,
    once_keys: HashSet<String>,
    /// Asks outside of the handler itself, which are to learn that the round is over.
    elsewhere: Vec<Waker>,
}

impl Round {
    /// A round with the answers that came with the request. What is no object of answers is no answer.
    pub(crate) fn new(given: Option<&str>, before: Option<&State>) -> Self {
        let given = given.and_then(|given| serde_json::from_str(given).ok()).unwrap_or_default();
        Self {
            given,
            before: before.cloned().unwrap_or_default(),
            open: AtomicUsize::new(0),
            bodies: AtomicUsize::new(0),
            now: Mutex::default(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire) > 0
    }

    pub(crate) fn is_suspendable(&self) -> bool {
        self.is_open() && self.bodies.load(Ordering::Acquire) == 0
    }

    /// The key of an ask: the one it was given, or one by what is asked, and how often.
    pub(super) fn claim(
        &self,
        given: Option<&str>,
        method: &str,
        params: &Value,
    ) -> Result<String, AskError> {
        let mut now = self.lock();
        if now.closed {
            return Err(AskError::CallEnded);
        }
        if let Some(key) = given {
            return if now.keys.insert(key.to_owned()) {
                Ok(key.to_owned())
            } else {
                Err(AskError::KeyTwice(key.to_owned()))
            };
        }
        // Of the same program the same everywhere, which is all it has to be: another asks again.
        let mut hash = DefaultHasher::new();
        (method, params.to_string()).hash(&mut hash);
        let hash = hash.finish();
        let name = method.split('/').next().unwrap_or(method);
        let key = (1_u64..)
            .map(|number| format!("{name}-{hash:016x}-{number}"))
            .find(|key| !now.keys.contains(key))
            .unwrap_or_default();
        now.keys.insert(key.clone());
        Ok(key)
    }

    /// The answer to an ask, from an earlier round or with this request.
    pub(super) fn answer(&self, key: &str) -> Option<&Value> {
        self.before.answers.get(key).or_else(|| self.given.get(key))
    }

    /// Notes that an answer cannot be used; whether this is news.
    pub(super) fn refuses(&self, key: &str) -> bool {
        self.lock().refused.insert(key.to_owned())
    }

    /// An answer was what was asked for: it is remembered.
    pub(super) fn took(&self, key: &str, answer: &Value) {
        self.lock().taken.insert(key.to_owned(), answer.clone());
    }

    /// Has the ask answered by the next round. Whoever asks elsewhere than in the handler is woken at the end of this
    /// one.
    pub(super) fn open(
        &self,
        key: &str,
        method: &str,
        params: &Value,
        elsewhere: Option<&Context<'_>>,
    ) -> Result<(), AskError> {
        let mut now = self.lock();
        if now.closed {
            return Err(AskError::CallEnded);
        }
        if let Some(cx) = elsewhere
            && !now.elsewhere.iter().any(|waker| waker.will_wake(cx.waker()))
        {
            now.elsewhere.push(cx.waker().clone());
        }
        if !now.open.contains_key(key) {
            now.open.insert(key.to_owned(), json!({ "method": method, "params": params }));
            self.open.store(now.open.len(), Ordering::Release);
        }
        Ok(())
    }

    /// Nobody waits for the ask any more.
    pub(super) fn withdraw(&self, key: &str) {
        let mut now = self.lock();
        if !now.closed {
            now.open.remove(key);
            now.keys.remove(key);
            self.open.store(now.open.len(), Ordering::Release);
        }
    }

    /// What came of a `once` in an earlier round. Each key is good for one.
    pub(super) fn remembered(&self, key: &str) -> Result<Option<Value>, AskError> {
        let mut now = self.lock();
        if now.closed {
            return Err(AskError::CallEnded);
        }
        if !now.once_keys.insert(key.to_owned()) {
            return Err(AskError::KeyTwice(key.to_owned()));
        }
        let before = self.before.once.get(key).cloned();
        if let Some(value) = &before {
            now.once.insert(key.to_owned(), value.clone());
        }
        Ok(before)
    }

    /// Remembers what came of a `once`.
    pub(super) fn remember(&self, key: &str, value: Value) {
        self.lock().once.insert(key.to_owned(), value);
    }

    /// A body of a `once` is at work until this is dropped.
    pub(super) fn body(&self) -> Body<'_> {
        self.bodies.fetch_add(1, Ordering::AcqRel);
        Body(self)
    }

    /// Ends the round with what is open; none where nothing is, or a body is at work.
    pub(crate) fn suspend(&self, identity: Option<&str>) -> Option<Suspended> {
        if !self.is_suspendable() {
            return None;
        }
        let mut now = self.lock();
        now.closed = true;
        self.open.store(0, Ordering::Release);
        let requests = std::mem::take(&mut now.open);
        let mut state = self.before.clone();
        let new = now.taken.keys().any(|key| !state.answers.contains_key(key));
        state.answers.append(&mut now.taken);
        state.once.append(&mut now.once);
        state.identity = identity.map(str::to_owned).or(state.identity);
        state.rounds += 1;
        let is_deaf =
            !self.given.is_empty() && !new && !self.given.keys().any(|key| requests.contains_key(key));
        for waker in std::mem::take(&mut now.elsewhere) {
            waker.wake();
        }
        Some(Suspended { requests, state, is_deaf })
    }

    /// Ends the round: nothing is asked any more.
    pub(crate) fn close(&self) {
        let mut now = self.lock();
        now.closed = true;
        self.open.store(0, Ordering::Release);
        for waker in std::mem::take(&mut now.elsewhere) {
            waker.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        // Nothing that holds the lock can panic half way through a change.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body of a `once` at work.
pub(super) struct Body<'r>(&'r Round);

impl Drop for Body<'_> {
    fn drop(&mut self) {
        self.0.bodies.fetch_sub(1, Ordering::AcqRel);
    }
}
