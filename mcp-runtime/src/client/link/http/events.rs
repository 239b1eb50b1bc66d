//! An HTTP body as server-sent events, none of them longer than the limit.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use http_body::Body as _;
use sse_stream::{Sse, SseByteStream};

/// The events of one answer.
pub(super) struct Events {
    stream: Pin<Box<SseByteStream<Chunks>>>,
    /// How many bytes have come since the last event.
    since: Arc<AtomicUsize>,
}

impl Events {
    pub(super) fn of(response: reqwest::Response, longest: usize) -> Self {
        let since = Arc::new(AtomicUsize::new(0));
        let body = reqwest::Body::from(response);
        let chunks = Chunks { body, since: Arc::clone(&since), longest };
        Self { stream: Box::pin(SseByteStream::new(chunks)), since }
    }

    /// The next event; none at the end, and a text where the connection broke.
    pub(super) async fn next(&mut self) -> Option<Result<Sse, String>> {
        let event = std::future::poll_fn(|cx| self.stream.as_mut().poll_next(cx)).await;
        self.since.store(0, Ordering::Relaxed);
        event.map(|event| event.map_err(|error| error.to_string()))
    }
}

struct Chunks {
    body: reqwest::Body,
    since: Arc<AtomicUsize>,
    longest: usize,
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug)]
struct Broken(BoxError);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Broken {}

impl Stream for Chunks {
    type Item = Result<Bytes, Broken>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(Broken(error.into())))),
                Some(Ok(frame)) => frame,
            };
            // Trailers say nothing here.
            let Ok(bytes) = frame.into_data() else { continue };
            let since = self.since.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len();
            if since > self.longest {
                let text = format!("an event is longer than {} bytes", self.longest);
                return Poll::Ready(Some(Err(Broken(text.into()))));
            }
            return Poll::Ready(Some(Ok(bytes)));
        }
    }
}
