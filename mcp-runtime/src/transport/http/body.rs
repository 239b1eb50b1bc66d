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
pub(crate) async fn collect<B>(body: B, limit: usize, time: Duration) -> Result<Bytes, Fault>
where
    B: Body<Data = Bytes>,
{
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large(limit));
    }
    let mut body = std::pin::pin!(body);
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
