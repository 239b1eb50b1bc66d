//! The one place through which everything leaves, and the one through which everything enters.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::context::Context;
use super::core::{Connection, Core, Limits, MOST_NOTICES, lock};
use super::error::{Error, Late, TimeLimit};
use super::handlers::refusal;
use super::message::{Asked, Incoming, Outcome, Outgoing, Refused, Sending, What};
use super::pending::{Told, Wants};
use super::progress::Progress;
use crate::contain::contained_future;
use crate::hub::Change;
use crate::protocol::Era;

/// The `_meta` member in which a notification says to which listen request it belongs.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

impl Core {
    /// Everything leaves here. Of a request, what comes back is its answer.
    pub(crate) async fn leave(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        sending: Sending,
    ) -> Result<Option<Outcome>, Error> {
        match &self.send {
            None => self.transmit(connection, sending).await,
            Some(stack) => self.sent(Arc::clone(stack), connection, sending).await,
        }
    }

    pub(super) async fn transmit(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        sending: Sending,
    ) -> Result<Option<Outcome>, Error> {
        let Sending { message, wants, limits } = sending;
        let What::Request(id) = message.what else {
            let sent = connection.link.deliver(self, connection, &message);
            let sent = tokio::time::timeout(limits.idle, sent).await;
            return sent.map_err(|_| limits.too_slow(&message.method))?.map(|()| None);
        };
        let mut wait = connection.pending.wait(id, &message.method, wants)?;
        let _withdrawn = Withdraw { core: self, connection, id, of: &message };
        let answered = async {
            let sent = connection.link.deliver(self, connection, &message);
            tokio::select! {
                biased;
                answered = &mut wait.answer => return answered,
                sent = sent => if let Err(error) = sent {
                    if !matches!(error, Error::Disconnected { .. }) {
                        // There is nothing to take back.
                        connection.pending.forget(id);
                    }
                    return Ok(Err(error));
                }
            }
            wait.answer.await
        };
        let limited = limited(answered, limits, &wait.heard, connection);
        match limited.await {
            Ok(Ok(outcome)) => outcome.map(Some),
            Ok(Err(_)) => Err(Error::Closed),
            Err(late) => Err(late.of(&message.method)),
        }
    }

    /// Everything enters here.
    pub(crate) async fn enter(self: &Arc<Self>, connection: &Arc<Connection>, message: Incoming) {
        let answered = match message {
            Incoming::Answer { id, .. } => id,
            Incoming::Notification { .. } => None,
            // Whoever answers may take long, and what follows does not wait for that, unless there are too many.
            Incoming::Request(asked) => {
                let Ok(place) = Arc::clone(&connection.places).acquire_owned().await else { return };
                self.spawn(Arc::clone(self).serving(Arc::clone(connection), asked, place));
                return;
            }
        };
        if answered.is_some() {
            self.is_answered();
        }
        let Some(stack) = &self.receive else { return self.take_in(connection, message) };
        let entering = contained_future(|| Box::pin(self.received(Arc::clone(stack), connection, message)));
        if let Err(panic) = entering.await {
            let error = panicked("a receive middleware", &panic);
            if let Some(id) = answered {
                connection.pending.answer(id, Err(error));
            }
        }
    }

    fn take_in(self: &Arc<Self>, connection: &Arc<Connection>, message: Incoming) {
        match message {
            Incoming::Answer { id: Some(id), outcome } => {
                // An answer that comes late is nobody's.
                connection.pending.answer(id, Ok(outcome));
            }
            Incoming::Answer { id: None, outcome } => {
                if let Err(error) = outcome {
                    let Refused { code, message, .. } = error;
                    crate::log::warn(&format!("the server could not read a message ({code}): {message}"));
                }
            }
            Incoming::Notification { method, params } => self.take(connection, &method, params),
            // It is served, whatever stands around it.
            Incoming::Request(_) => {}
        }
    }

