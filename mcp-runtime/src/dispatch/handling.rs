//! A handler at work, driven to its answer: with its panics contained, within its time, and answered by its questions once
//! it waits for nothing else.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;

use tokio::time::Instant;

use super::asking::{Asking, Next};
use super::{Dispatcher, Place};
use crate::call::{Shared, inside_driver};
use crate::contain::{contained, drop_contained};
use crate::engine::{Answer, Run, Task, error, internal};
use crate::protocol::fault::{Fault, FaultKind, Leg};

/// One handler at work. Dropping it ends the handler at once.
pub(super) struct Handling {
    call: Arc<Shared>,
    task: Task,
    /// Once it has asked something that another round answers.
    asking: Option<Box<Asking>>,
    place: Place,
}

impl Handling {
    pub(super) fn new(run: Run, place: Place) -> Self {
        let timeout = place.timeout().filter(|_| !run.task.is_endless());
        if let Some(deadline) = timeout.and_then(|timeout| Instant::now().checked_add(timeout)) {
            let _ = run.call.deadline.set(deadline);
        }
        Self { call: run.call, task: run.task, asking: None, place }
    }

    pub(super) fn call(&self) -> &Arc<Shared> {
        &self.call
    }

    pub(super) fn dispatcher(&self) -> &Arc<Dispatcher> {
        &self.place.of
    }

    /// Drives the handler to its answer, within its time.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Answer> {
        // A handler that always has something to do never waits for its time to be up.
        if is_late(&self.call) {
            return Poll::Ready(self.late());
        }
        let polled = if self.asking.is_some() { self.poll_asking(cx) } else { self.poll_task(cx) };
        if polled.is_pending() && self.asking.is_none() && self.call.asks.is_open() {
            // From here on it is seen who wakes it, which takes another look.
            self.asking = Some(Box::default());
            return self.poll_asking(cx);
        }
        polled
    }

    fn poll_task(&mut self, cx: &mut Context<'_>) -> Poll<Answer> {
        let (task, call) = (&mut self.task, &self.call);
        contained(|| task.poll(cx, self.place.engine(), call)).unwrap_or_else(|panic| {
            let id = crate::log::masked_text(&format!("{} panicked: {panic}", task.name()));
            Poll::Ready(failed(call, &internal(&id)))
        })
    }

    /// The same for a handler that has asked something: once it waits for nothing else, it is answered by that.
    fn poll_asking(&mut self, cx: &mut Context<'_>) -> Poll<Answer> {
        let Some(mut asking) = self.asking.take() else { return self.poll_task(cx) };
        let mut next = asking.next(cx);
        if next == Next::Poll {
            let call = Arc::clone(&self.call);
            let polled = asking.poll(|cx| inside_driver(&call, || self.poll_task(cx)));
            if polled.is_ready() {
                return polled;
            }
            next = if self.call.asks.is_suspendable() { asking.waits(cx) } else { Next::Wait };
        }
        self.asking = Some(asking);
        if next == Next::Suspend
            && let Some(suspended) = self.call.asks.suspend()
        {
            let engine = self.place.engine();
            return Poll::Ready(engine.asked(&self.call, suspended, &self.task.name(), SystemTime::now()));
        }
        Poll::Pending
    }

    /// Ends a call whose time is up.
    pub(super) fn late(&mut self) -> Answer {
        let time = self.place.timeout().unwrap_or_default();
        let text = format!("The {} took longer than {time:?} and is waited for no more", self.task.name());
        crate::log::warn(&text);
        failed(&self.call, &Fault::new(FaultKind::Internal, text))
    }
}

/// Whether the time of a call is up.
pub(super) fn is_late(call: &Shared) -> bool {
    call.deadline.get().is_some_and(|deadline| Instant::now() >= *deadline)
}

pub(super) fn failed(call: &Shared, fault: &Fault) -> Answer {
    error(fault, Leg::Era(call.revision.era()), Some(call.id_json()))
}

impl Drop for Handling {
    fn drop(&mut self) {
        self.call.asks.end();
        let task = std::mem::replace(&mut self.task, Task::Done);
        // What a handler holds may panic when it is dropped; the connection goes on.
        drop_contained(task, "a handler");
    }
}
