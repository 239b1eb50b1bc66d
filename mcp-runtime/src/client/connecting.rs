//! What a client is told before it connects, as chained calls.

use std::pin::Pin;
use std::time::Duration;

use super::client::Client;
use super::core::{Core, Stacks};
use super::error::Error;
use super::handlers::Handlers;
use super::link::Opener;
use super::options::{Options, Pin as Pinned};
use crate::middleware::Middleware;
use crate::protocol::{Era, Implementation, LogLevel, Revision, Root};
use reqwest::header::{HeaderName, HeaderValue};

/// A client on its way; await it to connect. Every option is a chained call.
#[must_use = "nothing is connected until it is awaited"]
pub struct Connecting {
    opener: Opener,
    pub(super) options: Options,
    pub(super) handlers: Handlers,
    stacks: Stacks,
}

impl Connecting {
    pub(crate) fn new(opener: Opener) -> Self {
        Self { opener, options: Options::default(), handlers: Handlers::default(), stacks: Stacks::default() }
    }

    /// Who the client is.
    pub fn client_info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.options.info = Implementation::new(name, version);
        self
    }

    /// Who the client is, with a title, a description, a web page or icons.
    pub fn implementation(mut self, info: Implementation) -> Self {
        self.options.info = info;
        self
    }

    /// Speaks this era alone, without asking the server which it knows.
    pub fn era(mut self, era: Era) -> Self {
        self.options.pin = Some(Pinned::Era(era));
        self
    }

    /// Speaks this revision alone.
    pub fn revision(mut self, revision: Revision) -> Self {
        self.options.pin = Some(Pinned::Revision(revision));
        self
    }

    /// How long each request waits for a sign of life; 60 seconds by default. Progress is one.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.options.limits.idle = time;
        self
    }

    /// How long each request waits in all; 15 minutes by default.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.options.limits.most = time;
        self
    }

    /// How long the server may take to answer the first question; 10 seconds by default. A program that is silent for
    /// longer is taken for one of the handshake era.
    pub fn probe_timeout(mut self, time: Duration) -> Self {
        self.options.probe = time;
        self
    }

    /// How long a program may take to end by itself once the client closes, and again once it was told to; 3 seconds
    /// each by default.
    pub fn shutdown_grace(mut self, time: Duration) -> Self {
        self.options.grace = time;
        self
    }

    /// The longest message that is taken, in bytes; 64 MiB by default.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.options.max_message = bytes;
        self
    }

    /// How often the server may ask for input in one call of the modern era; 16 by default.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.options.max_rounds = rounds;
        self
    }

    /// Keeps no results, also where the server says that they are good for a while.
    pub fn without_cache(mut self) -> Self {
        self.options.caches = false;
        self
    }

    /// A header of every request over HTTP.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.options.headers.insert(name, value);
        self
    }

    /// The HTTP client to use: with proxies, certificates or timeouts of your own. It should follow no redirects.
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.options.http = Some(client);
        self
    }

    /// Stands around everything that leaves: requests, whose answers it sees, notifications, and answers. The first is the
    /// outermost.
    ///
    /// ```
    /// use mcp_runtime::client::{Bearer, Retry, connect};
    ///
    /// let client = connect("http://127.0.0.1:8000/mcp")
    ///     .send_middleware(Retry::times(2))
    ///     .send_middleware(Bearer::token("open sesame"));
    /// # let _ = client;
    /// ```
    pub fn send_middleware(mut self, middleware: impl Middleware) -> Self {
        self.stacks.send.push(middleware);
        self
    }

    /// Stands around everything that comes: answers, notifications, and requests of the server's, whose answers it sees.
    /// The first is the outermost. Until it is done with an answer or a notification, no other is taken from the same
    /// connection.
    pub fn receive_middleware(mut self, middleware: impl Middleware) -> Self {
        self.stacks.receive.push(middleware);
        self
    }

    /// The folders that the client works in: declares `roots`.
    pub fn roots(mut self, roots: impl IntoIterator<Item = Root>) -> Self {
        self.handlers.declare_roots(roots.into_iter().collect());
        self
    }

    /// The least severe log messages that the server is to send; [`on_log`](Self::on_log) takes them.
    pub fn log_level(mut self, level: LogLevel) -> Self {
        self.options.log_level = Some(level);
        self
    }
}

impl IntoFuture for Connecting {
    type Output = Result<Client, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<Client, Error>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let client = Client::new(Core::new(self.options, self.handlers, self.stacks, self.opener));
            client.core().connection().await?;
            Ok(client)
        })
    }
}
