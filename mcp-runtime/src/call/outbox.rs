//! Messages on their way from a handler to its client, before the result.
//!
//! One side pushes and waits until its message is taken; the other takes them while it drives the handler. A call
//! that sends nothing takes no lock: atomic flags tell that the queue is empty, and that nobody waits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use atomic_waker::AtomicWaker;
use bytes::Bytes;
use tokio::time::Instant;

/// Where the messages of one call wait to be taken.
pub(crate) struct Outbox {
    /// Whether anyone will take them: the client accepts a stream and the call has not ended.
    open: AtomicBool,
    /// Whether it was to begin with.
    was_open: bool,
    /// Whether the call is to end without an answer.
    cancelled: AtomicBool,
    /// Whether the call is to come to its end.
    winds_up: AtomicBool,
    /// Whether what carries the messages can be closed and taken up again.
    can_close: AtomicBool,
    filled: AtomicBool,
    /// Whether anybody has sent something, and may wait.
    used: AtomicBool,
    reader: AtomicWaker,
    /// In a box that most calls do without.
    queue: OnceLock<Box<Mutex<Queue>>>,
}

/// How fast progress is told: a burst, and then so much a second.
#[derive(Default)]
struct Pace {
    /// How many were told of the burst, less those that time has given back.
    told: f64,
    at: Option<Instant>,
}

impl Pace {
    const BURST: f64 = 100.0;
    const A_SECOND: f64 = 50.0;

    fn takes(&mut self, now: Instant) -> bool {
        let passed = self.at.replace(now).map_or(0.0, |at| (now - at).as_secs_f64());
        self.told = (self.told - passed * Self::A_SECOND).max(0.0);
        let takes = self.told < Self::BURST;
        if takes {
            self.told += 1.0;
        }
        takes
    }
}

/// What a handler sends on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    Message(Bytes),
    /// The connection is to be closed; the client comes back after this time.
    Close(Duration),
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Sent>,
    pushed: u64,
    taken: u64,
    /// The greatest progress that was told.
    progress: Option<f64>,
    pace: Pace,
    writers: Vec<Waker>,
}

impl Outbox {
    pub(crate) fn new(open: bool) -> Self {
        Self {
            open: AtomicBool::new(open),
            was_open: open,
            cancelled: AtomicBool::new(false),
            winds_up: AtomicBool::new(false),
            can_close: AtomicBool::new(false),
            filled: AtomicBool::new(false),
            used: AtomicBool::new(false),
            reader: AtomicWaker::new(),
            queue: OnceLock::new(),
        }
    }

    /// Whether a message would be taken.
    pub(crate) fn is_open(&self) -> bool {
        self.open.load(Ordering::SeqCst)
    }

    /// Whether messages were taken before the call ended.
    pub(crate) fn was_open(&self) -> bool {
        self.was_open
    }

    /// Hands over a message without waiting until it is taken.
    pub(crate) fn hand_over(&self, message: Bytes) {
        if self.is_open() {
            let mut queue = self.lock();
            queue.messages.push_back(Sent::Message(message));
            queue.pushed += 1;
            drop(queue);
            self.filled();
        }
    }

    /// Wakes whoever drives the call.
    pub(crate) fn wake(&self) {
        self.reader.wake();
    }

    /// Hands over a message and waits until it is taken. Does nothing when nobody takes any.
    pub(crate) async fn send(&self, message: Bytes) {
        self.push(message, None).await;
    }

    /// The same for a message that tells progress: it is dropped unless it tells more than any before, and where more
    /// have come than anybody reads, unless it tells the end.
    pub(crate) async fn send_progress(&self, progress: f64, is_last: bool, message: Bytes) {
        self.push(message, Some((progress, is_last))).await;
    }

