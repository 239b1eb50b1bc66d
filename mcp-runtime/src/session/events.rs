//! The events of one stream, kept so that a client whose connection broke can take it up again (2025-11-25, Streamable
//! HTTP, "Resumability and Redelivery").
//!
//! One side appends, at most one reader reads. What is kept is bounded: the oldest events go first, and a reader that
//! is so slow that it would miss one is let go.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;

/// How many events may wait for a reader before whoever appends waits too.
const MOST_UNREAD: u64 = 16;

/// How much of a stream is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) events: usize,
    pub(crate) bytes: usize,
}

/// The events of one stream.
pub(crate) struct EventLog {
    /// What the ids of its events begin with.
    name: String,
    kept: Kept,
    /// Whether whoever appends waits for room first, so that nothing need go before it was read.
    waits: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    events: VecDeque<Bytes>,
    bytes: usize,
    /// How many events went before those that are kept.
    gone: u64,
    ended: bool,
    /// How many events the reader, or the last one, has read.
    read: u64,
    /// Which reader it is, as long as there is one.
    reader: Option<u64>,
    readers: u64,
    /// The reader is to go behind that many events, and its client to come back after that time.
    leave: Option<(u64, Duration)>,
    reads: Option<Waker>,
    appends: Option<Waker>,
}

/// Where a reader begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// At what no reader has read yet.
    Unread,
    /// Behind that many events.
    Event(u64),
}

/// The events that are asked for are not kept, or never were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gone;

impl State {
    fn appended(&self) -> u64 {
        self.gone + self.events.len() as u64
    }

    fn wake_reader(&mut self) {
        if let Some(waker) = self.reads.take() {
            waker.wake();
        }
    }

    fn wake_writer(&mut self) {
        if let Some(waker) = self.appends.take() {
            waker.wake();
        }
    }
}

impl EventLog {
    /// The log of a stream to which whoever appends waits for room.
    pub(crate) fn of_call(name: String, kept: Kept) -> Arc<Self> {
        Arc::new(Self { name, kept, waits: true, state: Mutex::default() })
    }

    /// The log of a stream to which anybody appends at any time.
    pub(crate) fn standalone(name: String, kept: Kept) -> Arc<Self> {
        Arc::new(Self { name, kept, waits: false, state: Mutex::default() })
    }

    /// Appends an event. Nothing is appended after the end.
    pub(crate) fn append(&self, message: Bytes) {
        let mut state = self.lock();
        if state.ended {
            return;
        }
        state.bytes += message.len();
        state.events.push_back(message);
        self.trim(&mut state);
        state.wake_reader();
    }

    /// Lets the oldest events go, as far as there are more than are kept.
    fn trim(&self, state: &mut State) {
        let unread_from = if self.waits && state.reader.is_some() { state.read } else { u64::MAX };
        while state.events.len() > 1
            && state.gone < unread_from
            && (state.events.len() > self.kept.events || state.bytes > self.kept.bytes)
        {
            let Some(oldest) = state.events.pop_front() else { break };
            state.bytes -= oldest.len();
            state.gone += 1;
        }
    }

    /// Waits while a reader has enough to read.
    pub(crate) fn poll_room(&self, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.ended || state.reader.is_none() || state.appended() - state.read < MOST_UNREAD {
            return Poll::Ready(());
        }
        state.appends = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Nothing follows.
    pub(crate) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        state.wake_reader();
        state.wake_writer();
    }

    /// Has the reader go once it has read everything so far. The stream goes on.
    pub(crate) fn let_go(&self, retry: Duration) {
        let mut state = self.lock();
        if state.reader.is_some() {
            state.leave = Some((state.appended(), retry));
            state.wake_reader();
        }
    }

    /// Whether somebody reads.
    pub(crate) fn is_read(&self) -> bool {
        self.lock().reader.is_some()
    }

