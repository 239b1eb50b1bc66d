//! What a client is made of, and the connection that it has at the moment: opened when it is needed, and again when it
//! has ended.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, broadcast, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::cache::Cache;
use super::context::Context;
use super::error::{Error, Late, TimeLimit};
use super::handlers::Handlers;
use super::link::{Incoming as Lines, Link, Opened, Opener};
use super::message::Incoming;
use super::mirrors::Tools;
use super::negotiate::Agreed;
use super::options::Options;
use super::pending::Pending;
use crate::contain::contained_future;
use crate::hub::Change;
use crate::middleware::Stack;
use crate::protocol::{Era, Revision};

/// How often in a row a program is started that answers nothing, and after what time all that is forgotten.
const MOST_STARTS: u32 = 4;
const FORGOTTEN: Duration = Duration::from_secs(30);

/// How many requests of the server's are answered at once, and how many there may be in all; what it sends beyond waits,
/// with everything behind it.
const MOST_SERVED: usize = 128;
const MOST_ASKED: usize = 1024;

/// How many notifications may wait for the handlers that take them.
pub(super) const MOST_NOTICES: usize = 1024;

/// A client, whatever connection it has at the moment.
pub(crate) struct Core {
    pub(crate) options: Options,
    pub(crate) handlers: Handlers,
    runtime: Handle,
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
    /// The connection that is being opened, for all who wait for it.
    opening: Mutex<Option<Attempt>>,
    /// Whether a connection that has ended can be made anew.
    pub(super) reopens: bool,
    /// How many subscriptions want to be told of a resource (handshake era).
    pub(super) subscribed: tokio::sync::Mutex<HashMap<String, usize>>,
    current: Mutex<Option<Arc<Connection>>>,
    starts: Mutex<Starts>,
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
    /// When it was opened.
    pub(crate) opened: Instant,
    /// Is cancelled to close it.
    pub(crate) closing: CancellationToken,
    /// Is cancelled once nothing comes any more.
    pub(crate) ended: CancellationToken,
    /// Is cancelled once the stream is there on which the server asks what belongs to no request, or there will be none.
    pub(crate) listens: CancellationToken,
    /// Is cancelled once it is known how it ended, or its process was waited for.
    pub(crate) gone: CancellationToken,
    /// Requests of the server's that are being answered.
    pub(super) serving: Mutex<HashMap<String, CancellationToken>>,
    pub(super) at_work: AtomicUsize,
    /// How many more of them there may be, and how many more may be answered at once.
    pub(super) places: Arc<Semaphore>,
    pub(super) turns: Semaphore,
    /// For the handlers that take notifications.
    pub(super) notices: mpsc::Sender<Notice>,
}

/// A notification for whoever takes it.
type Notice = (String, Map<String, Value>, Context);

/// How often a program was started since it last answered.
#[derive(Default)]
struct Starts {
    count: u32,
    last: Option<Instant>,
}

/// A connection on which nothing is agreed on yet: closed unless it is settled.
struct Plugged {
    connection: Arc<Connection>,
    closes: DropGuard,
}

/// What becomes of a connection that is being opened.
type Attempt = watch::Receiver<Option<Result<Arc<Connection>, Error>>>;

/// An attempt that is over, however it has ended: the next to want a connection makes another.
struct Over<'c>(&'c Core);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        *lock(&self.0.opening) = None;
    }
}

type Opening = Pin<Box<dyn Future<Output = Result<Arc<Connection>, Error>> + Send>>;

/// How long a request waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// For a sign of life.
    pub(crate) idle: Duration,
    /// In all.
    pub(crate) most: Duration,
}

impl Limits {
    /// There was no sign of life.
    pub(crate) fn too_slow(self, method: &str) -> Error {
        Late { after: self.idle, limit: TimeLimit::SignOfLife }.of(method)
    }
}

