//! What a connection is doing, and whether it has been at it for too long.
//!
//! hyper's own header timeout counts the idle time between requests too, so that one record per connection tells
//! them apart: it is changed when bytes arrive, when a request begins and when its answer is out, and a timer looks
//! at it from time to time. No clock is read and no timer moved on the way of a request.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// How long a connection may take over what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The headers of one request.
    pub(crate) header: Duration,
    /// Nothing, between requests and before the first.
    pub(crate) idle: Duration,
    /// One write that the client does not read.
    pub(crate) write: Duration,
}

/// What one connection is doing. It reads no clock: who looks at it from time to time does.
#[derive(Default)]
pub(crate) struct Activity {
    /// Requests whose answers are not out.
    open: AtomicUsize,
    /// Bytes of a request have come, and not yet all of its headers.
    in_head: AtomicBool,
    /// A write waits for the client to read.
    in_write: AtomicBool,
    /// Counts requests begun and answers out.
    turns: AtomicUsize,
    /// Counts writes that were taken.
    writes: AtomicUsize,
}

/// What a connection may be at for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Head,
    Busy,
}

/// What was seen of a connection, and since when.
pub(crate) struct Watch {
    state: (State, usize),
    state_since: Instant,
    write: (bool, usize),
    write_since: Instant,
}

impl Watch {
    pub(crate) fn new(now: Instant) -> Self {
        Self { state: (State::Idle, 0), state_since: now, write: (false, 0), write_since: now }
    }

    /// Looks at a connection, and says whether it has been at something for too long.
    pub(crate) fn is_late(&mut self, activity: &Activity, times: &Times, now: Instant) -> bool {
        let state = match (activity.open.load(Ordering::Relaxed), activity.in_head.load(Ordering::Relaxed)) {
            (0, false) => State::Idle,
            (0, true) => State::Head,
            _ => State::Busy,
        };
        let state = (state, activity.turns.load(Ordering::Relaxed));
        if state != self.state {
            (self.state, self.state_since) = (state, now);
        }
        let write = (activity.in_write.load(Ordering::Relaxed), activity.writes.load(Ordering::Relaxed));
        if write != self.write {
            (self.write, self.write_since) = (write, now);
        }
        let most = match self.state.0 {
            State::Idle => Some(times.idle),
            State::Head => Some(times.header),
            State::Busy => None,
        };
        most.is_some_and(|most| now - self.state_since >= most)
            || (self.write.0 && now - self.write_since >= times.write)
    }
}

/// One more. The counters are changed by the task of their connection alone, so that no lock is needed.
fn count(counter: &AtomicUsize) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

impl Activity {
    /// A request has been read as far as its headers.
    pub(crate) fn begin(self: &Arc<Self>) -> Busy {
        self.open.fetch_add(1, Ordering::Relaxed);
        self.in_head.store(false, Ordering::Relaxed);
        count(&self.turns);
        Busy(Arc::clone(self))
    }
}

/// One request whose answer is not out; over when dropped.
pub(crate) struct Busy(Arc<Activity>);

impl Drop for Busy {
    fn drop(&mut self) {
        count(&self.0.turns);
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How much is read ahead of a request in flight.
const MOST_AHEAD: usize = 64 * 1024;

/// A socket that tells what it does, and notices in the middle of a call that its client is gone.
///
/// hyper looks for the end of the input while a call is in flight only as long as nothing else has come. So where
/// something has, it is read ahead here.
pub(crate) struct Watched<S> {
    socket: S,
    activity: Arc<Activity>,
    /// Whether since the last flush somebody has read all that there was, and is woken when more comes.
    reader_waits: bool,
    /// What was read ahead.
    ahead: BytesMut,
}

impl<S> Watched<S> {
    pub(crate) fn new(socket: S, activity: Arc<Activity>) -> Self {
        Self { socket, activity, reader_waits: false, ahead: BytesMut::new() }
    }
}

impl<S: AsyncRead + Unpin> Watched<S> {
    /// Reads on while a call is in flight that nobody else reads beyond; fails once the client is gone.
    fn read_ahead(&mut self, cx: &mut Context<'_>) -> std::io::Result<()> {
        let mut chunk = [0; 1024];
        while self.ahead.len() < MOST_AHEAD {
            let mut buf = ReadBuf::new(&mut chunk);
            match Pin::new(&mut self.socket).poll_read(cx, &mut buf) {
                Poll::Pending => break,
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Ready(Ok(())) if buf.filled().is_empty() => {
                    return Err(std::io::ErrorKind::UnexpectedEof.into());
                }
                Poll::Ready(Ok(())) => self.ahead.extend_from_slice(buf.filled()),
            }
        }
        Ok(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buf.filled().len();
        let polled = if self.ahead.is_empty() {
            Pin::new(&mut self.socket).poll_read(cx, buf)
        } else {
            let length = self.ahead.len().min(buf.remaining());
            buf.put_slice(&self.ahead.split_to(length));
            Poll::Ready(Ok(()))
        };
        self.reader_waits = polled.is_pending();
        if buf.filled().len() > before && self.activity.open.load(Ordering::Relaxed) == 0 {
            self.activity.in_head.store(true, Ordering::Relaxed);
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> Watched<S> {
    fn wrote(&self, polled: &Poll<std::io::Result<usize>>) {
        self.activity.in_write.store(polled.is_pending(), Ordering::Relaxed);
        if polled.is_ready() {
            count(&self.activity.writes);
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let polled = Pin::new(&mut self.socket).poll_write(cx, buf);
        self.wrote(&polled);
        polled
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let polled = Pin::new(&mut self.socket).poll_write_vectored(cx, bufs);
        self.wrote(&polled);
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    /// hyper flushes each time that it has looked at everything else.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        if !std::mem::take(&mut self.reader_waits) && self.activity.open.load(Ordering::Relaxed) > 0 {
            self.read_ahead(cx)?;
        }
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

/// A body that keeps its connection busy until it is out.
pub(crate) struct Timed<B> {
    pub(crate) body: B,
    pub(crate) _busy: Option<Busy>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for Timed<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
