//! What a client is made of, and the connection that it has at the moment: opened when it is needed, and again when it
//! has ended.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::{broadcast, mpsc};
use tokio_util::sync::CancellationToken;

use super::cache::Cache;
use super::context::Context;
use super::error::Error;
use super::handlers::Handlers;
use super::link::{Link, Opened, Opener};
use super::message::Incoming;
use super::mirrors::Tools;
use super::negotiate::Agreed;
use super::options::Options;
use super::pending::Pending;
use crate::hub::Change;
use crate::middleware::Stack;
use crate::protocol::{Era, Revision};

/// How many connections are opened in a row without one answer.
const MOST_ATTEMPTS: u32 = 4;

/// How many notifications may wait for the handlers that take them.
pub(super) const MOST_NOTICES: usize = 1024;

/// A client, whatever connection it has at the moment.
pub(crate) struct Core {
    pub(crate) options: Options,
    pub(crate) handlers: Handlers,
    pub(crate) runtime: tokio::runtime::Handle,
    /// What stands around what leaves and what comes, where anything does.
    pub(super) send: Option<Arc<Stack>>,
    pub(super) receive: Option<Arc<Stack>>,
    pub(crate) cache: Cache,
    pub(crate) tools: Tools,
    /// What the server tells of its own accord in the handshake era.
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) closed: CancellationToken,
    /// The era of the server, once it is known.
    pub(crate) era: Mutex<Option<Era>>,
    opener: tokio::sync::Mutex<Opener>,
    current: Mutex<Option<Arc<Connection>>>,
    /// Connections opened since the last answer.
    pub(super) attempts: AtomicU32,
    pub(super) notices: mpsc::Sender<(String, Map<String, Value>, Context)>,
}

/// What stands around messages, as the builder collects it.
#[derive(Default)]
pub(crate) struct Stacks {
    pub(crate) send: Stack,
    pub(crate) receive: Stack,
}

/// One connection: a process, a conversation within this one, or a URL and a session there.
pub(crate) struct Connection {
    pub(crate) link: Link,
    pub(crate) pending: Pending,
    pub(crate) agreed: OnceLock<Agreed>,
    /// Is cancelled to close it.
    pub(crate) closing: CancellationToken,
    /// Is cancelled once it has ended.
    pub(crate) ended: CancellationToken,
    /// Requests of the server's that are being answered.
    pub(super) serving: Mutex<HashMap<String, CancellationToken>>,
    pub(super) at_work: AtomicUsize,
}

/// How long a request waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// For a sign of life.
    pub(crate) idle: Duration,
    /// In all.
    pub(crate) most: Duration,
}

impl Core {
    pub(crate) fn new(options: Options, handlers: Handlers, stacks: Stacks, opener: Opener) -> Arc<Self> {
        let (notices, mut taken) = mpsc::channel::<(String, Map<String, Value>, Context)>(MOST_NOTICES);
        let core = Arc::new(Self {
            cache: Cache::default(),
            tools: Tools::default(),
            changes: broadcast::channel(256).0,
            closed: CancellationToken::new(),
            era: Mutex::new(None),
            opener: tokio::sync::Mutex::new(opener),
            current: Mutex::new(None),
            attempts: AtomicU32::new(0),
            runtime: tokio::runtime::Handle::current(),
            notices,
            send: stacks.send.into_shared(),
            receive: stacks.receive.into_shared(),
            options,
            handlers,
        });
        let weak = Arc::downgrade(&core);
        // In the order in which they came, and never in the way of answers.
        core.runtime.spawn(async move {
            while let Some((method, params, context)) = taken.recv().await {
                let Some(core) = weak.upgrade() else { return };
                for taker in core.handlers.takers(&method) {
                    taker(params.clone(), context.clone()).await;
                }
            }
        });
        core
    }