impl Core {
    pub(crate) fn new(options: Options, handlers: Handlers, stacks: Stacks, opener: Opener) -> Arc<Self> {
        Arc::new(Self {
            reopens: opener.reopens(),
            subscribed: tokio::sync::Mutex::default(),
            cache: Cache::default(),
            tools: Tools::default(),
            changes: broadcast::channel(256).0,
            closed: CancellationToken::new(),
            era: Mutex::new(None),
            opener: tokio::sync::Mutex::new(opener),
            opening: Mutex::new(None),
            current: Mutex::new(None),
            starts: Mutex::default(),
            runtime: Handle::current(),
            send: stacks.send.into_shared(),
            receive: stacks.receive.into_shared(),
            options,
            handlers,
        })
    }

    /// Runs what nobody waits for: where the caller is, or else where the client was made.
    pub(crate) fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        Handle::try_current().unwrap_or_else(|_| self.runtime.clone()).spawn(task)
    }

    /// Hands notifications to whoever takes them: in the order in which they came, and never in the way of answers.
    async fn tell_all(self: Arc<Self>, mut taken: mpsc::Receiver<Notice>) {
        while let Some((method, params, context)) = taken.recv().await {
            for taker in self.handlers.takers(&method) {
                let (params, context) = (params.clone(), context.clone());
                if let Err(panic) = contained_future(|| taker(params, context)).await {
                    crate::log::error(&format!("what takes `{method}` panicked: {panic}"));
                }
            }
        }
    }

    /// The connection that there is, or a new one where it has ended.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Error> {
        match self.living() {
            Some(connection) => Ok(connection),
            None => self.opened().await,
        }
    }

    /// Opens a connection in a task of its own, for all who wait for one: whoever does may go, and leaves nothing half open.
    fn opened(self: &Arc<Self>) -> Opening {
        let mut opening = lock(&self.opening);
        let mut attempt = match &*opening {
            Some(attempt) => attempt.clone(),
            None => {
                let (told, attempt) = watch::channel(None);
                *opening = Some(attempt.clone());
                let core = Arc::clone(self);
                self.spawn(async move {
                    let over = Over(&core);
                    let opened = tokio::select! {
                        biased;
                        () = core.closed.cancelled() => Err(Error::Closed),
                        opened = core.open_anew() => opened,
                    };
                    drop(over);
                    // Where nobody waits any more, the next finds it open.
                    let _ = told.send(Some(opened));
                });
                attempt
            }
        };
        drop(opening);
        Box::pin(async move {
            let opened = attempt.wait_for(Option::is_some).await;
            opened.ok().and_then(|opened| opened.clone()).unwrap_or(Err(Error::Closed))
        })
    }

    async fn open_anew(self: &Arc<Self>) -> Result<Arc<Connection>, Error> {
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
        self.last().filter(|connection| !connection.ended.is_cancelled())
    }

    /// The connection that there is, or was last.
    pub(crate) fn last(&self) -> Option<Arc<Connection>> {
        lock(&self.current).clone()
    }

    async fn open(self: &Arc<Self>, opener: &mut Opener) -> Result<Arc<Connection>, Error> {
        let plugged = self.plug(opener).await?;
        match self.negotiate(&plugged.connection).await {
            Ok(agreed) => Ok(self.settled(plugged, agreed)),
            // Some servers of the handshake era end at a request that they do not know.
            Err(Error::Disconnected { .. })
                if opener.reopens() && plugged.connection.link.is_lines() && self.options.pin.is_none() =>
            {
                let again = self.plug(opener).await?;
                match self.initialize(&again.connection, None).await {
                    Ok(agreed) => Ok(self.settled(again, agreed)),
                    Err(Error::Disconnected { why, .. }) => {
                        let what =
                            format!("{why} before it answered: does it speak MCP by its standard streams?");
                        Err(Error::Unreachable { what, source: None })
                    }
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    fn settled(self: &Arc<Self>, plugged: Plugged, agreed: Agreed) -> Arc<Connection> {
        let Plugged { connection, closes } = plugged;
        *lock(&self.era) = Some(agreed.revision.era());
        self.cache.clear();
        self.tools.forget();
        let listens = agreed.revision.era() == Era::Handshake;
        // Nobody else has it yet.
        let _ = connection.agreed.set(agreed);
        if listens && let Link::Http(http) = &connection.link {
            http.listen(self, &connection);
        }
        closes.disarm();
        connection
    }

    /// A connection on which nothing was said yet.
    async fn plug(self: &Arc<Self>, opener: &mut Opener) -> Result<Plugged, Error> {
        if matches!(opener, Opener::Child(_)) && !lock(&self.starts).one_more() {
            let what = format!(
                "{opener} ended {MOST_STARTS} times without an answer, and is not started again for {FORGOTTEN:?}"
            );
            return Err(Error::Unreachable { what, source: None });
        }
        let closing = self.closed.child_token();
        let closes = closing.clone().drop_guard();
        let Opened { link, lines } = opener.open(&self.options, closing.clone()).await?;
        let (notices, taken) = mpsc::channel(MOST_NOTICES);
        let connection = Arc::new(Connection {
            link,
            pending: Pending::default(),
            agreed: OnceLock::new(),
            opened: Instant::now(),
            closing,
            ended: CancellationToken::new(),
            gone: CancellationToken::new(),
            listens: CancellationToken::new(),
            serving: Mutex::default(),
            at_work: AtomicUsize::new(0),
            places: Arc::new(Semaphore::new(MOST_ASKED)),
            turns: Semaphore::new(MOST_SERVED),
            notices,
        });
        let (core, grace) = (Arc::clone(self), self.options.grace);
        let ends = connection.closing.clone();
        self.spawn(async move {
            let ended = async {
                ends.cancelled().await;
                // Whoever takes the last of them is given a moment.
                tokio::time::sleep(grace).await;
            };
            tokio::select! {
                () = core.tell_all(taken) => {}
                () = ended => {}
            }
        });
        if let Some(Lines { lines, why, deaf }) = lines {
            let (core, connection) = (Arc::clone(self), Arc::clone(&connection));
            self.spawn(async move {
                let ending = Ending(connection);
                let connection = &ending.0;
                // What it has still to answer is waited for; others find another.
                let is_deaf = async {
                    deaf.cancelled().await;
                    connection.ended.cancel();
                    std::future::pending::<()>().await;
                };
                tokio::select! {
                    () = core.read_all(connection, lines) => connection.ended.cancel(),
                    () = is_deaf => {}
                    () = core.closed.cancelled() => connection.end("the client is closed"),
                }
                let why = why.await.unwrap_or_else(|_| "it was closed".to_owned());
                connection.end(&why);
            });
        }
        Ok(Plugged { connection, closes })
    }

    /// Takes every message that comes by lines.
    async fn read_all(self: &Arc<Self>, connection: &Arc<Connection>, mut lines: mpsc::Receiver<Bytes>) {
        while let Some(line) = lines.recv().await {
            for message in Incoming::each(&line, connection.revision()) {
                match message {
                    Ok(message) => self.enter(connection, message).await,
                    Err(unread) => {
                        if unread.id.is_some_and(|id| connection.pending.malformed(id, &unread)) {
                            continue;
                        }
                        let shown: String = String::from_utf8_lossy(&line).chars().take(120).collect();
                        crate::log::warn(&format!("the server wrote what is no message ({unread}): {shown}"));
                    }
                }
            }
        }
    }

    /// The server answers.
    pub(super) fn is_answered(&self) {
        lock(&self.starts).count = 0;
    }

    /// Ends a connection whose session the server has forgotten.
    pub(crate) fn gives_up(&self, connection: &Arc<Connection>) {
        let mut current = lock(&self.current);
        if current.as_ref().is_some_and(|known| Arc::ptr_eq(known, connection)) {
            *current = None;
        }
        // Others who wait learn it by answers of their own, and begin the same new one.
        connection.ended.cancel();
        connection.closing.cancel();
    }
}

impl Starts {
    /// Counts one more; whether that is not too often.
    fn one_more(&mut self) -> bool {
        let now = Instant::now();
        if self.last.is_some_and(|last| now - last >= FORGOTTEN) {
            self.count = 0;
        }
        if self.count >= MOST_STARTS {
            return false;
        }
        self.count += 1;
        self.last = Some(now);
        true
    }
}

/// A connection of which nothing is left once whoever reads it is gone, however that happens.
struct Ending(Arc<Connection>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end("nobody reads it any more");
        self.0.gone.cancel();
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
