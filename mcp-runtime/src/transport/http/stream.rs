//! The answer to one request as server-sent events: what the handler sends on the way, then the answer, then the end.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, Sleep};
use tokio_util::task::TaskTracker;

use crate::dispatch::{Running, Step};
use crate::engine::Frame;
use crate::gauges::Counted;
use crate::protocol::Era;
use crate::session::InFlight;

/// How long a stream may be silent: proxies cut those that are silent for longer than 20 to 60 seconds.
pub(crate) const SILENCE: Duration = Duration::from_secs(15);

/// Says something where a stream is silent for too long. It has no timer before there is something to wait for: most calls
/// are answered at once.
#[derive(Default)]
pub(crate) struct KeepAlive(Option<Pin<Box<Sleep>>>);

impl KeepAlive {
    /// Waits until a comment is due.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Bytes> {
        let timer = self.0.get_or_insert_with(|| Box::pin(tokio::time::sleep(SILENCE)));
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Bytes::from_static(COMMENT))
    }

    /// Something was said.
    pub(crate) fn rest(&mut self) {
        if let Some(timer) = &mut self.0 {
            timer.as_mut().reset(Instant::now() + SILENCE);
        }
    }
}

/// The events of one request.
pub(crate) struct Stream {
    first: Option<Bytes>,
    /// The handler at work; gone once its answer is out.
    running: Option<Detached>,
    keep_alive: KeepAlive,
    _counted: Option<Counted>,
}

impl Stream {
    /// Begins with an event that is there already.
    pub(crate) fn new(first: Bytes, running: Option<Detached>) -> Self {
        let counted =
            running.as_ref().and_then(|running| running.running.as_ref()).map(Running::count_stream);
        Self { first: Some(first), running, keep_alive: KeepAlive::default(), _counted: counted }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.first.is_none() && self.running.is_none()
    }

    /// The next event; none after the last.
    pub(crate) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        let Some(running) = &mut self.running else { return Poll::Ready(None) };
        let event = match running.poll_step(cx) {
            Poll::Ready(Step::Message(message)) => event(&Frame::from(message)),
            // Without a session there is nothing to come back to.
            Poll::Ready(Step::Close(_)) => return self.poll_event(cx),
            Poll::Ready(Step::Cancelled) => {
                self.running = None;
                return Poll::Ready(None);
            }
            Poll::Ready(Step::Answer(answer)) => {
                self.running = None;
                event(&answer.frame)
            }
            Poll::Pending => ready!(self.keep_alive.poll(cx)),
        };
        self.keep_alive.rest();
        Poll::Ready(Some(event))
    }
}

/// A comment, which clients skip.
pub(crate) const COMMENT: &[u8] = b": keep-alive\n\n";

/// One message as an event. A message is one line of JSON, so that it is one line of data.
pub(crate) fn event(frame: &Frame) -> Bytes {
    let mut event = Vec::with_capacity(8 + frame.len());
    event.extend_from_slice(b"data: ");
    event.extend_from_slice(&frame.head);
    event.extend_from_slice(&frame.tail);
    event.extend_from_slice(b"\n\n");
    event.into()
}

/// A handler at work that outlives its connection where its era says so.
///
/// In the modern era a client that goes away cancels its request (2026-07-28, Streamable HTTP, "Cancellation"). In
/// the handshake era it does not: the handler goes on as a task of its own (2025-11-25, Streamable HTTP, "Sending
/// Messages to the Server").
pub(crate) struct Detached {
    running: Option<Running>,
    /// While it runs it is in flight in its session.
    in_flight: Option<InFlight>,
}

impl Detached {
    pub(crate) fn new(running: Running, in_flight: Option<InFlight>) -> Self {
        Self { running: Some(running), in_flight }
    }

    /// Where it goes on without a connection: the end of the server waits for it.
    pub(crate) fn tracker(&self) -> TaskTracker {
        self.running.as_ref().map_or_else(TaskTracker::new, Running::detached)
    }

    /// Whether the call is cancelled, or its time is up; whoever asks is woken when it is.
    pub(crate) fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        self.running.as_mut().is_none_or(|running| running.is_over(cx))
    }

    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        let Some(running) = &mut self.running else { return Poll::Pending };
        let step = running.poll_step(cx);
        if matches!(step, Poll::Ready(Step::Answer(_) | Step::Cancelled)) {
            self.running = None;
            self.in_flight = None;
        }
        step
    }
}

impl Drop for Detached {
    fn drop(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        let in_flight = self.in_flight.take();
        let tracker = running.detached();
        if running.era() == Era::Handshake
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            running.mute();
            let going_on = async move {
                while let Step::Message(_) | Step::Close(_) = running.step().await {}
                drop(in_flight);
            };
            let detached = tracker.track_future(going_on);
            runtime.spawn(detached);
        }
    }
}
