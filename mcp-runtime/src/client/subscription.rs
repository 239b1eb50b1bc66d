//! What changes at the server, as a stream that goes on over broken connections.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use serde_json::{Map, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::sleep;
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
        let connection = core.connection().await?;
        let (told, changes) = mpsc::channel(MOST_WAITING);
        let ends = core.closed.child_token();
        let listener = Listener { core: Arc::clone(core), of, told, ends: ends.clone() };
        match connection.revision().era() {
            Era::Modern => {
                let listening = listener.listen(&connection).await?;
                core.runtime.spawn(listener.follow(listening));
            }
            Era::Handshake => {
                let heard = core.changes.subscribe();
                listener.subscribe("resources/subscribe").await?;
                core.runtime.spawn(listener.hear(connection, heard));
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
                return Err(Error::Timeout { method: METHOD.to_owned(), after: self.core.options.limits.idle });
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
        let mut pause = PAUSE;
        while !self.ends.is_cancelled() {
            if let Some(mut now) = listening.take() {
                loop {
                    let told = tokio::select! {
                        biased;
                        () = self.ends.cancelled() => return,
                        told = now.told.recv() => told,
                    };
                    let going = match told {
                        Ok(Told::Acknowledged) => true,
                        Ok(Told::Changed(change)) => self.told.send(change).await.is_ok(),
                        // Whoever reads slowly is told once of what has changed more often.
                        Err(RecvError::Lagged(_)) => self.tell_all().await,
                        Err(RecvError::Closed) => break,
                    };
                    if !going {
                        return;
                    }
                    pause = PAUSE;
                }
            }
            tokio::select! {
                () = self.ends.cancelled() => return,
                () = sleep(pause) => {}
            }
            pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
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
                Err(error @ (Error::Refused { .. } | Error::Closed | Error::Unsupported(_))) => {
                    return crate::log::warn(&format!("changes are not told any more: {error}"));
                }
                Err(_) => {}
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

    /// Asks for changes of resources, or takes that back (handshake era); lists are told without.
    async fn subscribe(&self, method: &str) -> Result<(), Error> {
        for change in &self.of {
            if let Change::Resource(uri) = change {
                let params = members([("uri", uri.clone().into())]);
                self.core.call(Call::new(method, Ok(params))).await?;
            }
        }
        Ok(())
    }

    async fn hear(self, mut connection: Arc<Connection>, mut heard: broadcast::Receiver<Change>) {
        loop {
            tokio::select! {
                biased;
                () = self.ends.cancelled() => {
                    if !self.core.closed.is_cancelled() {
                        // A server that is gone tells nothing anyway.
                        let _ = self.subscribe("resources/unsubscribe").await;
                    }
                    return;
                }
                change = heard.recv() => {
                    let going = match change {
                        Ok(change) if self.of.contains(&change) => self.told.send(change).await.is_ok(),
                        Ok(_) => true,
                        Err(RecvError::Lagged(_)) => self.tell_all().await,
                        Err(RecvError::Closed) => false,
                    };
                    if !going {
                        return;
                    }
                }
                () = connection.ended.cancelled() => {
                    let mut pause = PAUSE;
                    loop {
                        tokio::select! {
                            () = self.ends.cancelled() => return,
                            () = sleep(pause) => {}
                        }
                        pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
                        match self.core.connection().await {
                            Ok(again) => connection = again,
                            Err(Error::Closed) => return,
                            Err(_) => continue,
                        }
                        if self.subscribe("resources/subscribe").await.is_ok() && self.tell_all().await {
                            break;
                        }
                    }
                }
            }
        }
    }
}
