//! One call at work, as a sequence of messages that ends with its answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Sleep;
use tokio_util::task::TaskTracker;

use super::handling::{Handling, failed, is_late};
use super::stacked::{Boxed, through};
use super::{Dispatcher, Place};
use crate::call::{Sent, Shared};
use crate::contain::{contained, drop_contained};
use crate::engine::{Answer, Work, internal};
#[cfg(feature = "http")]
use crate::gauges::{Counted, Gauge};
use crate::middleware::Reply;
use crate::protocol::Era;

/// What a call gives next.
#[derive(Debug)]
pub(crate) enum Step {
    /// A message before the answer.
    Message(Bytes),
    /// The connection is to be closed; the client comes back after this time.
    Close(Duration),
    /// The call was cancelled, or its answer is dropped. Nothing follows.
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

/// One call at work. Dropping it ends it at once.
pub(crate) struct Running {
    doing: Doing,
    /// Its answer, while messages that came before it are still to be taken.
    answer: Option<Box<Answer>>,
    /// What is on its way through the send stack.
    leaving: Option<Leaving>,
    /// Armed when the handler first has to wait: a call that does not wait needs no timer.
    timer: Option<Pin<Box<Sleep>>>,
}

/// What is on its way through the send stack.
enum Leaving {
    /// With its id, where it is a question to the client.
    Message(Boxed<Option<Bytes>>, Option<u64>),
    Answer(Boxed<Reply>),
}

/// What drives a call.
enum Doing {
    /// Its handler, with nothing in between.
    Handler(Handling),
    /// What stands around it.
    Stack(Stacked),
}

/// A call that goes through the stacks.
struct Stacked {
    call: Arc<Shared>,
    place: Place,
    /// The receive stack, with its handler behind it, until that has its answer; nothing comes out where that is dropped.
    stack: Option<Boxed<Option<Answer>>>,
}

impl Doing {
    fn call(&self) -> &Arc<Shared> {
        match self {
            Self::Handler(handling) => handling.call(),
            Self::Stack(stacked) => &stacked.call,
        }
    }

    fn dispatcher(&self) -> &Arc<Dispatcher> {
        match self {
            Self::Handler(handling) => handling.dispatcher(),
            Self::Stack(stacked) => &stacked.place.of,
        }
    }
}

impl Running {
    pub(super) fn handler(handling: Handling) -> Self {
        Self::new(Doing::Handler(handling))
    }

    /// A call that goes through the stacks.
    pub(super) fn stacked(work: Work, place: Place) -> Self {
        let call = Arc::clone(&work.call);
        let stack = Some(through(&place.of, work));
        Self::new(Doing::Stack(Stacked { call, place, stack }))
    }

    fn new(doing: Doing) -> Self {
        Self { doing, answer: None, leaving: None, timer: None }
    }

    fn call(&self) -> &Arc<Shared> {
        self.doing.call()
    }

    fn dispatcher(&self) -> &Arc<Dispatcher> {
        self.doing.dispatcher()
    }

    pub(crate) fn era(&self) -> Era {
        self.call().revision.era()
    }

    /// Where it goes on without a connection: the end of the server waits for it.
    pub(crate) fn detached(&self) -> TaskTracker {
        self.dispatcher().detached.clone()
    }

    /// Counts a stream of what it sends, until that is dropped.
    #[cfg(feature = "http")]
    pub(crate) fn count_stream(&self) -> Counted {
        self.dispatcher().engine.live.hub().meter.count(Gauge::Streams)
    }

    /// From now on nobody takes what the handler sends on the way.
    pub(crate) fn mute(&self) {
        self.call().outbox.close();
    }

    /// Whether the call is cancelled, or its time is up; whoever asks is woken when it is.
    pub(crate) fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        self.call().outbox.register(cx);
        self.call().outbox.is_cancelled() || self.poll_late(cx).is_ready()
    }

