//! The body of a request, read whole within a limit and a time.

use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body::Body;
use tokio::time::Sleep;

use crate::protocol::fault::{Fault, FaultKind};

/// Reads a body of at most `limit` bytes that arrives within `time`.
///
/// A body that is there already, as most are, is neither copied nor timed.
pub(crate) async fn collect<B>(mut body: Pin<&mut B>, limit: usize, time: Duration) -> Result<Bytes, Fault>
where
    B: Body<Data = Bytes>,
{
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large(limit));
    }
    let mut first = Bytes::new();
    let mut rest = BytesMut::new();
    let mut deadline: Option<Pin<Box<Sleep>>> = None;
    std::future::poll_fn(move |cx| {
        loop {
            match body.as_mut().poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    if first.len() + rest.len() + data.len() > limit {
                        return Poll::Ready(Err(too_large(limit)));
                    }
                    if first.is_empty() && rest.is_empty() {
                        first = data;
                    } else {
                        if rest.is_empty() {
                            rest.extend_from_slice(&std::mem::take(&mut first));
                        }
                        rest.extend_from_slice(&data);
                    }
                    if body.is_end_stream() {
                        return Poll::Ready(Ok(whole(&mut first, &mut rest)));
                    }
                }
                Poll::Ready(None) => return Poll::Ready(Ok(whole(&mut first, &mut rest))),
                Poll::Ready(Some(Err(_))) => {
                    return Poll::Ready(Err(Fault::invalid_request("The body of the request broke off")));
                }
                Poll::Pending => {
                    let deadline = deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
                    return deadline.as_mut().poll(cx).map(|()| Err(late(time)));
                }
            }
        }
    })
    .await
}

/// How much beyond the limit of a body is read to give its refusal a chance to arrive.
const MOST_BEYOND: usize = 1024 * 1024;

/// How long the rest of a body may be silent.
const SILENCE: Duration = Duration::from_secs(1);

/// Reads what is left of the body of a refused request, as long as it comes: whoever still sends does not read the
/// answer, and a connection that is closed on unread bytes may take the answer with it (RFC 9112, section 9.6).
pub(crate) async fn drain<B>(mut body: Pin<&mut B>, limit: usize, time: Duration)
where
    B: Body<Data = Bytes>,
{
    let mut left = limit.saturating_add(MOST_BEYOND);
    let rest = async {
        loop {
            let frame = std::future::poll_fn(|cx| body.as_mut().poll_frame(cx));
            let Ok(Some(Ok(frame))) = tokio::time::timeout(SILENCE, frame).await else { return };
            match left.checked_sub(frame.data_ref().map_or(1, Bytes::len)) {
                Some(less) => left = less,
                None => return,
            }
        }
    };
    let _ = tokio::time::timeout(time, rest).await;
}

fn whole(first: &mut Bytes, rest: &mut BytesMut) -> Bytes {
    if rest.is_empty() { std::mem::take(first) } else { std::mem::take(rest).freeze() }
}

fn too_large(limit: usize) -> Fault {
    Fault::new(
        FaultKind::TooLarge,
        format!("The body is longer than {limit} bytes, the most that this server takes"),
    )
}

fn late(time: Duration) -> Fault {
    Fault::new(FaultKind::Timeout, format!("The body of the request did not arrive within {time:?}"))
}
