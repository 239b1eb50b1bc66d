//! What changes at the server, as a stream that goes on over broken connections.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use serde_json::{Map, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::AbortOnDropHandle;

use super::calling::{Call, members};
use super::core::{Connection, Core, Limits};
use super::error::Error;
use super::message::{Outgoing, Sending};
use super::pending::{Told, Wants};
use crate::hub::Change;
use crate::protocol::Era;

/// How long to wait before a subscription that has ended is begun again; longer from time to time.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How many changes wait for whoever reads them.
const MOST_WAITING: usize = 64;

/// Longer than any subscription.
const FOR_EVER: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Changes as they come; dropping it ends them.
///
/// Where the connection breaks, it is made anew. What has changed in between nobody can tell, so that everything that
/// is listened for counts as changed then.
#[derive(Debug)]
pub struct Subscription {
    changes: mpsc::Receiver<Change>,
    _ends: DropGuard,
}

impl Subscription {
    /// The next change; none once the client is closed, or the server refuses to go on.
    pub async fn next(&mut self) -> Option<Change> {
        self.changes.recv().await
    }

    pub(super) async fn open(core: &Arc<Core>, of: Vec<Change>) -> Result<Self, Error> {
        if of.is_empty() {
            return Err(Error::Unsupported(
                "no change is listened for: name one, such as `Change::Tools`".to_owned(),
            ));
        }
        let connection = core.connection().await?;
        let (told, changes) = mpsc::channel(MOST_WAITING);
        let ends = core.closed.child_token();
        let listener = Listener { core: Arc::clone(core), of, told, ends: ends.clone() };
        match connection.revision().era() {
            Era::Modern => {
                let listening = listener.listen(&connection).await?;
                core.spawn(listener.follow(listening));
            }
            Era::Handshake => {
                let resources =
                    connection.agreed.get().and_then(|agreed| agreed.capabilities.resources.as_ref());
                if listener.of.iter().any(|change| matches!(change, Change::Resource(_)))
                    && !resources.is_some_and(|resources| resources.subscribe)
                {
                    let text = "the server tells no changes of single resources in the handshake era; a server of this \
                                crate does so over HTTP with `.sessions(…)`";
                    return Err(Error::Unsupported(text.to_owned()));
                }
                let heard = core.changes.subscribe();
                let mut counted = Counted { core: Arc::clone(core), uris: Vec::new() };
                for uri in listener.uris() {
                    counted.subscribe(uri).await?;
                }
                core.spawn(listener.hear(connection, heard, counted));
            }
        }
        Ok(Self { changes, _ends: ends.drop_guard() })
    }
}

impl Stream for Subscription {
    type Item = Change;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Change>> {
        self.changes.poll_recv(cx)
    }
}

struct Listener {
    core: Arc<Core>,
    of: Vec<Change>,
    told: mpsc::Sender<Change>,
    ends: CancellationToken,
}

/// One listen request that the server has acknowledged. Dropped, it is taken back.
struct Listening {
    told: broadcast::Receiver<Told>,
    _task: AbortOnDropHandle<Result<(), Error>>,
}

impl Listener {
    /// Asks to be told, and waits until the server says that it will.
    async fn listen(&self, connection: &Arc<Connection>) -> Result<Listening, Error> {
        const METHOD: &str = "subscriptions/listen";
        let mut filter = Map::new();
        let mut uris = Vec::new();
        for change in &self.of {
            let list = match change {
                Change::Tools => "toolsListChanged",
                Change::Prompts => "promptsListChanged",
                Change::Resources => "resourcesListChanged",
                Change::Resource(uri) => {
                    uris.push(uri.clone());
                    continue;
                }
            };
            filter.insert(list.to_owned(), true.into());
        }
        if !uris.is_empty() {
            filter.insert("resourceSubscriptions".to_owned(), json!(uris));
        }
        let mut params = members([("notifications", filter.into())]);
        self.core.stamp(&mut params, connection.revision());
        let (events, mut told) = broadcast::channel(MOST_WAITING);
        let message = Outgoing::request(connection.pending.id(), METHOD, params);
        let (core, connection) = (Arc::clone(&self.core), Arc::clone(connection));
        let mut task = AbortOnDropHandle::new(tokio::spawn(async move {
            let limits = Limits { idle: FOR_EVER, most: FOR_EVER };
            let wants = Wants { progress: None, events: Some(events) };
            match core.leave(&connection, Sending { message, wants, limits }).await? {
                Some(Err(refused)) => Err(refused.of(METHOD)),
                _ => Ok(()),
            }
        }));
        let acknowledged = async {
            loop {
                match told.recv().await {
                    Ok(Told::Changed(_)) => {}
                    // So much is told to nobody but who listens.
                    Ok(Told::Acknowledged) | Err(RecvError::Lagged(_)) => return true,
                    Err(RecvError::Closed) => return false,
                }
            }
        };
        let early = tokio::select! {
            biased;
            yes = acknowledged => if yes { None } else { Some((&mut task).await) },
            ended = &mut task => Some(ended),
            () = sleep(self.core.options.limits.idle) => {
                return Err(self.core.options.limits.too_slow(METHOD));
            }
        };
        match early {
            None => Ok(Listening { told, _task: task }),
            Some(Ok(Err(error))) => Err(error),
            Some(_) => Err(Error::malformed(METHOD, "it ended before it was acknowledged")),
        }
    }

