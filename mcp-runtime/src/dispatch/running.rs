//! One handler at work, as a sequence of messages that ends with its answer.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Sleep;

use super::Place;
use super::contain::contained;
use crate::call::{Sent, Shared};
use crate::engine::{Answer, Run, Task, error, internal};
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
    deadline: Option<Pin<Box<Sleep>>>,
    place: Place,
}

impl Running {
    pub(super) fn new(run: Run, place: Place, timeout: Option<Duration>) -> Self {
        Self { run, answer: None, timeout, deadline: None, place }
    }

    pub(crate) fn era(&self) -> Era {
        self.run.call.revision.era()
    }

    /// From now on nobody takes what the handler sends on the way.
    pub(crate) fn mute(&self) {
        self.run.call.outbox.close();
    }

    /// Drives the handler to its next message or its answer.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if self.run.call.outbox.is_cancelled() {
            return Poll::Ready(Step::Cancelled);
        }
        if let Some(sent) = self.run.call.outbox.take() {
            return Poll::Ready(sent.into());
        }
        if let Some(answer) = self.answer.take() {
            return Poll::Ready(Step::Answer(answer));
        }
        let (task, call) = (&mut self.run.task, &self.run.call);
        let polled = contained(|| task.poll(cx, self.place.engine(), call));
        match polled {
            Ok(Poll::Pending) => self.wait(cx),
            Ok(Poll::Ready(answer)) => self.end(answer),
            Err(panic) => {
                let id = crate::log::masked_text(&format!("{} panicked: {panic}", task.name()));
                let answer = failed(call, &internal(&id));
                self.end(answer)
            }
        }
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
        let Some(timeout) = self.timeout else { return Poll::Pending };
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        if deadline.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        let text =
            format!("The {} took longer than {timeout:?} and is waited for no more", self.run.task.name());
        crate::log::warn(&text);
        let answer = failed(call, &Fault::new(FaultKind::Internal, text));
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
        let task = std::mem::replace(&mut self.run.task, Task::Done);
        // What a handler holds may panic when it is dropped; the connection goes on.
        if let Err(panic) = contained(|| drop(task)) {
            crate::log::error(&format!("a handler panicked while it was dropped: {panic}"));
        }
    }
}
