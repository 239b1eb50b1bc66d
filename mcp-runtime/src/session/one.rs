//! One session.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::events::{After, EventLog, Gone, Kept, Reader};
use super::settings::Sessions;
use super::table::Common;
use crate::call::{Connected, LogGate, Peer, RequestId, Shared};
use crate::gauges::{Counted, Gauge};
use crate::hub::{Listener, Wants};
use crate::middleware::Exit;
use crate::protocol::Revision;
use crate::protocol::fault::{Fault, FaultKind};

/// What a client agreed on in `initialize`, and what it has going on.
pub(crate) struct Session {
    pub(crate) id: Arc<str>,
    pub(crate) revision: Revision,
    pub(crate) client: Arc<Connected>,
    /// Whose it is; nobody else's requests belong to it.
    pub(super) principal: Option<Arc<str>>,
    log_gate: Arc<LogGate>,
    settings: Sessions,
    /// What the ids of its events begin with: it tells them from those of other sessions, and nothing else.
    mark: String,
    opened: Instant,
    /// When it was last used, in milliseconds since it was opened.
    used: AtomicU64,
    /// Whether its client has sent nothing since `initialize`.
    is_new: AtomicBool,
    /// How many requests and streams are using it.
    in_use: AtomicUsize,
    ended: AtomicBool,
    calls: Mutex<HashMap<RequestId, Weak<Shared>>>,
    streams: Mutex<Streams>,
    /// What belongs to no request.
    standalone: Arc<EventLog>,
    /// Whom handlers ask.
    peer: Arc<Peer>,
    /// What has changed for it.
    listener: Arc<Listener>,
    /// The way out, for what belongs to no request.
    exit: Exit,
    /// It, among all sessions.
    counted: Counted,
}

#[derive(Default)]
struct Streams {
    count: u64,
    open: HashMap<u64, Arc<EventLog>>,
    /// The last ones that ended, the oldest first.
    finished: VecDeque<(u64, Arc<EventLog>)>,
}

/// How long a session is kept whose client sends nothing after `initialize`.
const UNUSED: Duration = Duration::from_secs(60);

/// Why a stream is not taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresumable {
    /// The event is none of this session's, or not kept any more.
    Gone,
    /// Somebody reads the stream, and the request does not say that it comes in their place.
    Read,
}

impl From<Gone> for Unresumable {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

impl Session {
    /// `secret` is the id, `mark` tells its events from those of others; both are random.
    pub(super) fn new(
        secret: Arc<str>,
        mark: String,
        principal: Option<Arc<str>>,
        revision: Revision,
        client: Connected,
        common: &Common,
    ) -> Self {
        let Common { settings, hub, exit } = common;
        let settings = *settings;
        let standalone = EventLog::standalone(format!("{mark}.0"), kept(&settings));
        let exit = exit.of_client();
        let (loose, way) = (Arc::clone(&standalone), exit.clone());
        Self {
            id: secret,
            revision,
            client: Arc::new(client),
            principal,
            log_gate: Arc::default(),
            settings,
            mark,
            opened: Instant::now(),
            used: AtomicU64::new(0),
            is_new: AtomicBool::new(true),
            in_use: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            calls: Mutex::default(),
            streams: Mutex::default(),
            standalone,
            peer: Arc::new(Peer::new(settings.patience, Arc::clone(&hub.meter), move |message| {
                let log = Arc::clone(&loose);
                way.tell(message, move |message| log.append(message));
            })),
            exit,
            listener: hub.listen(Wants::lists()),
            counted: hub.meter.count(Gauge::Sessions),
        }
    }

    /// What has changed for it.
    pub(crate) fn listener(&self) -> &Arc<Listener> {
        &self.listener
    }

    /// Tells what belongs to no request.
    pub(crate) fn tell(&self, message: Bytes) {
        let log = Arc::clone(&self.standalone);
        self.exit.tell(message, move |message| log.append(message));
    }

    /// Counts a stream of its events, until it is dropped.
    pub(crate) fn count_stream(&self) -> Counted {
        self.counted.meter().count(Gauge::Streams)
    }

    /// Whom handlers ask.
    pub(crate) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    /// The mildest level of log messages that the client wants to read.
    pub(crate) fn log_gate(&self) -> &Arc<LogGate> {
        &self.log_gate
    }

    /// Whether streams of this session are begun with an id, and can be closed before their end: from 2025-11-25 on
    /// clients come back.
    pub(crate) fn polls(&self) -> bool {
        self.revision >= Revision::V2025_11_25
    }

    /// Keeps the session from being idle until it is dropped.
    pub(crate) fn hold(self: &Arc<Self>) -> InUse {
        self.is_new.store(false, Ordering::Release);
        self.in_use.fetch_add(1, Ordering::AcqRel);
        InUse(Arc::clone(self))
    }

    fn touch(&self) {
        let now = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.used.store(now, Ordering::Relaxed);
    }