    pub(super) fn take(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        method: &str,
        params: Map<String, Value>,
    ) {
        match method {
            "notifications/progress" => {
                if let Some((id, progress)) = Progress::read(&params) {
                    connection.pending.progress(id, progress);
                }
            }
            "notifications/cancelled" => {
                let Some(id) = params.get("requestId") else { return };
                if let Some(serving) = lock(&connection.serving).get(&id.to_string()) {
                    serving.cancel();
                }
                // Of the requests of a client, those that listen are ended so.
                if let Some(id) = id.as_u64() {
                    connection.pending.end(id);
                }
            }
            _ => {
                let change = change(method, &params);
                if let Some(change) = &change {
                    self.cache.outdated(change);
                    if *change == Change::Tools {
                        self.tools.forget();
                    }
                }
                let listens = params.get("_meta").and_then(|meta| meta[SUBSCRIPTION].as_u64());
                match (listens, change) {
                    (Some(id), Some(change)) => connection.pending.tell(id, Told::Changed(change)),
                    (Some(id), None) if method == "notifications/subscriptions/acknowledged" => {
                        connection.pending.tell(id, Told::Acknowledged);
                    }
                    // Without anybody who listens it is nobody's.
                    (None, Some(change)) => drop(self.changes.send(change)),
                    (_, None) => {}
                }
            }
        }
        if !self.handlers.takers(method).is_empty() {
            let context = self.context(connection, None, method, &params, connection.closing.child_token());
            let notice = (method.to_owned(), params, context);
            if let Err(TrySendError::Full(_)) = connection.notices.try_send(notice) {
                crate::log::warn(&format!(
                    "`{method}` is lost: {MOST_NOTICES} notifications wait for handlers that are slower than the server"
                ));
            }
        }
    }

    fn context(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        id: Option<Value>,
        method: &str,
        params: &Map<String, Value>,
        cancelled: CancellationToken,
    ) -> Context {
        Context {
            // What came with a result has no stream to tell progress on.
            token: id.as_ref().and_then(|_| params.get("_meta")?.get("progressToken").cloned()),
            id,
            method: method.to_owned(),
            headers: HeaderMap::new(),
            cancelled,
            way: Some((Arc::downgrade(self), Arc::downgrade(connection))),
        }
    }

    /// Boxed, since to answer is to send, and to send over HTTP is to receive.
    pub(super) fn serving(
        self: Arc<Self>,
        connection: Arc<Connection>,
        asked: Asked,
        place: OwnedSemaphorePermit,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            self.serve(&connection, asked).await;
            drop(place);
        })
    }

    /// Answers a request of the server's.
    async fn serve(self: &Arc<Self>, connection: &Arc<Connection>, asked: Asked) {
        let Asked { id, method, params, headers } = asked;
        if connection.agreed.get().is_some_and(|agreed| agreed.revision.era() == Era::Modern) {
            let text = format!("the server sent the request `{method}`, which the modern era does not have");
            return crate::log::warn(&text);
        }
        let cancelled = connection.closing.child_token();
        let served = Served::new(connection, &id, &cancelled);
        let mut context = self.context(connection, Some(id.clone()), &method, &params, cancelled.clone());
        context.headers = headers.clone();
        let answering = async {
            // None is closed. Whether the client is there is told also where many are asked for more.
            let _turn = if method == "ping" { None } else { connection.turns.acquire().await.ok() };
            self.handled(method.clone(), id.clone(), params, context).await
        };
        let outcome = tokio::select! {
            biased;
            // Nobody waits for the answer.
            () = cancelled.cancelled() => return,
            outcome = answering => outcome,
        };
        drop(served);
        let answer = self.sending(Outgoing::answer(id, method, outcome).with_headers(headers));
        if let Err(error) = self.leave(connection, answer).await {
            crate::log::warn(&format!("an answer did not reach the server: {error}"));
        }
    }

    /// What comes of a request of the server's, behind whatever stands around it.
    async fn handled(
        self: &Arc<Self>,
        method: String,
        id: Value,
        params: Map<String, Value>,
        context: Context,
    ) -> Outcome {
        match &self.receive {
            None => answered(self.handlers.answer(&method, params, context).await),
            Some(stack) => {
                let asked =
                    contained_future(|| Box::pin(self.asked(Arc::clone(stack), method, id, params, context)));
                asked.await.unwrap_or_else(|panic| Err(internal(&panicked("a receive middleware", &panic))))
            }
        }
    }

    /// Answers what came with a result.
    pub(crate) async fn fulfil(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        method: &str,
        params: Map<String, Value>,
        cancelled: CancellationToken,
    ) -> Result<Value, Error> {
        let context = self.context(connection, None, method, &params, cancelled);
        let answer = self.handlers.answer(method, params, context).await;
        answer.map_err(|source| Error::Unanswered { method: method.to_owned(), source: source.into() })
    }

    pub(crate) async fn notify(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        method: &str,
        params: Map<String, Value>,
    ) -> Result<(), Error> {
        let message = self.sending(Outgoing::notification(method, params));
        self.leave(connection, message).await.map(drop)
    }

    /// A message that waits no longer than any, and of which nothing is told.
    pub(crate) fn sending(&self, message: Outgoing) -> Sending {
        Sending { message, wants: Wants::default(), limits: self.options.limits }
    }
}