    async fn push(&self, message: Bytes, progress: Option<(f64, bool)>) {
        // Either this is seen by whoever closes, or that it is closed is seen here: both are of one order.
        self.used.store(true, Ordering::SeqCst);
        if !self.is_open() {
            return;
        }
        let turn = {
            let mut queue = self.lock();
            if let Some((progress, is_last)) = progress {
                if queue.progress.is_some_and(|told| progress <= told) {
                    return;
                }
                if !queue.pace.takes(Instant::now()) && !is_last {
                    return;
                }
                queue.progress = Some(progress);
            }
            queue.messages.push_back(Sent::Message(message));
            queue.pushed += 1;
            queue.pushed
        };
        self.filled();
        std::future::poll_fn(|cx| {
            let mut queue = self.lock();
            if queue.taken >= turn || !self.is_open() {
                return Poll::Ready(());
            }
            if !queue.writers.iter().any(|writer| writer.will_wake(cx.waker())) {
                queue.writers.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    fn filled(&self) {
        self.filled.store(true, Ordering::Release);
        self.reader.wake();
    }

    /// Whoever takes messages can close what carries them, and go on later.
    pub(crate) fn can_close(&self) {
        self.can_close.store(true, Ordering::Release);
    }

    /// Has the connection closed behind what was sent so far, where it can be. Says whether it can.
    pub(crate) fn close_stream(&self, retry: Duration) -> bool {
        let can = self.is_open() && self.can_close.load(Ordering::Acquire);
        if can {
            let mut queue = self.lock();
            queue.messages.push_back(Sent::Close(retry));
            queue.pushed += 1;
            drop(queue);
            self.filled();
        }
        can
    }

    /// Has a call that would go on for ever come to its end, with an answer.
    pub(crate) fn wind_up(&self) {
        self.winds_up.store(true, Ordering::Release);
        self.reader.wake();
    }

    pub(crate) fn winds_up(&self) -> bool {
        self.winds_up.load(Ordering::Acquire)
    }

    /// Ends the call without an answer.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.close();
        self.reader.wake();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// What was sent next, if something waits.
    pub(crate) fn take(&self) -> Option<Sent> {
        if !self.filled.load(Ordering::Acquire) {
            return None;
        }
        let (message, writers) = {
            let mut queue = self.lock();
            let message = queue.messages.pop_front();
            if message.is_some() {
                queue.taken += 1;
            }
            if queue.messages.is_empty() {
                self.filled.store(false, Ordering::Release);
            }
            (message, std::mem::take(&mut queue.writers))
        };
        writers.into_iter().for_each(Waker::wake);
        message
    }

    /// Has the taker woken by the next message.
    pub(crate) fn register(&self, cx: &Context<'_>) {
        self.reader.register(cx.waker());
    }

    /// From now on messages are dropped, and nobody waits for theirs to be taken.
    pub(crate) fn close(&self) {
        let closes = self.is_open() && self.open.swap(false, Ordering::SeqCst);
        if closes && self.used.load(Ordering::SeqCst) {
            let writers = std::mem::take(&mut self.lock().writers);
            writers.into_iter().for_each(Waker::wake);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        // Nothing that holds the lock can panic half way through a change.
        self.queue.get_or_init(Box::default).lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Waker;

    use super::*;

    fn poll(future: std::pin::Pin<&mut impl Future<Output = ()>>) -> bool {
        future.poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn a_sender_goes_on_once_its_message_is_taken() {
        let outbox = Outbox::new(true);
        let mut first = pin!(outbox.send(Bytes::from_static(b"1")));
        let mut second = pin!(outbox.send(Bytes::from_static(b"2")));
        assert!(!poll(first.as_mut()) && !poll(second.as_mut()));
        assert_eq!(outbox.take().unwrap(), Sent::Message(Bytes::from_static(b"1")));
        assert!(poll(first.as_mut()) && !poll(second.as_mut()));
        assert_eq!(outbox.take().unwrap(), Sent::Message(Bytes::from_static(b"2")));
        assert!(poll(second.as_mut()));
        assert!(outbox.take().is_none());
    }

    #[test]
    fn progress_comes_in_a_burst_and_then_at_a_pace() {
        let mut pace = Pace::default();
        let start = Instant::now();
        assert_eq!((0..1000).filter(|_| pace.takes(start)).count(), 100);
        let later = start + Duration::from_secs(1);
        assert_eq!((0..1000).filter(|_| pace.takes(later)).count(), 50);
        let much_later = later + Duration::from_secs(60);
        assert_eq!((0..1000).filter(|_| pace.takes(much_later)).count(), 100);
    }

    #[test]
    fn closing_lets_senders_go() {
        let outbox = Outbox::new(true);
        let mut waiting = pin!(outbox.send(Bytes::from_static(b"1")));
        assert!(!poll(waiting.as_mut()));
        outbox.close();
        assert!(poll(waiting.as_mut()));
        assert!(poll(pin!(outbox.send(Bytes::from_static(b"2")))));
    }
}