    /// Whether nobody has used it for too long, or it has ended.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        let used = self.opened + Duration::from_millis(self.used.load(Ordering::Relaxed));
        let idle = if self.is_new.load(Ordering::Acquire) {
            self.settings.idle.min(UNUSED)
        } else {
            self.settings.idle
        };
        self.ended.load(Ordering::Acquire)
            || (self.in_use.load(Ordering::Acquire) == 0 && now.duration_since(used) >= idle)
    }

    /// Notes a call in flight, so that it can be cancelled.
    pub(crate) fn begin(self: &Arc<Self>, call: &Arc<Shared>) -> Result<InFlight, Fault> {
        let id = call.request_id().ok_or_else(|| Fault::invalid_request("A call has an id"))?;
        let mut calls = self.calls();
        if self.ended.load(Ordering::Acquire) {
            call.outbox.cancel();
        }
        if calls.contains_key(&id) {
            return Err(Fault::invalid_request(
                "The id is that of a request in flight: use another, or wait for its answer",
            ));
        }
        let most = self.settings.calls;
        if calls.len() >= most {
            let text =
                format!("{most} calls of this session are in flight, as many as there may be; try again");
            return Err(Fault::new(FaultKind::Busy, text));
        }
        calls.insert(id.clone(), Arc::downgrade(call));
        Ok(InFlight { id, held: self.hold() })
    }

    /// Ends a call; an id that is not in flight is nobody's concern.
    pub(crate) fn cancel(&self, id: &RequestId) {
        let call = self.calls().get(id).and_then(Weak::upgrade);
        if let Some(call) = call {
            call.outbox.cancel();
        }
    }

    /// A stream for the messages of one call.
    pub(crate) fn open_stream(&self) -> (u64, Arc<EventLog>) {
        let mut streams = self.streams();
        streams.count += 1;
        let number = streams.count;
        let name = [&self.mark, ".", itoa::Buffer::new().format(number)].concat();
        let log = EventLog::of_call(name, kept(&self.settings));
        if self.ended.load(Ordering::Acquire) {
            log.end();
        }
        streams.open.insert(number, Arc::clone(&log));
        (number, log)
    }

    /// Ends a stream. It is kept for a while, for a client that missed its end.
    pub(crate) fn finish_stream(&self, number: u64) {
        let mut streams = self.streams();
        if let Some(log) = streams.open.remove(&number) {
            log.end();
            streams.finished.push_back((number, log));
            if streams.finished.len() > self.settings.streams {
                streams.finished.pop_front();
            }
        }
    }

    /// Reads what belongs to no request.
    pub(crate) fn listen(&self) -> Result<Reader, Unresumable> {
        if self.standalone.is_read() {
            return Err(Unresumable::Read);
        }
        Ok(self.standalone.read(After::Unread, self.polls())?)
    }

    /// Takes up a stream behind one of its events.
    pub(crate) fn resume(&self, last: &str) -> Result<Reader, Unresumable> {
        let (stream, event) = self.named(last).ok_or(Unresumable::Gone)?;
        let log = if stream == 0 {
            Some(Arc::clone(&self.standalone))
        } else {
            let streams = self.streams();
            let finished = streams.finished.iter().find(|(number, _)| *number == stream);
            streams.open.get(&stream).or(finished.map(|(_, log)| log)).cloned()
        };
        Ok(log.ok_or(Unresumable::Gone)?.read(After::Event(event), false)?)
    }

    /// The stream and the number that an event's id names.
    fn named(&self, id: &str) -> Option<(u64, u64)> {
        let (stream, event) = id.strip_prefix(&self.mark)?.strip_prefix('.')?.split_once('.')?;
        let number = |text: &str| {
            // Each number has one spelling: the one that was sent.
            text.parse::<u64>().ok().filter(|number| number.to_string() == text)
        };
        Some((number(stream)?, number(event)?))
    }

    /// Ends everything that it has going on.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.peer.close();
        let calls: Vec<_> = self.calls().drain().filter_map(|(_, call)| call.upgrade()).collect();
        for call in calls {
            call.outbox.cancel();
        }
        self.standalone.end();
        self.streams().open.values().for_each(|log| log.end());
    }

    /// Ends the stream that belongs to no request.
    pub(super) fn end_listening(&self) {
        self.standalone.end();
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<RequestId, Weak<Shared>>> {
        // Nothing that holds the lock can panic half way through a change.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        // As above.
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn kept(settings: &Sessions) -> Kept {
    Kept { events: settings.events, bytes: settings.event_bytes }
}

/// One use of a session, which is not idle until it is dropped.
pub(crate) struct InUse(Arc<Session>);

impl InUse {
    pub(crate) fn session(&self) -> &Arc<Session> {
        &self.0
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.touch();
        self.0.in_use.fetch_sub(1, Ordering::AcqRel);
    }
}

/// One call in flight; its id is free again once dropped.
pub(crate) struct InFlight {
    id: RequestId,
    held: InUse,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.held.0.calls().remove(&self.id);
    }
}
