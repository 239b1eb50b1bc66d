//! Messages as bytes, and the answer to one request.

use std::borrow::Cow;

use bytes::Bytes;

use super::one_line;

/// One message, in two parts so that a long list need not be copied to stand behind its id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) head: Bytes,
    pub(crate) tail: Bytes,
}

impl Frame {
    pub(crate) fn len(&self) -> usize {
        self.head.len() + self.tail.len()
    }

    /// The whole message.
    pub(crate) fn whole(&self) -> Cow<'_, [u8]> {
        if self.tail.is_empty() {
            Cow::Borrowed(&self.head)
        } else {
            Cow::Owned([self.head.as_ref(), self.tail.as_ref()].concat())
        }
    }
}

impl From<Vec<u8>> for Frame {
    fn from(head: Vec<u8>) -> Self {
        Self { head: one_line(head), tail: Bytes::new() }
    }
}

/// Of what is one line already.
impl From<Bytes> for Frame {
    fn from(head: Bytes) -> Self {
        Self { head, tail: Bytes::new() }
    }
}

/// How a server writes an answer over HTTP, where the client takes both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseFormat {
    /// One JSON object, by itself. What the handler sends on the way is dropped.
    JsonBody,
    /// A stream of events, though it be one.
    EventStream,
}

/// A message and the HTTP status it has while nothing else has been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The code, where it is an error.
    pub(crate) code: Option<i32>,
    pub(crate) frame: Frame,
    pub(crate) http: Option<Box<OverHttp>>,
}

/// What few answers want of HTTP beside their status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OverHttp {
    pub(crate) format: Option<ResponseFormat>,
    /// The `WWW-Authenticate` header.
    pub(crate) challenge: Option<String>,
}

impl Answer {
    /// A request's result.
    pub(crate) fn result(frame: Frame) -> Self {
        Self { status: 200, code: None, frame, http: None }
    }

    /// The same answer in that format.
    pub(crate) fn formatted(mut self, format: Option<ResponseFormat>) -> Self {
        if format.is_some() {
            self.http.get_or_insert_default().format = format;
        }
        self
    }

    pub(crate) fn format(&self) -> Option<ResponseFormat> {
        self.http.as_ref().and_then(|http| http.format)
    }
}
