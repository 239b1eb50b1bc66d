//! How messages get to a server and back: as lines, to a process or within this one, or over HTTP.

pub(crate) mod http;

mod child;
mod lines;
mod memory;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use self::http::Http;
use self::lines::Lines;
use super::core::{Connection, Core};
use super::error::Error;
use super::message::{Outgoing, What};
use super::options::Options;
use crate::protocol::Revision;
use crate::server::Options as ServerOptions;

/// A way to a server.
pub(crate) enum Link {
    Lines(Lines),
    Http(Box<Http>),
}

impl Link {
    pub(crate) const fn is_lines(&self) -> bool {
        matches!(self, Self::Lines(_))
    }

    /// What is spoken from now on.
    pub(crate) fn speaks(&self, revision: Revision) {
        if let Self::Http(http) = self {
            http.speaks(revision);
        }
    }

    /// Sends a message. Over HTTP it also reads what comes back, up to the answer of a request.
    pub(crate) async fn deliver(
        &self,
        core: &Arc<Core>,
        connection: &Arc<Connection>,
        message: &Outgoing,
    ) -> Result<(), Error> {
        match self {
            Self::Lines(lines) => lines.send(message).await,
            Self::Http(http) => match message.what {
                What::Request(id) => http.exchange(core, connection, message, id).await,
                What::Notification | What::Answer(..) => http.post(message).await,
            },
        }
    }
}

/// What comes by lines.
pub(crate) struct Incoming {
    /// Whole lines.
    pub(crate) lines: mpsc::Receiver<Bytes>,
    /// Why no more do.
    pub(crate) why: oneshot::Receiver<String>,
    /// Is cancelled when the server reads no more.
    pub(crate) deaf: CancellationToken,
}

/// A way that was just opened.
pub(crate) struct Opened {
    pub(crate) link: Link,
    pub(crate) lines: Option<Incoming>,
}

/// Opens ways to one server.
pub(crate) enum Opener {
    Child(Box<tokio::process::Command>),
    Url(reqwest::Url),
    /// A server within this process, until it is taken.
    Within(Option<Box<ServerOptions>>),
    /// What was given is no place of a server, and why.
    Nowhere(String),
}

impl Opener {
    /// Whether what has ended can be had again.
    pub(crate) const fn reopens(&self) -> bool {
        !matches!(self, Self::Within(_) | Self::Nowhere(_))
    }

    pub(crate) async fn open(
        &mut self,
        options: &Options,
        closing: CancellationToken,
    ) -> Result<Opened, Error> {
        match self {
            Self::Child(command) => child::spawn(command, options, closing),
            Self::Url(url) => {
                Ok(Opened { link: Link::Http(Box::new(Http::new(url.clone(), options)?)), lines: None })
            }
            Self::Within(server) => match server.take() {
                Some(server) => memory::connect(*server, closing).await,
                None => Err(Error::Unreachable {
                    what: "the server within this process has ended".to_owned(),
                    source: None,
                }),
            },
            Self::Nowhere(why) => Err(Error::Unreachable { what: why.clone(), source: None }),
        }
    }
}

impl fmt::Display for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Child(command) => write!(f, "`{}`", command.as_std().get_program().to_string_lossy()),
            Self::Url(url) => write!(f, "`{}`", http::shown_url(url)),
            Self::Within(_) => f.write_str("the server within this process"),
            Self::Nowhere(why) => f.write_str(why),
        }
    }
}
