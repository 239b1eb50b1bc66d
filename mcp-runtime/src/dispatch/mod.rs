//! The only asynchronous layer between the wire and a handler: it drives the handler, contains its panics, ends it
//! when its time is up, and hands out what it sends on the way.

mod asking;
mod contain;
mod running;

use contain::contained;
#[cfg(feature = "http")]
pub(crate) use contain::contained_future;
pub(crate) use running::{Running, Step};

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio_util::task::TaskTracker;

use crate::engine::{Answer, Engine, Notice, Prepared, Run, Work, error};
use crate::gauges::{Counted, Gauge};
use crate::protocol::fault::{Fault, FaultKind, Leg};

/// How much a server takes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long a handler may run.
    pub(crate) handler_timeout: Option<Duration>,
    /// How many calls may be in flight at once.
    pub(crate) max_in_flight: usize,
}

/// A server's engine, with the calls it has in flight.
pub(crate) struct Dispatcher {
    pub(crate) engine: Engine,
    limits: Limits,
    /// Calls that go on without a connection.
    pub(crate) detached: TaskTracker,
}

/// What became of a request.
pub(crate) enum Started {
    /// It is answered.
    Answer(Answer),
    /// Its handler is at work.
    Running(Running),
}

impl Dispatcher {
    pub(crate) fn new(engine: Engine, limits: Limits) -> Self {
        Self { engine, limits, detached: TaskTracker::new() }
    }

    /// Starts what a request calls.
    pub(crate) fn start(self: &Arc<Self>, work: Work) -> Started {
        if work.call.asks.sealed.is_some()
            && let Err(fault) = self.engine.resume(&work.call, SystemTime::now())
        {
            return Started::Answer(work.refuse(&fault, Leg::Era(work.call.revision.era())));
        }
        match self.engine.prepare(work) {
            Prepared::Answer(answer) => Started::Answer(answer),
            // What needs no handler is answered however many of them are at work.
            // Nor is one who listens at work; how many do is limited elsewhere.
            Prepared::Run(run) if run.task.is_endless() => {
                Started::Running(Running::new(run, Place { of: Arc::clone(self), _counted: None }, None))
            }
            Prepared::Run(run) => match self.place() {
                Some(place) => Started::Running(Running::new(run, place, self.limits.handler_timeout)),
                None => Started::Answer(self.busy(&run)),
            },
        }
    }

    /// Runs the handler of a notification to its end. Nothing is answered: what goes wrong is logged.
    pub(crate) async fn notify(self: Arc<Self>, notice: Notice) {
        let Some(_place) = self.place() else {
            crate::log::warn("a notification was dropped: the server is busy");
            return;
        };
        let (name, running) = self.engine.notified(notice);
        let Some(mut running) = running else { return };
        let outcome = std::future::poll_fn(|cx| match contained(|| running.as_mut().poll(cx)) {
            Ok(poll) => poll.map(|outcome| outcome.err().map(|failure| failure.to_string())),
            Err(panic) => std::task::Poll::Ready(Some(panic)),
        });
        let outcome = match self.limits.handler_timeout {
            None => outcome.await,
            Some(most) => tokio::time::timeout(most, outcome)
                .await
                .unwrap_or_else(|_| Some(format!("it took longer than {most:?}, and was ended"))),
        };
        if let Some(text) = outcome {
            crate::log::error(&format!("handler of notification `{name}` failed: {text}"));
        }
    }

    fn place(self: &Arc<Self>) -> Option<Place> {
        let meter = &self.engine.live.hub().meter;
        let counted = meter.count_up_to(self.limits.max_in_flight, Gauge::Handlers)?;
        Some(Place { of: Arc::clone(self), _counted: Some(counted) })
    }

    fn busy(&self, run: &Run) -> Answer {
        let most = self.limits.max_in_flight;
        let fault =
            Fault::new(FaultKind::Busy, format!("The server is busy: {most} calls are in flight; try again"));
        error(&fault, Leg::Era(run.call.revision.era()), Some(run.call.id_json()))
    }
}

/// The place of one call among those in flight; given back when the call ends.
pub(crate) struct Place {
    of: Arc<Dispatcher>,
    _counted: Option<Counted>,
}

impl Place {
    pub(crate) fn engine(&self) -> &Engine {
        &self.of.engine
    }

    pub(crate) fn detached(&self) -> &TaskTracker {
        &self.of.detached
    }
}
