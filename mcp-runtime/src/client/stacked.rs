//! The ways of messages through the stacks of a client, where there are any.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::context::Context;
use super::core::{Connection, Core, Limits};
use super::error::{Error, Late, TimeLimit};
use super::message::{Incoming, Outcome, Refused, Sending, What};
use super::traffic::{answered, internal, limited, panicked};
use crate::contain::contained_future;
use crate::middleware::{self, Call, End, Kind, Reply, Stack};

/// The headers that middleware has added to a message.
#[derive(Clone, Default)]
struct Added(HeaderMap);

impl Call {
    /// Sets a header of a message that leaves a client, where it goes over HTTP.
    pub fn set_header(&mut self, name: HeaderName, value: HeaderValue) {
        let Added(mut headers) = self.get::<Added>().cloned().unwrap_or_default();
        headers.insert(name, value);
        self.insert(Added(headers));
    }
}

fn told(outcome: Outcome) -> Reply {
    Reply::told(match outcome {
        Ok(result) => Ok(Value::Object(result)),
        Err(Refused { code, message, data }) => Err((code, message, data)),
    })
}

/// What a reply says; none where it says nothing.
fn said(reply: Reply) -> Option<Result<Outcome, Error>> {
    if let Some(failure) = reply.failure() {
        return Some(Err(failure.clone()));
    }
    Some(Ok(match reply.into_outcome().0 {
        middleware::Outcome::None | middleware::Outcome::Written(..) => return None,
        middleware::Outcome::Result(members) => Ok(members),
        middleware::Outcome::Told(failed) => {
            let middleware::Failed { code, message, data, .. } = *failed;
            Err(Refused { code, message, data })
        }
        middleware::Outcome::Refused(refusal) => Err(Refused::new(-32600, refusal.message)),
        middleware::Outcome::Error(error) => Err(Refused {
            code: error.code().into(),
            message: error.message().to_owned(),
            data: error.data().cloned(),
        }),
    }))
}

/// The same of a request that was made, or of its answer: where middleware of the client's own refuses, the server has
/// not answered so.
fn said_of_request(reply: Reply) -> Option<Result<Outcome, Error>> {
    match reply.refusal() {
        Some(why) => Some(Err(Error::Stopped(why.to_owned()))),
        None => said(reply),
    }
}

/// A message on its way out.
struct Leaving {
    core: Arc<Core>,
    connection: Arc<Connection>,
    what: Sending,
    /// How often it has come through.
    tries: AtomicU32,
    /// Is cancelled when it comes through for the first time.
    through: CancellationToken,
    /// Whether what has no answer was sent.
    is_sent: AtomicBool,
}

impl Leaving {
    /// Boxed, since to try again may be to connect, and to connect is to send.
    fn going(self: Arc<Self>, call: Call) -> Pin<Box<dyn Future<Output = Reply> + Send>> {
        Box::pin(async move {
            match self.go(call).await {
                Ok(Some(outcome)) => told(outcome),
                Ok(None) => Reply::none(),
                Err(error) => Reply::failed(error),
            }
        })
    }

    /// Sends what has come through the stack; more than once where somebody tries again.
    async fn go(&self, call: Call) -> Result<Option<Outcome>, Error> {
        self.through.cancel();
        // Only requests are made again.
        if self.is_sent.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Sending { mut message, wants, limits } = self.what.clone();
        message.added = call.get::<Added>().cloned().unwrap_or_default().0;
        let mut connection = Arc::clone(&self.connection);
        let tried = self.tries.fetch_add(1, Ordering::Relaxed) > 0;
        match &mut message.what {
            What::Answer(_, outcome) => {
                if let Some(Ok(said)) = said(call.into_reply()) {
                    *outcome = said;
                }
            }
            What::Notification => message.params = params(call),
            What::Request(id) => {
                message.params = params(call);
                if tried {
                    // The connection may have ended in between. Before anything is agreed on, there is no other.
                    if connection.agreed.get().is_some() {
                        connection = self.core.connection().await?;
                    }
                    let before = json!(*id);
                    *id = connection.pending.id();
                    if let Some(token) =
                        message.params.get_mut("_meta").and_then(|meta| meta.get_mut("progressToken"))
                        && *token == before
                    {
                        *token = json!(*id);
                    }
                }
            }
        }
        let is_request = matches!(message.what, What::Request(_));
        let sent = self.core.transmit(&connection, Sending { message, wants, limits }).await?;
        self.is_sent.store(!is_request, Ordering::Relaxed);
        Ok(sent)
    }

    /// What stands in the way may take as long as the server may before it gives a sign of life.
    async fn is_stuck(&self) -> Late {
        tokio::select! {
            biased;
            () = self.through.cancelled() => std::future::pending().await,
            () = tokio::time::sleep(self.what.limits.idle) => {
                Late { after: self.what.limits.idle, limit: TimeLimit::SignOfLife }
            }
        }
    }
}

/// The parameters of a message, with what middleware has made of its `_meta`.
fn params(call: Call) -> Map<String, Value> {
    let mut message: Value = serde_json::from_slice(&call.into_bytes()).unwrap_or_default();
    match message["params"].take() {
        Value::Object(params) => params,
        _ => Map::new(),
    }
}