    /// Reads from there on, in place of whoever read before.
    pub(crate) fn read(self: &Arc<Self>, after: After, prime: bool) -> Result<Reader, Gone> {
        let mut state = self.lock();
        let position = match after {
            After::Unread => state.read.max(state.gone),
            After::Event(position) if (state.gone..=state.appended()).contains(&position) => position,
            After::Event(_) => return Err(Gone),
        };
        state.wake_reader();
        state.readers += 1;
        let number = state.readers;
        state.reader = Some(number);
        state.read = position;
        state.leave = None;
        drop(state);
        Ok(Reader { log: Arc::clone(self), number, position, prime })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that holds the lock can panic half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a stream, as server-sent events.
pub(crate) struct Reader {
    log: Arc<EventLog>,
    number: u64,
    position: u64,
    /// The first event is an id alone, so that the client can come back before anything else has come.
    prime: bool,
}

impl Reader {
    /// Whether nobody has taken its place.
    pub(crate) fn reads(&self) -> bool {
        self.log.lock().reader == Some(self.number)
    }

    /// Whether it reads what belongs to no request.
    pub(crate) fn is_standalone(&self) -> bool {
        !self.log.waits
    }

    /// The next event; none after the last, or once the reader has to go.
    pub(crate) fn poll_event(&mut self, cx: &Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = self.log.lock();
        if state.reader != Some(self.number) {
            return Poll::Ready(None);
        }
        if std::mem::take(&mut self.prime) {
            return Poll::Ready(Some(event(&self.log.name, self.position, b"")));
        }
        if let Some((position, retry)) = state.leave
            && position <= self.position
        {
            state.leave = None;
            state.reader = None;
            state.wake_writer();
            return Poll::Ready(Some(format!("retry: {}\n\n", retry.as_millis()).into()));
        }
        let Some(at) = self.position.checked_sub(state.gone) else {
            // Events went before they were read. The client comes back, and is told.
            return Poll::Ready(None);
        };
        if let Some(message) = usize::try_from(at).ok().and_then(|at| state.events.get(at)) {
            let message = message.clone();
            self.position += 1;
            state.read = self.position;
            state.wake_writer();
            return Poll::Ready(Some(event(&self.log.name, self.position, &message)));
        }
        if state.ended {
            return Poll::Ready(None);
        }
        state.reads = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.log.lock();
        if state.reader == Some(self.number) {
            state.reader = None;
            self.log.trim(&mut state);
            state.wake_writer();
        }
    }
}

/// One message as an event that can be named, or the place before the first. A message is one line of JSON, so that it is
/// one line of data.
fn event(name: &str, number: u64, message: &[u8]) -> Bytes {
    let mut digits = itoa::Buffer::new();
    let parts =
        [b"id: ", name.as_bytes(), b".", digits.format(number).as_bytes(), b"\ndata: ", message, b"\n\n"];
    parts.concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(events: usize) -> Arc<EventLog> {
        EventLog::standalone("s".to_owned(), Kept { events, bytes: 1000 })
    }

    fn append(log: &EventLog, text: &'static str) {
        log.append(Bytes::from_static(text.as_bytes()));
    }

    fn next(reader: &mut Reader) -> Poll<Option<String>> {
        reader
            .poll_event(&Context::from_waker(Waker::noop()))
            .map(|event| event.map(|event| String::from_utf8(event.to_vec()).unwrap()))
    }

    #[track_caller]
    fn reads(reader: &mut Reader, expected: &str) {
        assert_eq!(next(reader), Poll::Ready(Some(expected.to_owned())));
    }

    #[test]
    fn a_stream_is_taken_up_behind_the_last_event_that_was_read() {
        let log = log(10);
        let mut first = log.read(After::Unread, true).unwrap();
        reads(&mut first, "id: s.0\ndata: \n\n");
        append(&log, "a");
        reads(&mut first, "id: s.1\ndata: a\n\n");
        assert!(next(&mut first).is_pending());
        append(&log, "b");
        append(&log, "c");
        let mut second = log.read(After::Event(1), false).unwrap();
        assert_eq!(next(&mut first), Poll::Ready(None), "one reader at a time");
        drop(first);
        reads(&mut second, "id: s.2\ndata: b\n\n");
        reads(&mut second, "id: s.3\ndata: c\n\n");
        log.end();
        assert_eq!(next(&mut second), Poll::Ready(None));
    }

    #[test]
    fn what_is_not_kept_cannot_be_read() {
        let log = log(2);
        for text in ["a", "b", "c"] {
            append(&log, text);
        }
        assert!(log.read(After::Event(0), false).is_err());
        assert!(log.read(After::Event(4), false).is_err());
        reads(&mut log.read(After::Event(1), false).unwrap(), "id: s.2\ndata: b\n\n");
        assert_eq!(next(&mut log.read(After::Event(3), false).unwrap()), Poll::Pending);
    }

    #[test]
    fn a_reader_that_would_miss_an_event_is_let_go() {
        let log = log(2);
        let mut reader = log.read(After::Unread, false).unwrap();
        for text in ["a", "b", "c"] {
            append(&log, text);
        }
        assert_eq!(next(&mut reader), Poll::Ready(None));
    }

    #[test]
    fn what_waits_for_its_reader_does_not_go_before_it_is_read() {
        let log = EventLog::of_call("s".to_owned(), Kept { events: 1, bytes: 1000 });
        let mut reader = log.read(After::Unread, false).unwrap();
        append(&log, "a");
        append(&log, "b");
        reads(&mut reader, "id: s.1\ndata: a\n\n");
        reads(&mut reader, "id: s.2\ndata: b\n\n");
        append(&log, "c");
        drop(reader);
        assert!(log.read(After::Event(1), false).is_err());
        assert!(log.read(After::Event(2), false).is_ok());
    }

    #[test]
    fn the_last_event_is_kept_whatever_its_size() {
        let log = EventLog::standalone("s".to_owned(), Kept { events: 10, bytes: 3 });
        append(&log, "a");
        append(&log, "longer");
        reads(&mut log.read(After::Event(1), false).unwrap(), "id: s.2\ndata: longer\n\n");
        assert!(log.read(After::Event(0), false).is_err());
    }

    #[test]
    fn a_writer_waits_for_a_reader_and_for_nobody_else() {
        let log = log(1000);
        let room = |log: &EventLog| log.poll_room(&Context::from_waker(Waker::noop())).is_ready();
        for _ in 0..100 {
            append(&log, "a");
        }
        assert!(room(&log));
        let mut reader = log.read(After::Event(0), false).unwrap();
        assert!(!room(&log));
        for _ in 0..90 {
            assert!(next(&mut reader).is_ready());
        }
        assert!(room(&log));
        let reader = log.read(After::Event(0), false).unwrap();
        assert!(!room(&log));
        drop(reader);
        assert!(room(&log));
    }

    #[test]
    fn a_reader_that_is_let_go_is_told_when_to_come_back() {
        let log = log(10);
        let mut reader = log.read(After::Unread, false).unwrap();
        append(&log, "a");
        log.let_go(Duration::from_millis(250));
        append(&log, "b");
        reads(&mut reader, "id: s.1\ndata: a\n\n");
        reads(&mut reader, "retry: 250\n\n");
        assert_eq!(next(&mut reader), Poll::Ready(None));
        drop(reader);
        reads(&mut log.read(After::Event(1), false).unwrap(), "id: s.2\ndata: b\n\n");
    }
}
