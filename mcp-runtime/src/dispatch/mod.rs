//! The only asynchronous layer between the wire and a handler: it drives the handler, contains its panics, ends it
//! when its time is up, and hands out what it sends on the way.

mod asking;
mod handling;
mod running;
mod stacked;

pub(crate) use running::{Running, Step};

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio_util::task::TaskTracker;

use handling::Handling;

use crate::call::{RequestId, Shared};
use crate::contain::contained_future;
use crate::engine::{About, Answer, Engine, Job, Prepared, Work, error};
use crate::gauges::Gauge;
use crate::middleware::{Exit, Stack};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::registry::NotificationDef;

/// How much a server takes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long a handler may run.
    pub(crate) handler_timeout: Option<Duration>,
    /// How many calls may be in flight at once.
    pub(crate) max_in_flight: usize,
}

/// A server's engine, with what stands around it, and the calls it has in flight.
pub(crate) struct Dispatcher {
    pub(crate) engine: Engine,
    limits: Limits,
    receive: Arc<Stack>,
    /// The way out, for what belongs to no call too.
    pub(crate) exit: Exit,
    /// Calls that go on without a connection.
    pub(crate) detached: TaskTracker,
}

/// What became of a request.
pub(crate) enum Started {
    /// It is answered.
    Answer(Answer),
    /// It is at work.
    Running(Running),
}

/// What became of a request that has reached its end.
enum Begun {
    Answer(Answer),
    Handler(Handling),
}

impl Dispatcher {
    pub(crate) fn new(engine: Engine, limits: Limits, receive: Stack, send: Stack) -> Self {
        Self {
            engine,
            limits,
            receive: Arc::new(receive),
            exit: Exit::new(send),
            detached: TaskTracker::new(),
        }
    }

    /// Whether nothing stands around the engine.
    fn is_bare(&self) -> bool {
        self.receive.is_empty() && self.exit.is_open()
    }

    /// Whether what comes without asking for an answer reaches its end at once.
    pub(crate) fn takes_at_once(&self) -> bool {
        self.receive.is_empty()
    }

    /// Whether a request may have to wait before it is answered.
    pub(crate) fn waits(&self, job: &Job) -> bool {
        !self.is_bare() || self.engine.waits(job)
    }

    /// Starts what a request calls.
    pub(crate) fn start(self: &Arc<Self>, work: Work) -> Started {
        if !self.is_bare() {
            return self.start_stacked(work);
        }
        match self.begin(work, Counting::Here) {
            Begun::Answer(answer) => Started::Answer(answer),
            Begun::Handler(handling) => Started::Running(Running::handler(handling)),
        }
    }

    /// The same with something around it: what waits there has its place among those in flight too. Whoever only listens
    /// has none.
    fn start_stacked(self: &Arc<Self>, work: Work) -> Started {
        if matches!(work.job, Job::Listen(_)) {
            return Started::Running(Running::stacked(work, self.uncounted()));
        }
        match self.place() {
            Some(place) => Started::Running(Running::stacked(work, place)),
            None => Started::Answer(self.busy(&work.call)),
        }
    }

    /// Starts the handler of a request.
    fn begin(self: &Arc<Self>, work: Work, counting: Counting) -> Begun {
        if work.call.asks.sealed.is_some()
            && let Err(fault) = self.engine.resume(&work.call, SystemTime::now())
        {
            return Begun::Answer(work.refuse(&fault, Leg::Era(work.call.revision.era())));
        }
        match self.engine.prepare(work) {
            Prepared::Answer(answer) => Begun::Answer(answer),
            // What needs no handler is answered however many of them are at work.
            // Nor is one who listens at work; how many do is limited elsewhere.
            Prepared::Run(run) if run.task.is_endless() || counting == Counting::Counted => {
                Begun::Handler(Handling::new(run, self.uncounted()))
            }
            Prepared::Run(run) => match self.place() {
                Some(place) => Begun::Handler(Handling::new(run, place)),
                None => Begun::Answer(self.busy(&run.call)),
            },
        }
    }

    /// Does what a notification is about, and says which request is not wanted any more.
    async fn noticed(
        self: &Arc<Self>,
        call: &Arc<Shared>,
        about: About,
        counting: Counting,
    ) -> Option<RequestId> {
        match about {
            About::Nothing => {}
            About::Cancel(id) => return Some(id),
            About::Handled(notification) => {
                self.run_notified(Arc::clone(call), &notification, counting).await;
            }
        }
        None
    }

    /// Runs the handler of a notification to its end: what goes wrong is logged.
    async fn run_notified(
        self: &Arc<Self>,
        call: Arc<Shared>,
        notification: &NotificationDef,
        counting: Counting,
    ) {
        let place = (counting == Counting::Here).then(|| self.place());
        if matches!(place, Some(None)) {
            return crate::log::warn(stacked::BUSY);
        }
        let (name, running) = self.engine.notified(call, notification);
        let Some(running) = running else { return };
        let outcome = async {
            contained_future(|| running)
                .await
                .and_then(|outcome| outcome.map_err(|failure| failure.to_string()))
        };
        let outcome = match self.limits.handler_timeout {
            None => outcome.await,
            Some(most) => tokio::time::timeout(most, outcome)
                .await
                .unwrap_or_else(|_| Err(format!("it took longer than {most:?}, and was ended"))),
        };
        if let Err(text) = outcome {
            crate::log::error(&format!("handler of notification `{name}` failed: {text}"));
        }
    }

    /// The place of one more in flight; none where there are as many as there may be.
    fn place(self: &Arc<Self>) -> Option<Place> {
        let takes = self.engine.live.hub().meter.take(self.limits.max_in_flight, Gauge::Handlers);
        takes.then(|| Place { of: Arc::clone(self), is_counted: true })
    }

    /// The place of what is not in flight, or has another.
    fn uncounted(self: &Arc<Self>) -> Place {
        Place { of: Arc::clone(self), is_counted: false }
    }

    fn busy(&self, call: &Shared) -> Answer {
        let most = self.limits.max_in_flight;
        let fault =
            Fault::new(FaultKind::Busy, format!("The server is busy: {most} calls are in flight; try again"));
        error(&fault, Leg::Era(call.revision.era()), Some(call.id_json()))
    }
}

/// Where a call is counted among those in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    Here,
    /// It is already, with what stands around it.
    Counted,
}

/// The place of one call among those in flight; given back when the call ends.
pub(crate) struct Place {
    of: Arc<Dispatcher>,
    is_counted: bool,
}

impl Place {
    fn timeout(&self) -> Option<Duration> {
        self.of.limits.handler_timeout
    }

    fn engine(&self) -> &Engine {
        &self.of.engine
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_counted {
            self.of.engine.live.hub().meter.give_back(Gauge::Handlers);
        }
    }
}