    /// The connection that there is, or a new one where it has ended.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Error> {
        if let Some(connection) = self.living() {
            return Ok(connection);
        }
        let mut opener = self.opener.lock().await;
        if let Some(connection) = self.living() {
            return Ok(connection);
        }
        let connection = self.open(&mut opener).await?;
        *lock(&self.current) = Some(Arc::clone(&connection));
        Ok(connection)
    }

    /// The connection that there is.
    pub(crate) fn living(&self) -> Option<Arc<Connection>> {
        lock(&self.current).clone().filter(|connection| !connection.ended.is_cancelled())
    }

    async fn open(self: &Arc<Self>, opener: &mut Opener) -> Result<Arc<Connection>, Error> {
        let connection = self.plug(opener).await?;
        match self.negotiate(&connection).await {
            Ok(agreed) => Ok(self.settled(connection, agreed)),
            // Some servers of the handshake era end at a request that they do not know.
            Err(Error::Disconnected { .. })
                if opener.reopens()
                    && connection.link.is_lines()
                    && self.options.pin.is_none()
                    && connection.agreed.get().is_none() =>
            {
                let again = self.plug(opener).await?;
                let agreed = self.initialize(&again, None).await?;
                Ok(self.settled(again, agreed))
            }
            Err(error) => {
                connection.closing.cancel();
                Err(error)
            }
        }
    }

    fn settled(self: &Arc<Self>, connection: Arc<Connection>, agreed: Agreed) -> Arc<Connection> {
        *lock(&self.era) = Some(agreed.revision.era());
        self.cache.clear();
        self.tools.forget();
        let listens = agreed.revision.era() == Era::Handshake;
        let _ = connection.agreed.set(agreed);
        if listens && let Link::Http(http) = &connection.link {
            http.listen(self, &connection);
        }
        connection
    }

    /// A connection on which nothing was said yet.
    async fn plug(self: &Arc<Self>, opener: &mut Opener) -> Result<Arc<Connection>, Error> {
        if self.closed.is_cancelled() {
            return Err(Error::Closed);
        }
        if self.attempts.fetch_add(1, Ordering::Relaxed) >= MOST_ATTEMPTS {
            let what =
                format!("{opener} ended {MOST_ATTEMPTS} times without an answer, and is not started again");
            return Err(Error::Unreachable { what, source: None });
        }
        let closing = self.closed.child_token();
        let Opened { link, lines } = opener.open(&self.options, closing.clone()).await?;
        let connection = Arc::new(Connection {
            link,
            pending: Pending::default(),
            agreed: OnceLock::new(),
            closing,
            ended: CancellationToken::new(),
            serving: Mutex::default(),
            at_work: AtomicUsize::new(0),
        });
        if let Some((mut lines, why)) = lines {
            let (core, connection) = (Arc::clone(self), Arc::clone(&connection));
            self.runtime.spawn(async move {
                while let Some(line) = lines.recv().await {
                    match Incoming::read(&line) {
                        Ok(message) => core.enter(&connection, message).await,
                        Err(why) => {
                            let shown = String::from_utf8_lossy(&line);
                            let shown: String = shown.chars().take(120).collect();
                            crate::log::warn(&format!(
                                "the server wrote what is no message ({why}): {shown}"
                            ));
                        }
                    }
                }
                let why = why.await.unwrap_or_else(|_| "it was closed".to_owned());
                connection.end(&why);
            });
        }
        Ok(connection)
    }

    /// Ends a connection whose session the server has forgotten.
    pub(crate) fn gives_up(&self, connection: &Arc<Connection>) {
        let mut current = lock(&self.current);
        if current.as_ref().is_some_and(|known| Arc::ptr_eq(known, connection)) {
            *current = None;
        }
        connection.closing.cancel();
        connection.end("the server has ended the session");
    }
}

impl Connection {
    /// Nothing comes any more.
    pub(crate) fn end(&self, why: &str) {
        self.ended.cancel();
        self.pending.close(why);
        lock(&self.serving).values().for_each(CancellationToken::cancel);
    }

    pub(crate) fn revision(&self) -> Revision {
        self.agreed.get().map_or(Revision::V2026_07_28, |agreed| agreed.revision)
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that holds a lock of the client's can panic half way through a change.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