/// What has panicked, as whoever waits for it is told; the log is told what it said.
pub(super) fn panicked(what: &str, panic: &str) -> Error {
    crate::log::error(&format!("{what} panicked: {panic}"));
    Error::Stopped(format!("{what} panicked"))
}

/// What the server is told of an error of the client's own.
pub(super) fn internal(error: &Error) -> Refused {
    Refused::new(-32603, error.to_string())
}

/// What a handler gave, as an answer.
pub(super) fn answered(answer: Result<Value, Box<dyn std::error::Error + Send + Sync>>) -> Outcome {
    match answer {
        Ok(Value::Object(result)) => Ok(result),
        Ok(other) => Err(Refused::new(-32603, format!("the answer is no object: {other}"))),
        Err(error) => Err(refusal(&error)),
    }
}

/// A request of the server's while it is answered.
struct Served<'c>(&'c Connection, String);

impl<'c> Served<'c> {
    fn new(connection: &'c Connection, id: &Value, cancelled: &CancellationToken) -> Self {
        connection.at_work.fetch_add(1, Ordering::Relaxed);
        lock(&connection.serving).insert(id.to_string(), cancelled.clone());
        Self(connection, id.to_string())
    }
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Ordering::Relaxed);
        lock(&self.0.serving).remove(&self.1);
    }
}

/// Takes a request back that nobody waits for any more, and tells the server.
struct Withdraw<'r> {
    core: &'r Arc<Core>,
    connection: &'r Arc<Connection>,
    id: u64,
    of: &'r Outgoing,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        if !self.connection.pending.forget(self.id) || self.connection.ended.is_cancelled() {
            return;
        }
        let modern = self.connection.agreed.get().is_none_or(|agreed| agreed.revision.era() == Era::Modern);
        // Over HTTP, the modern era ends a call by closing its connection; and `initialize` cannot be taken back.
        if (modern && !self.connection.link.is_lines())
            || matches!(self.of.method.as_str(), "initialize" | "server/discover")
        {
            return;
        }
        let (core, connection) = (Arc::clone(self.core), Arc::clone(self.connection));
        let params = Map::from_iter([
            ("requestId".to_owned(), self.id.into()),
            ("reason".to_owned(), "nobody waits for the answer any more".into()),
        ]);
        // It comes from whoever has called.
        let taken_back =
            Outgoing::notification("notifications/cancelled", params).with_headers(self.of.headers.clone());
        self.core.spawn(async move {
            // A server that is gone need not be told.
            let _ = core.leave(&connection, core.sending(taken_back)).await;
        });
    }
}

/// Waits for an answer within limits; where the time is up, how long that was. While the client itself answers something,
/// it is not the server that is slow.
pub(super) async fn limited<T>(
    answered: impl Future<Output = T>,
    limits: Limits,
    heard: &Mutex<Instant>,
    connection: &Connection,
) -> Result<T, Late> {
    let mut answered = std::pin::pin!(answered);
    let far = Duration::from_secs(60 * 60 * 24 * 365);
    let after = |from: Instant, time: Duration| from + time.min(far);
    let mut begun = Instant::now();
    let end = after(begun, limits.most);
    loop {
        let last = (*lock(heard)).max(begun);
        let due = after(last, limits.idle).min(end);
        tokio::select! {
            biased;
            answer = &mut answered => return Ok(answer),
            () = sleep_until(due) => {}
        }
        if Instant::now() >= end {
            return Err(Late { after: limits.most, limit: TimeLimit::Deadline });
        }
        if connection.at_work.load(Ordering::Relaxed) > 0 {
            begun = Instant::now();
        } else if (*lock(heard)).max(begun) == last {
            return Err(Late { after: limits.idle, limit: TimeLimit::SignOfLife });
        }
    }
}

/// What a notification says has changed.
pub(crate) fn change(method: &str, params: &Map<String, Value>) -> Option<Change> {
    Some(match method {
        "notifications/tools/list_changed" => Change::Tools,
        "notifications/prompts/list_changed" => Change::Prompts,
        "notifications/resources/list_changed" => Change::Resources,
        "notifications/resources/updated" => Change::Resource(params.get("uri")?.as_str()?.to_owned()),
        _ => return None,
    })
}
