//! The body of an answer.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame as BodyFrame, SizeHint};

use super::sessions::Events;
use super::stream::Stream;
use crate::engine::Frame;

/// The body of an answer.
pub(crate) enum Reply {
    /// Whole, in at most two parts.
    Whole(Frame),
    /// Messages, one event each.
    Stream(Box<Stream>),
    /// Events of a session.
    Events(Box<Events>),
}

impl Reply {
    pub(crate) fn empty() -> Self {
        Self::Whole(Frame::default())
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<BodyFrame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Self::Whole(frame) => {
                let part = if frame.head.is_empty() { &mut frame.tail } else { &mut frame.head };
                let part = std::mem::take(part);
                Poll::Ready((!part.is_empty()).then(|| Ok(BodyFrame::data(part))))
            }
            Self::Stream(stream) => {
                stream.poll_event(cx).map(|event| event.map(|event| Ok(BodyFrame::data(event))))
            }
            Self::Events(events) => {
                events.poll_event(cx).map(|event| event.map(|event| Ok(BodyFrame::data(event))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(frame) => frame.len() == 0,
            Self::Stream(stream) => stream.has_ended(),
            Self::Events(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(frame) => SizeHint::with_exact(frame.len() as u64),
            Self::Stream(_) | Self::Events(_) => SizeHint::default(),
        }
    }
}
