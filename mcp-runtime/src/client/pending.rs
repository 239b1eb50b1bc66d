//! Requests that wait for their answers, by ids of the client's own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, oneshot};
use tokio::time::Instant;

use super::error::Error;
use super::message::Outcome;
use super::progress::Progress;
use crate::contain::contained;
use crate::hub::Change;

/// How far a request has come, told to whoever waits for it.
pub(crate) type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// What a listen request is told. Of what is not taken in time, whoever listens learns that it was missed.
pub(crate) type Events = broadcast::Sender<Told>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Acknowledged,
    Changed(Change),
}

/// What a request wants to be told before its answer.
#[derive(Clone, Default)]
pub(crate) struct Wants {
    pub(crate) progress: Option<OnProgress>,
    pub(crate) events: Option<Events>,
}

struct Waiter {
    method: String,
    answer: oneshot::Sender<Result<Outcome, Error>>,
    wants: Wants,
    heard: Arc<Mutex<Instant>>,
}

/// The requests of one connection.
#[derive(Default)]
pub(crate) struct Pending {
    next: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// Why nothing is waited for any more.
    closed: Option<String>,
    by_id: HashMap<u64, Waiter>,
}

/// One request that waits.
pub(crate) struct Wait {
    pub(crate) answer: oneshot::Receiver<Result<Outcome, Error>>,
    /// When the server was last heard of it.
    pub(crate) heard: Arc<Mutex<Instant>>,
}

impl Pending {
    /// An id that no other request of this connection has.
    pub(crate) fn id(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn wait(&self, id: u64, method: &str, wants: Wants) -> Result<Wait, Error> {
        let mut waiting = self.lock();
        if let Some(why) = &waiting.closed {
            return Err(Error::Unreachable { what: why.clone(), source: None });
        }
        let (answer, answered) = oneshot::channel();
        let heard = Arc::new(Mutex::new(Instant::now()));
        let waiter = Waiter { method: method.to_owned(), answer, wants, heard: Arc::clone(&heard) };
        waiting.by_id.insert(id, waiter);
        Ok(Wait { answer: answered, heard })
    }

    /// The method of a request that waits.
    pub(crate) fn method(&self, id: u64) -> Option<String> {
        self.lock().by_id.get(&id).map(|waiter| waiter.method.clone())
    }

    /// Hands over an answer; whether somebody waits for it.
    pub(crate) fn answer(&self, id: u64, outcome: Result<Outcome, Error>) -> bool {
        let waiter = self.lock().by_id.remove(&id);
        waiter.is_some_and(|waiter| waiter.answer.send(outcome).is_ok())
    }

    /// Nobody waits for the answer any more; whether somebody did.
    pub(crate) fn forget(&self, id: u64) -> bool {
        self.lock().by_id.remove(&id).is_some()
    }

    /// An answer that cannot be read; whether somebody waits for it.
    pub(crate) fn malformed(&self, id: u64, why: impl std::fmt::Display) -> bool {
        let waiter = self.lock().by_id.remove(&id);
        waiter.is_some_and(|waiter| waiter.answer.send(Err(Error::malformed(&waiter.method, why))).is_ok())
    }

    pub(crate) fn progress(&self, id: u64, progress: Progress) {
        let told = self.lock().by_id.get(&id).and_then(|waiter| {
            heard(waiter);
            waiter.wants.progress.clone()
        });
        if let Some(told) = told
            && let Err(panic) = contained(|| told(progress))
        {
            crate::log::error(&format!("what is told of the progress of a call panicked: {panic}"));
        }
    }

    /// Tells a listen request what belongs to it.
    pub(crate) fn tell(&self, id: u64, told: Told) {
        let waiting = self.lock();
        let Some(waiter) = waiting.by_id.get(&id) else { return };
        heard(waiter);
        if let Some(events) = &waiter.wants.events {
            // Whoever has just stopped listening is told nothing.
            let _ = events.send(told);
        }
    }

    /// The server ends a listen request; it ends no other.
    pub(crate) fn end(&self, id: u64) {
        let mut waiting = self.lock();
        if waiting.by_id.get(&id).is_some_and(|waiter| waiter.wants.events.is_some())
            && let Some(Waiter { method, answer, .. }) = waiting.by_id.remove(&id)
        {
            let why = "the server has ended it".to_owned();
            // Whoever has just stopped listening is told nothing.
            let _ = answer.send(Err(Error::Disconnected { method, why }));
        }
    }

    /// The connection is gone, and so are all answers.
    pub(crate) fn close(&self, why: &str) {
        let waiters = {
            let mut waiting = self.lock();
            waiting.closed.get_or_insert_with(|| why.to_owned());
            std::mem::take(&mut waiting.by_id)
        };
        for (_, Waiter { method, answer, .. }) in waiters {
            let _ = answer.send(Err(Error::Disconnected { method, why: why.to_owned() }));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that holds the lock can panic half way through a change.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn heard(waiter: &Waiter) {
    *waiter.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
}
