//! The accept loop: connections with timeouts, one service, and an end that lets calls in flight finish.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpSocket, TcpStream, ToSocketAddrs};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::activity::{Activity, Busy, Timed, Times, Watch, Watched};

/// How connections are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) times: Times,
    /// How many connections there are at once; more wait to be accepted.
    pub(crate) connections: usize,
    /// How long calls in flight may go on after the server is told to stop.
    pub(crate) grace: Duration,
}

/// What answers the requests of all connections.
pub(crate) trait Service: Clone + Send + Sync + 'static {
    type Body: Body<Data = Bytes, Error: std::error::Error + Send + Sync> + Unpin + Send + 'static;

    fn call(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<Self::Body>, Infallible>> + Send;
}

pin_project_lite::pin_project! {
    /// An answer on its way, which keeps its connection busy until it is out.
    struct Answering<F> {
        #[pin]
        answer: F,
        busy: Option<Busy>,
    }
}

impl<F, B> Future for Answering<F>
where
    F: Future<Output = Result<Response<B>, Infallible>>,
{
    type Output = Result<Response<Timed<B>>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = std::task::ready!(this.answer.poll(cx))?;
        let busy = this.busy.take();
        Poll::Ready(Ok(response.map(|body| Timed { body, _busy: busy })))
    }
}

/// Tells that a timer is up, so that the timer need not be looked at each time that its task is woken.
struct Bell {
    rang: AtomicBool,
    task: Waker,
}

impl Bell {
    /// A bell that wakes this task, and the waker that rings it. It rings once at first, for its timer to be set.
    fn hung_at(task: &Waker) -> (Arc<Self>, Waker) {
        let bell = Arc::new(Self { rang: AtomicBool::new(true), task: task.clone() });
        (Arc::clone(&bell), bell.into())
    }

    fn has_rung(&self) -> bool {
        self.rang.load(Ordering::Relaxed) && self.rang.swap(false, Ordering::Acquire)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rang.store(true, Ordering::Release);
        self.task.wake_by_ref();
    }
}

/// Tells connections to stop. Looking whether they should costs them next to nothing.
#[derive(Default)]
struct Stop {
    stage: AtomicU8,
    changed: Notify,
}

/// The most that the headers of a request may take, in bytes.
const MAX_HEAD: usize = 64 * 1024;

/// How many connections wait to be accepted before the system refuses more.
const BACKLOG: u32 = 1024;

/// Connections go on.
const GO: u8 = 0;
/// Calls in flight finish, and nothing new begins.
const DRAIN: u8 = 1;
/// Everything ends.
const END: u8 = 2;

impl Stop {
    fn set(&self, stage: u8) {
        self.stage.store(stage, Ordering::Release);
        self.changed.notify_waiters();
    }
}

/// A listener at the first address that can be had.
pub(crate) async fn bind(address: impl ToSocketAddrs) -> io::Result<TcpListener> {
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in tokio::net::lookup_host(address).await? {
        match bind_to(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn bind_to(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(crate::platform::REUSES_ADDRESSES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves connections until the token is cancelled; then lets calls in flight finish within the grace.
pub(crate) async fn listen<S: Service>(
    listener: TcpListener,
    service: S,
    limits: Limits,
    calls: TaskTracker,
    token: CancellationToken,
) -> io::Result<()> {
    let connections = TaskTracker::new();
    let places = Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS)));
    let stop = Arc::new(Stop::default());
    loop {
        let accepted = tokio::select! {
            biased;
            () = token.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let (socket, place) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                back_off(&error).await;
                continue;
            }
        };
        // A stream's events are small and must not wait for each other's acknowledgement.
        let _ = socket.set_nodelay(true);
        let connection = connection(socket, service.clone(), limits.times, Arc::clone(&stop));
        connections.spawn(async move {
            connection.await;
            drop(place);
        });
    }
    drop(listener);
    connections.close();
    calls.close();
    stop.set(DRAIN);
    let quiet = async {
        connections.wait().await;
        calls.wait().await;
    };
    if tokio::time::timeout(limits.grace, quiet).await.is_err() {
        crate::log::warn(&format!(
            "{} connections and {} calls without one were still busy when their time was up",
            connections.len(),
            calls.len()
        ));
        stop.set(END);
        connections.wait().await;
    }
    Ok(())
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, Option<OwnedSemaphorePermit>)> {
    // The semaphore is never closed.
    let place = Arc::clone(places).acquire_owned().await.ok();
    let (socket, _) = listener.accept().await?;
    Ok((socket, place))
}

/// Waits before the next connection is accepted, where an error says that there is no room for one.
async fn back_off(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        crate::log::warn(&format!("a connection could not be accepted: {error}"));
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn connection<S: Service>(socket: TcpStream, service: S, times: Times, stop: Arc<Stop>) {
    let activity = Arc::new(Activity::default());
    let io = TokioIo::new(Watched::new(socket, Arc::clone(&activity)));
    let served =
        service_fn(|request| Answering { busy: Some(activity.begin()), answer: service.call(request) });
    let mut connection = pin!(http1::Builder::new().max_buf_size(MAX_HEAD).serve_connection(io, served));
    // What is late is closed within this much of its time.
    let look = times.header.min(times.idle).min(times.write) / 4;
    let mut timer = pin!(tokio::time::sleep(look));
    let mut watch = Watch::new(Instant::now());
    let mut changed = pin!(stop.changed.notified());
    changed.as_mut().enable();
    let mut seen = GO;
    let mut registered = false;
    let mut rings = None;
    poll_fn(|cx| {
        let stage = stop.stage.load(Ordering::Acquire);
        if stage == END {
            return Poll::Ready(());
        }
        if stage != seen {
            seen = stage;
            connection.as_mut().graceful_shutdown();
            changed.set(stop.changed.notified());
            registered = false;
        }
        // The waker of a task stays the same: once it is known, the flag above tells all.
        if !registered {
            registered = true;
            let _ = changed.as_mut().poll(cx);
            if stop.stage.load(Ordering::Acquire) != seen {
                cx.waker().wake_by_ref();
            }
        }
        // Errors are the client's doing: a reset, half a request, something that is no HTTP.
        if connection.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        let (bell, rings) = rings.get_or_insert_with(|| Bell::hung_at(cx.waker()));
        if !bell.has_rung() {
            return Poll::Pending;
        }
        while timer.as_mut().poll(&mut Context::from_waker(rings)).is_ready() {
            let now = Instant::now();
            if watch.is_late(&activity, &times, now) {
                return Poll::Ready(());
            }
            timer.as_mut().reset(now + look);
        }
        Poll::Pending
    })
    .await;
}