    /// Drives the call to its next message or its answer.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        if self.call().outbox.is_cancelled() {
            return Poll::Ready(Step::Cancelled);
        }
        if self.dispatcher().exit.is_open() { self.poll_next(cx) } else { self.poll_sent(cx) }
    }

    /// The same through the send stack.
    fn poll_sent(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        loop {
            if self.call().outbox.is_cancelled() {
                return Poll::Ready(Step::Cancelled);
            }
            if self.leaving.is_none() {
                let step = ready!(self.poll_next(cx));
                let exit = &self.dispatcher().exit;
                self.leaving = Some(match step {
                    Step::Close(_) | Step::Cancelled => return Poll::Ready(step),
                    Step::Message(message) => {
                        let asks = asked(&message);
                        Leaving::Message(exit.message(Some(Arc::clone(self.call())), message), asks)
                    }
                    Step::Answer(answer) => Leaving::Answer(exit.answer(self.call(), answer)),
                });
            }
            if let Some(step) = ready!(self.poll_leaving(cx)) {
                return Poll::Ready(step);
            }
        }
    }

    /// Drives what is on its way through the send stack.
    fn poll_leaving(&mut self, cx: &mut Context<'_>) -> Poll<Option<Step>> {
        let Some(leaving) = &mut self.leaving else { return Poll::Ready(None) };
        let polled = contained(|| match leaving {
            Leaving::Message(way, _) => way.as_mut().poll(cx).map(|message| message.map(Step::Message)),
            Leaving::Answer(way) => way.as_mut().poll(cx).map(|reply| {
                let answer = self.doing.dispatcher().engine.answered(self.doing.call(), reply);
                Some(answer.map_or(Step::Cancelled, Step::Answer))
            }),
        });
        let polled = match polled {
            Ok(Poll::Pending) => {
                self.call().outbox.register(cx);
                return Poll::Pending;
            }
            Ok(Poll::Ready(step)) => step,
            Err(panic) => {
                let id = crate::log::masked_text(&format!("send middleware panicked: {panic}"));
                let answer = || Step::Answer(failed(self.doing.call(), &internal(&id)));
                matches!(leaving, Leaving::Answer(_)).then(answer)
            }
        };
        // Whoever asks does not wait for the answer to what was never asked.
        if let (None, Leaving::Message(_, Some(id))) = (&polled, &*leaving) {
            self.doing.call().asks.was_dropped(*id);
        }
        if let Some(leaving) = self.leaving.take() {
            drop_contained(leaving, "send middleware");
        }
        Poll::Ready(polled)
    }

    /// The next message or the answer, before the send stack.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        // A handler that always has something to send never waits for its time to be up.
        let sends = self.answer.is_some() || !is_late(self.call());
        if sends && let Some(sent) = self.call().outbox.take() {
            return Poll::Ready(sent.into());
        }
        if let Some(answer) = self.answer.take() {
            return Poll::Ready(Step::Answer(*answer));
        }
        match self.poll_doing(cx) {
            Poll::Pending => self.wait(cx),
            Poll::Ready(Some(answer)) => self.end(answer),
            Poll::Ready(None) => Poll::Ready(Step::Cancelled),
        }
    }

    fn poll_doing(&mut self, cx: &mut Context<'_>) -> Poll<Option<Answer>> {
        match &mut self.doing {
            Doing::Handler(handling) => handling.poll(cx).map(Some),
            // Its answer is on its way through the send stack.
            Doing::Stack(Stacked { stack: None, .. }) => Poll::Pending,
            Doing::Stack(Stacked { call, stack: Some(stack), .. }) => contained(|| stack.as_mut().poll(cx))
                .unwrap_or_else(|panic| {
                    let id = crate::log::masked_text(&format!("receive middleware panicked: {panic}"));
                    Poll::Ready(Some(failed(call, &internal(&id))))
                }),
        }
    }

    /// The next message or the answer.
    pub(crate) async fn step(&mut self) -> Step {
        std::future::poll_fn(|cx| self.poll_step(cx)).await
    }

    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        let call = self.call();
        call.outbox.register(cx);
        // Something may have come before its waker was there.
        if call.outbox.is_cancelled() {
            return Poll::Ready(Step::Cancelled);
        }
        if let Some(sent) = call.outbox.take() {
            return Poll::Ready(sent.into());
        }
        ready!(self.poll_late(cx));
        // Its handler sees that its time is up; what stands around it may still have something to do.
        match ready!(self.poll_doing(cx)) {
            Some(answer) => self.end(answer),
            None => Poll::Ready(Step::Cancelled),
        }
    }

    /// Waits for its time to be up.
    fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.doing.call().deadline.get() else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(*deadline)));
        timer.as_mut().poll(cx)
    }

    fn end(&mut self, answer: Answer) -> Poll<Step> {
        let sent = self.call().outbox.take();
        self.call().outbox.close();
        self.finish();
        match sent {
            None => Poll::Ready(Step::Answer(answer)),
            Some(sent) => {
                self.answer = Some(Box::new(answer));
                Poll::Ready(sent.into())
            }
        }
    }

    /// Ends the receive stack; what stands around the call stays until it is answered.
    fn finish(&mut self) {
        if let Doing::Stack(stacked) = &mut self.doing
            && let Some(stack) = stacked.stack.take()
        {
            drop_contained(stack, "receive middleware");
        }
    }
}

/// The id of a message that is a question to the client.
fn asked(message: &[u8]) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Head {
        id: Option<u64>,
    }
    serde_json::from_slice(message).ok().and_then(|head: Head| head.id)
}

impl Drop for Running {
    fn drop(&mut self) {
        self.call().outbox.close();
        self.call().end.comes();
        self.finish();
        if let Some(leaving) = self.leaving.take() {
            drop_contained(leaving, "send middleware");
        }
    }
}