    /// Tells what changes, and listens again when that ends.
    async fn follow(self, first: Listening) {
        let mut listening = Some(first);
        let mut pause = Pause::default();
        while !self.ends.is_cancelled() {
            if let Some(now) = listening.take()
                && !self.read(now).await
            {
                return;
            }
            tokio::select! {
                () = self.ends.cancelled() => return,
                () = pause.wait() => {}
            }
            let again = match self.core.connection().await {
                Ok(connection) => self.listen(&connection).await,
                Err(error) => Err(error),
            };
            match again {
                Ok(again) => {
                    listening = Some(again);
                    if !self.tell_all().await {
                        return;
                    }
                }
                Err(Error::Closed) => return,
                Err(error)
                    if !self.core.reopens
                        || matches!(error, Error::Refused { .. } | Error::Unsupported(_)) =>
                {
                    return ended(&error);
                }
                Err(_) => {}
            }
        }
    }

    /// Tells what comes of one listen request until that ends; whether anybody still wants to be told.
    async fn read(&self, mut now: Listening) -> bool {
        loop {
            let told = tokio::select! {
                biased;
                () = self.ends.cancelled() => return false,
                told = now.told.recv() => told,
            };
            let going = match told {
                Ok(Told::Acknowledged) => true,
                Ok(Told::Changed(change)) => self.told.send(change).await.is_ok(),
                // Whoever reads slowly is told once of what has changed more often.
                Err(RecvError::Lagged(_)) => self.tell_all().await,
                Err(RecvError::Closed) => return true,
            };
            if !going {
                return false;
            }
        }
    }

    /// What is listened for may have changed. The same for everything that is kept of it.
    async fn tell_all(&self) -> bool {
        for change in &self.of {
            self.core.cache.outdated(change);
            if self.told.send(change.clone()).await.is_err() {
                return false;
            }
        }
        true
    }

    /// Asks for changes of resources (handshake era); lists are told without.
    async fn subscribe(&self) -> Result<(), Error> {
        for uri in self.uris() {
            self.core.call(of_resource("resources/subscribe", uri)).await?;
        }
        Ok(())
    }

    /// The resources of which changes are told.
    fn uris(&self) -> impl Iterator<Item = &String> {
        self.of.iter().filter_map(|change| match change {
            Change::Resource(uri) => Some(uri),
            _ => None,
        })
    }

    /// The same in the handshake era.
    async fn hear(self, connection: Arc<Connection>, heard: broadcast::Receiver<Change>, counted: Counted) {
        self.hear_all(connection, heard).await;
        drop(counted);
    }

    async fn hear_all(&self, mut connection: Arc<Connection>, mut heard: broadcast::Receiver<Change>) {
        let mut pause = Pause::default();
        loop {
            let going = tokio::select! {
                biased;
                () = self.ends.cancelled() => return,
                change = heard.recv() => match change {
                    Ok(change) if self.of.contains(&change) => self.told.send(change).await.is_ok(),
                    Ok(_) => true,
                    Err(RecvError::Lagged(_)) => self.tell_all().await,
                    Err(RecvError::Closed) => false,
                },
                () = connection.ended.cancelled() => {
                    tokio::select! {
                        () = self.ends.cancelled() => return,
                        () = pause.wait() => {}
                    }
                    match self.core.connection().await {
                        Ok(again) => match self.subscribe().await {
                            Ok(()) => {
                                connection = again;
                                self.tell_all().await
                            }
                            Err(error @ Error::Refused { .. }) => return ended(&error),
                            // The next turn tries once more.
                            Err(_) => true,
                        },
                        Err(Error::Closed) => return,
                        Err(error) if !self.core.reopens => return ended(&error),
                        Err(_) => true,
                    }
                }
            };
            if !going {
                return;
            }
        }
    }
}

/// The resources that a subscription has asked to be told of. What nobody asks for any more is taken back.
struct Counted {
    core: Arc<Core>,
    uris: Vec<String>,
}

impl Counted {
    async fn subscribe(&mut self, uri: &str) -> Result<(), Error> {
        // One after the other, so that nobody takes back what another has just asked for.
        let mut all = self.core.subscribed.lock().await;
        *all.entry(uri.to_owned()).or_default() += 1;
        self.uris.push(uri.to_owned());
        self.core.call(of_resource("resources/subscribe", uri)).await.map(drop)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let (core, uris) = (Arc::clone(&self.core), std::mem::take(&mut self.uris));
        if uris.is_empty() || core.closed.is_cancelled() {
            return;
        }
        self.core.spawn(async move {
            for uri in uris {
                let mut all = core.subscribed.lock().await;
                let others = all.get(&uri).copied().unwrap_or_default().saturating_sub(1);
                if others > 0 {
                    all.insert(uri, others);
                    continue;
                }
                all.remove(&uri);
                if core.living().is_some() {
                    // A server that is gone tells nothing anyway.
                    let _ = core.call(of_resource("resources/unsubscribe", &uri)).await;
                }
            }
        });
    }
}

fn ended(error: &Error) {
    crate::log::warn(&format!("changes are not told any more: {error}"));
}

fn of_resource(method: &str, uri: &str) -> Call {
    Call::new(method, Ok(members([("uri", uri.into())])))
}

/// How long to wait before a subscription is begun again: longer each time, unless it has lasted.
struct Pause {
    next: Duration,
    since: Instant,
}

impl Default for Pause {
    fn default() -> Self {
        Self { next: PAUSE, since: Instant::now() }
    }
}

impl Pause {
    async fn wait(&mut self) {
        if self.since.elapsed() > LONGEST_PAUSE.max(self.next * 2) {
            self.next = PAUSE;
        }
        sleep(self.next).await;
        self.next = self.next.saturating_mul(2).min(LONGEST_PAUSE);
        self.since = Instant::now();
    }
}
