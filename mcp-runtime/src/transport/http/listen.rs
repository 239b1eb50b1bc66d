//! The accept loop: connections with timeouts, one service, and an end that lets calls in flight finish.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::activity::{Activity, Timed, Times, Watched};

/// How connections are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) times: Times,
    /// How long calls in flight may go on after the server is told to stop.
    pub(crate) grace: Duration,
}

/// What answers the requests of all connections.
pub(crate) trait Service: Clone + Send + Sync + 'static {
    type Body: Body<Data = Bytes, Error: std::error::Error + Send + Sync> + Unpin + Send + 'static;

    fn call(&self, request: Request<Incoming>) -> impl Future<Output = Response<Self::Body>> + Send;
}

/// Serves connections until the token is cancelled; then lets calls in flight finish within the grace.
pub(crate) async fn listen<S: Service>(
    listener: TcpListener,
    service: S,
    limits: Limits,
    stop: CancellationToken,
) -> io::Result<()> {
    let connections = TaskTracker::new();
    let abort = CancellationToken::new();
    loop {
        let socket = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((socket, _)) => socket,
                Err(error) => {
                    back_off(&error).await;
                    continue;
                }
            },
        };
        // A stream's events are small and must not wait for each other's acknowledgement.
        let _ = socket.set_nodelay(true);
        let (service, stop, abort) = (service.clone(), stop.clone(), abort.clone());
        connections.spawn(async move {
            abort.run_until_cancelled(connection(socket, service, limits.times, stop)).await
        });
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(limits.grace, connections.wait()).await.is_err() {
        crate::log::warn(&format!(
            "{} connections were still busy when their time was up",
            connections.len()
        ));
        abort.cancel();
        connections.wait().await;
    }
    Ok(())
}

/// Waits before the next connection is accepted, where an error says that there is no room for one.
async fn back_off(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        crate::log::warn(&format!("a connection could not be accepted: {error}"));
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn connection<S: Service>(socket: TcpStream, service: S, times: Times, stop: CancellationToken) {
    let activity = Activity::new();
    let io = TokioIo::new(Watched { socket, activity: Arc::clone(&activity) });
    let served = service_fn(|request: Request<Incoming>| {
        let busy = activity.begin();
        let service = service.clone();
        async move {
            let response = service.call(request).await;
            Ok::<_, Infallible>(response.map(|body| Timed { body, _busy: busy }))
        }
    });
    let mut connection = pin!(http1::Builder::new().serve_connection(io, served));
    let mut stopping = pin!(stop.cancelled());
    let mut told_to_stop = false;
    // What is late is closed within this much of its time.
    let look = times.header.min(times.idle).min(times.write) / 4;
    let mut timer = pin!(tokio::time::sleep(look));
    poll_fn(|cx| {
        if !told_to_stop && stopping.as_mut().poll(cx).is_ready() {
            told_to_stop = true;
            connection.as_mut().graceful_shutdown();
        }
        // Errors are the client's doing: a reset, half a request, something that is no HTTP.
        if connection.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        while timer.as_mut().poll(cx).is_ready() {
            if activity.is_late(&times) {
                return Poll::Ready(());
            }
            timer.as_mut().reset(tokio::time::Instant::now() + look);
        }
        Poll::Pending
    })
    .await;
}

/// The answer to a request for a path that is not the endpoint's.
pub(crate) fn not_found(path: &str) -> Response<super::Reply> {
    let text = format!("The MCP endpoint of this server is `{path}`\n");
    let mut response = Response::new(super::Reply::Whole(crate::engine::Frame::from(Bytes::from(text))));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