impl Core {
    /// A message that leaves through the stack.
    pub(super) async fn sent(
        self: &Arc<Self>,
        stack: Arc<Stack>,
        connection: &Arc<Connection>,
        what: Sending,
    ) -> Result<Option<Outcome>, Error> {
        let (message, limits) = (&what.message, what.limits);
        let (kind, reply) = match &message.what {
            What::Request(_) => (Kind::Request, Reply::none()),
            What::Notification => (Kind::Notification, Reply::none()),
            What::Answer(_, outcome) => (Kind::Answer, told(outcome.clone())),
        };
        let (method, bytes) = (message.method.clone(), message.bytes());
        let leaving = Arc::new(Leaving {
            core: Arc::clone(self),
            connection: Arc::clone(connection),
            what,
            tries: AtomicU32::new(0),
            through: CancellationToken::new(),
            is_sent: AtomicBool::new(false),
        });
        let way = Arc::clone(&leaving);
        let end = End::handled(move |call| Arc::clone(&way).going(call));
        let call = Call::of_client(kind, &method, bytes, reply, end);
        let running = contained_future(|| Box::pin(stack.run(call)));
        let (begun, all) = (Mutex::new(Instant::now()), Limits { idle: limits.most, most: limits.most });
        let ran = tokio::select! {
            biased;
            ran = limited(running, all, &begun, connection) => ran,
            late = leaving.is_stuck() => Err(late),
        };
        let said = match ran {
            Ok(Ok(reply)) if kind == Kind::Request => said_of_request(reply),
            Ok(Ok(reply)) => said(reply),
            Ok(Err(panic)) => Some(Err(panicked("a send middleware", &panic))),
            Err(late) => Some(Err(late.of(&method))),
        };
        match (kind, said) {
            (Kind::Request, Some(said)) => said.map(Some),
            (Kind::Request, None) => Err(Error::Stopped(format!("`{method}` was dropped on its way out"))),
            // What stands in place of an answer that went no further is the answer.
            (Kind::Answer, Some(said)) if leaving.tries.load(Ordering::Relaxed) == 0 => {
                let (instead, failed) = match said {
                    Ok(Ok(_)) => return Ok(None),
                    Ok(Err(instead)) => (instead, None),
                    Err(error) => (internal(&error), Some(error)),
                };
                let mut message = leaving.what.message.clone();
                if let What::Answer(_, outcome) = &mut message.what {
                    *outcome = Err(instead);
                }
                self.transmit(connection, self.sending(message)).await?;
                failed.map_or(Ok(None), Err)
            }
            (_, Some(Err(error))) => Err(error),
            _ => Ok(None),
        }
    }

    /// A message that comes through the stack.
    pub(super) async fn received(
        self: &Arc<Self>,
        stack: Arc<Stack>,
        connection: &Arc<Connection>,
        message: Incoming,
    ) {
        let (core, way) = (Arc::clone(self), Arc::clone(connection));
        match message {
            Incoming::Answer { id: None, outcome } => {
                if let Err(Refused { code, message, .. }) = outcome {
                    crate::log::warn(&format!("the server could not read a message ({code}): {message}"));
                }
            }
            Incoming::Answer { id: Some(id), outcome } => {
                // An answer that comes late is nobody's.
                let Some(method) = connection.pending.method(id) else { return };
                let end = End::handled(move |call| {
                    if let Some(outcome) = said_of_request(call.into_reply()) {
                        way.pending.answer(id, outcome);
                    }
                    Box::pin(std::future::ready(Reply::none()))
                });
                let head = json!({ "id": id }).to_string().into();
                let reply = stack.run(Call::of_client(Kind::Answer, &method, head, told(outcome), end)).await;
                let instead = match said_of_request(reply) {
                    Some(instead @ (Ok(Err(_)) | Err(_))) => instead,
                    _ => Err(Error::Stopped(format!("the answer to `{method}` was dropped"))),
                };
                // Nobody waits any more where it went on.
                connection.pending.answer(id, instead);
            }
            Incoming::Notification { method, params } => {
                let written = json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string();
                let name = method.clone();
                let end = End::handled(move |_| {
                    core.take(&way, &method, params.clone());
                    Box::pin(std::future::ready(Reply::none()))
                });
                let call = Call::of_client(Kind::Notification, &name, written.into(), Reply::none(), end);
                let _ = stack.run(call).await;
            }
            // It goes through the stack where it is served, so that others need not wait for it.
            Incoming::Request(_) => {}
        }
    }

    /// A request of the server's through the stack.
    pub(super) async fn asked(
        self: &Arc<Self>,
        stack: Arc<Stack>,
        method: String,
        id: Value,
        params: Map<String, Value>,
        context: Context,
    ) -> Outcome {
        let written = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let (core, name) = (Arc::clone(self), method.clone());
        let asked = AtomicBool::new(false);
        let end = End::handled(move |_| {
            if asked.swap(true, Ordering::Relaxed) {
                let again = Refused::new(-32603, "it is answered already");
                return Box::pin(std::future::ready(told(Err(again))));
            }
            let (core, method) = (Arc::clone(&core), method.clone());
            let (params, context) = (params.clone(), context.clone());
            Box::pin(async move { told(answered(core.handlers.answer(&method, params, context).await)) })
        });
        let call = Call::of_client(Kind::Request, &name, written.into(), Reply::none(), end);
        match said(stack.run(call).await) {
            Some(Ok(outcome)) => outcome,
            _ => Err(Refused::new(-32603, format!("the client dropped `{name}`"))),
        }
    }
}
