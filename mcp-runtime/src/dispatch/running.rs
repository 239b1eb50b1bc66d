//! One handler at work, as a sequence of messages that ends with its answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use tokio::time::{Instant, Sleep};
use tokio_util::task::TaskTracker;

use super::Place;
use super::asking::{Asking, Next};
use super::contain::contained;
use crate::call::{Sent, Shared, inside_driver};
use crate::engine::{Answer, Run, Task, error, internal};
#[cfg(feature = "http")]
use crate::gauges::{Counted, Gauge};
use crate::protocol::Era;
use crate::protocol::fault::{Fault, FaultKind, Leg};

/// What a call gives next.
#[derive(Debug)]
pub(crate) enum Step {
    /// A message before the answer.
    Message(Bytes),
    /// The connection is to be closed; the client comes back after this time.
    Close(Duration),
    /// The call was cancelled. Nothing follows.
    Cancelled,
    /// The answer. Nothing follows.
    Answer(Answer),
}

impl From<Sent> for Step {
    fn from(sent: Sent) -> Self {
        match sent {
            Sent::Message(message) => Self::Message(message),
            Sent::Close(retry) => Self::Close(retry),
        }
    }
}

/// One handler at work. Dropping it ends the handler at once.
pub(crate) struct Running {
    run: Run,
    /// Its answer, while messages that came before it are still to be taken.
    answer: Option<Answer>,
    timeout: Option<Duration>,
    /// Armed when the handler first has to wait: a call that does not wait needs no timer.
    timer: Option<Pin<Box<Sleep>>>,
    /// Once it has asked something that another round answers.
    asking: Option<Box<Asking>>,
    place: Place,
}

impl Running {
    pub(super) fn new(run: Run, place: Place, timeout: Option<Duration>) -> Self {
        if let Some(deadline) = timeout.and_then(|timeout| Instant::now().checked_add(timeout)) {
            let _ = run.call.deadline.set(deadline);
        }
        Self { run, answer: None, timeout, timer: None, asking: None, place }
    }

    pub(crate) fn era(&self) -> Era {
        self.run.call.revision.era()
    }

    /// Where it goes on without a connection: the end of the server waits for it.
    pub(crate) fn detached(&self) -> TaskTracker {
        self.place.detached().clone()
    }

    /// Counts a stream of what it sends, until that is dropped.
    #[cfg(feature = "http")]
    pub(crate) fn count_stream(&self) -> Counted {
        self.place.engine().live.hub().meter.count(Gauge::Streams)
    }

    /// From now on nobody takes what the handler sends on the way.
    pub(crate) fn mute(&self) {
        self.run.call.outbox.close();
    }

    /// Whether the call is cancelled, or its time is up; whoever asks is woken when it is.
    pub(crate) fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        self.run.call.outbox.register(cx);
        self.run.call.outbox.is_cancelled() || self.poll_late(cx).is_ready()
    }

    /// Drives the handler to its next message or its answer.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if self.run.call.outbox.is_cancelled() {
            return Poll::Ready(Step::Cancelled);
        }
        // A handler that always has something to do or to send never waits for its time to be up.
        if self.answer.is_none() && self.is_late() {
            return self.late();
        }
        if let Some(sent) = self.run.call.outbox.take() {
            return Poll::Ready(sent.into());
        }
        if let Some(answer) = self.answer.take() {
            return Poll::Ready(Step::Answer(answer));
        }
        let polled = if self.asking.is_some() { self.poll_asking(cx) } else { self.poll_task(cx) };
        match polled {
            Poll::Pending => self.wait(cx),
            Poll::Ready(answer) => self.end(answer),
        }
    }

    fn poll_task(&mut self, cx: &mut Context<'_>) -> Poll<Answer> {
        let (task, call) = (&mut self.run.task, &self.run.call);
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
            let call = Arc::clone(&self.run.call);
            let polled = asking.poll(|cx| inside_driver(&call, || self.poll_task(cx)));
            if polled.is_ready() {
                return polled;
            }
            next = if call.asks.is_suspendable() { asking.waits(cx) } else { Next::Wait };
        }
        self.asking = Some(asking);
        if next == Next::Suspend
            && let Some(suspended) = self.run.call.asks.suspend()
        {
            let (engine, call) = (self.place.engine(), &self.run.call);
            return Poll::Ready(engine.asked(call, suspended, &self.run.task.name(), SystemTime::now()));
        }
        Poll::Pending
    }

    /// The next message or the answer.
    pub(crate) async fn step(&mut self) -> Step {
        std::future::poll_fn(|cx| self.poll_step(cx)).await
    }

    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        let call = &self.run.call;
        call.outbox.register(cx);
        // Something may have come before its waker was there.
        if call.outbox.is_cancelled() {
            return Poll::Ready(Step::Cancelled);
        }
        if let Some(sent) = call.outbox.take() {
            return Poll::Ready(sent.into());
        }
        if self.asking.is_none() && call.asks.is_open() {
            // From here on it is seen who wakes it, which takes another look.
            self.asking = Some(Box::default());
            return self.poll_step(cx);
        }
        ready!(self.poll_late(cx));
        self.late()
    }

    /// Waits for its time to be up.
    fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.run.call.deadline.get() else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(*deadline)));
        timer.as_mut().poll(cx)
    }

    fn is_late(&self) -> bool {
        self.run.call.deadline.get().is_some_and(|deadline| Instant::now() >= *deadline)
    }

    /// Ends a call whose time is up.
    fn late(&mut self) -> Poll<Step> {
        let time = self.timeout.unwrap_or_default();
        let text =
            format!("The {} took longer than {time:?} and is waited for no more", self.run.task.name());
        crate::log::warn(&text);
        let answer = failed(&self.run.call, &Fault::new(FaultKind::Internal, text));
        self.end(answer)
    }

    fn end(&mut self, answer: Answer) -> Poll<Step> {
        let sent = self.run.call.outbox.take();
        self.run.call.outbox.close();
        match sent {
            None => Poll::Ready(Step::Answer(answer)),
            Some(sent) => {
                self.answer = Some(answer);
                Poll::Ready(sent.into())
            }
        }
    }
}

fn failed(call: &Shared, fault: &Fault) -> Answer {
    error(fault, Leg::Era(call.revision.era()), Some(call.id_json()))
}

impl Drop for Running {
    fn drop(&mut self) {
        self.run.call.outbox.close();
        self.run.call.asks.end();
        self.run.call.end.comes();
        let task = std::mem::replace(&mut self.run.task, Task::Done);
        // What a handler holds may panic when it is dropped; the connection goes on.
        if let Err(panic) = contained(|| drop(task)) {
            crate::log::error(&format!("a handler panicked while it was dropped: {panic}"));
        }
    }
}
