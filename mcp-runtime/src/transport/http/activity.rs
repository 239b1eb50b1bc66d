//! What a connection is doing, and whether it has been at it for too long.
//!
//! hyper's own header timeout counts the idle time between requests too, so that one record per connection tells
//! them apart: it is changed when bytes arrive, when a request begins and when its answer is out, and looked at by a
//! timer that is never moved on the way of a request.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

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

/// What one connection is doing.
pub(crate) struct Activity {
    start: Instant,
    /// Requests whose answers are not out.
    open: AtomicUsize,
    /// When the last one was out, or the connection began; in milliseconds since `start`.
    idle_since: AtomicU64,
    /// When the first bytes of a request came; 0 while there are none.
    head_since: AtomicU64,
    /// When a write began to wait; 0 while none does.
    write_since: AtomicU64,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            open: AtomicUsize::new(0),
            idle_since: AtomicU64::new(0),
            head_since: AtomicU64::new(0),
            write_since: AtomicU64::new(0),
        })
    }

    fn now(&self) -> u64 {
        // 0 stands for never.
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// A request has been read as far as its headers.
    pub(crate) fn begin(self: &Arc<Self>) -> Busy {
        self.open.fetch_add(1, Ordering::Relaxed);
        self.head_since.store(0, Ordering::Relaxed);
        Busy(Arc::clone(self))
    }

    /// Whether the connection has been at something for too long.
    pub(crate) fn is_late(&self, times: &Times) -> bool {
        let now = self.now();
        let longer = |since: u64, most: Duration| u128::from(now.saturating_sub(since)) >= most.as_millis();
        let write = self.write_since.load(Ordering::Relaxed);
        if write != 0 && longer(write, times.write) {
            return true;
        }
        if self.open.load(Ordering::Relaxed) > 0 {
            return false;
        }
        match self.head_since.load(Ordering::Relaxed) {
            0 => longer(self.idle_since.load(Ordering::Relaxed), times.idle),
            head => longer(head, times.header),
        }
    }
}

/// One request whose answer is not out; over when dropped.
pub(crate) struct Busy(Arc<Activity>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.idle_since.store(self.0.now(), Ordering::Relaxed);
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A socket that tells what it does.
pub(crate) struct Watched<S> {
    pub(crate) socket: S,
    pub(crate) activity: Arc<Activity>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.socket).poll_read(cx, buf);
        if buf.filled().len() > before
            && self.activity.open.load(Ordering::Relaxed) == 0
            && self.activity.head_since.load(Ordering::Relaxed) == 0
        {
            self.activity.head_since.store(self.activity.now(), Ordering::Relaxed);
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> Watched<S> {
    fn wrote(&self, polled: &Poll<std::io::Result<usize>>) {
        let waiting = self.activity.write_since.load(Ordering::Relaxed) != 0;
        match polled {
            Poll::Pending if !waiting => {
                self.activity.write_since.store(self.activity.now(), Ordering::Relaxed)
            }
            Poll::Ready(_) if waiting => self.activity.write_since.store(0, Ordering::Relaxed),
            _ => {}
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
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

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

/// A body that keeps its connection busy until it is out.
pub(crate) struct Timed<B> {
    pub(crate) body: B,
    pub(crate) _busy: Busy,
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
