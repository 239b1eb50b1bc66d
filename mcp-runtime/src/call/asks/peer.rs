//! Requests of the server's own to a handshake client, and who waits for the answers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::gauges::{Counted, Gauge, Meter};
use crate::protocol::method::MethodName;

/// The client's result, or the code and message of its error.
pub(crate) type Reply = Result<Value, (i64, String)>;

/// What is asked over one connection by lines, or in one session.
pub(crate) struct Peer {
    next: AtomicU64,
    waiting: Mutex<Waiting>,
    /// How long an answer is waited for.
    patience: Duration,
    meter: Arc<Meter>,
    /// Takes messages that belong to no request of the client's.
    loose: Box<dyn Fn(Bytes) + Send + Sync>,
}

#[derive(Default)]
struct Waiting {
    closed: bool,
    by_id: HashMap<u64, Waiter>,
}

/// Who waits for the answer to a request.
struct Waiter {
    method: &'static str,
    answer: oneshot::Sender<Reply>,
    _counted: Counted,
}

impl Peer {
    pub(crate) fn new(
        patience: Duration,
        meter: Arc<Meter>,
        loose: impl Fn(Bytes) + Send + Sync + 'static,
    ) -> Self {
        Self { next: AtomicU64::new(1), waiting: Mutex::default(), patience, meter, loose: Box::new(loose) }
    }

    /// How long an answer is waited for.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// A new request of that method: its id, and where its answer will come; none once the client is gone.
    pub(crate) fn ask(&self, method: &'static str) -> Option<(u64, oneshot::Receiver<Reply>)> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        let mut waiting = self.lock();
        if waiting.closed {
            return None;
        }
        waiting.by_id.insert(id, Waiter { method, answer, _counted: self.meter.count(Gauge::Asks) });
        Some((id, answered))
    }

    /// The method of a request whose answer is waited for.
    pub(crate) fn method(&self, id: u64) -> Option<MethodName> {
        self.lock().by_id.get(&id).map(|waiter| MethodName::parse(waiter.method))
    }

    /// Hands over an answer. One that nobody waits for, or not any more, is nobody's concern.
    pub(crate) fn answer(&self, id: u64, reply: Reply) {
        let waiter = self.lock().by_id.remove(&id);
        if let Some(waiter) = waiter {
            // Whoever has stopped to wait in this moment is as good as one who did before.
            let _ = waiter.answer.send(reply);
        }
    }

    /// Takes a request back; the client is told, unless it has answered.
    pub(crate) fn withdraw(&self, id: u64) {
        let waiter = self.lock().by_id.remove(&id);
        if waiter.is_some() {
            let params = json!({ "requestId": id, "reason": "the call that asked has ended" });
            (self.loose)(crate::protocol::notification("notifications/cancelled", &params));
        }
    }

    /// The client is gone: whoever waits is told.
    pub(crate) fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        waiting.by_id.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that holds the lock can panic half way through a change.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
