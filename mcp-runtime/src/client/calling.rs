//! One call: its options, its rounds with the server, and what is tried again.

use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::Client;
use super::cache::Key;
use super::core::{Connection, Core, Limits};
use super::error::{Error, Late, TimeLimit};
use super::link::http::SESSION_ENDED;
use super::message::{Outcome, Outgoing, Sending};
use super::negotiate::{HEADER_MISMATCH, UNSUPPORTED_VERSION, supported};
use super::pending::{OnProgress, Wants};
use super::progress::Progress;
use crate::protocol::{Era, LogLevel, Revision};

/// How long the first calls of a session wait for the stream on which the server asks what belongs to none.
const OPENING: Duration = Duration::from_secs(1);

/// How a result is read.
pub(crate) type Decode<T> = fn(&str, Map<String, Value>) -> Result<T, Error>;

/// A call of a method; await it to make it.
#[must_use = "nothing is called until it is awaited"]
pub struct Calling<T> {
    pub(super) client: Client,
    pub(super) call: Call,
    decode: Decode<T>,
    result: PhantomData<fn() -> T>,
}

/// What is called, and how.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) method: String,
    /// What is wrong with the parameters is told when the call is made.
    pub(crate) params: Result<Map<String, Value>, String>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) headers: HeaderMap,
    pub(crate) limits: Option<Limits>,
    pub(crate) progress: Option<OnProgress>,
    pub(crate) fresh: bool,
}

impl Call {
    pub(crate) fn new(method: impl Into<String>, params: Result<Map<String, Value>, String>) -> Self {
        Self {
            method: method.into(),
            params,
            meta: Map::new(),
            headers: HeaderMap::new(),
            limits: None,
            progress: None,
            fresh: false,
        }
    }
}

impl<T> Calling<T> {
    pub(crate) fn new(client: &Client, call: Call, decode: Decode<T>) -> Self {
        Self { client: client.clone(), call, decode, result: PhantomData }
    }

    /// How long to wait for a sign of life of this call; progress is one. To connect again, and to get past the middleware,
    /// may take as long.
    pub fn timeout(mut self, time: Duration) -> Self {
        let limits = self.call.limits.get_or_insert(self.client.core().options.limits);
        limits.idle = time;
        self
    }

    /// How long to wait in all, whatever progress there is: for every round of the call, and for whoever answers what the
    /// server asks in it.
    pub fn deadline(mut self, time: Duration) -> Self {
        let limits = self.call.limits.get_or_insert(self.client.core().options.limits);
        limits.most = time;
        self
    }

    /// Wants to be told how far the call has come. The closure is not to take long.
    pub fn on_progress(mut self, told: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.call.progress = Some(Arc::new(told));
        self
    }

    /// Adds a member to `_meta`. What the server answers is not kept for other calls.
    pub fn meta(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.call.meta.insert(name.into(), value.into());
        self
    }

    /// The least severe log messages that this call is to send (modern era).
    pub fn log_level(self, level: LogLevel) -> Self {
        self.meta("io.modelcontextprotocol/logLevel", level.as_str())
    }

    /// Adds a header of this call alone, where it goes over HTTP. It stands before what middleware and the builder add. What
    /// the server answers is not kept for other calls.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.call.headers.insert(name, value);
        self
    }

    /// Asks the server, also where an earlier result is still good.
    pub fn fresh(mut self) -> Self {
        self.call.fresh = true;
        self
    }
}

impl<T: 'static> IntoFuture for Calling<T> {
    type Output = Result<T, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let method = self.call.method.clone();
            let result = self.client.core().call(self.call).await?;
            (self.decode)(&method, result)
        })
    }
}

/// The limits of a call, and when it began.
#[derive(Clone, Copy)]
struct Within {
    begun: Instant,
    limits: Limits,
}

impl Within {
    /// What is left of them.
    fn left(self) -> Limits {
        Limits { most: self.limits.most.saturating_sub(self.begun.elapsed()), ..self.limits }
    }

    /// The whole time is over.
    fn over(self) -> Late {
        Late { after: self.limits.most, limit: TimeLimit::Deadline }
    }
}

impl Core {
    /// Makes a call, and answers what the server asks for it.
    pub(crate) async fn call(self: &Arc<Self>, call: Call) -> Result<Map<String, Value>, Error> {
        if self.closed.is_cancelled() {
            return Err(Error::Closed);
        }
        let params = call.params.clone().map_err(Error::Unsupported)?;
        let limits = call.limits.unwrap_or(self.options.limits);
        let within = Within { begun: Instant::now(), limits };
        let mut key = None;
        // Another caller, or another who says more of itself, may be told something else.
        if self.options.caches && call.headers.is_empty() && call.meta.is_empty() {
            key = Key::of(&call.method, &params).map(|key| (self.cache.fresh(&key), key));
        }
        let keeps = match key {
            Some((Ok(result), _)) if !call.fresh => return Ok(result),
            Some((_, key)) => Some((self.cache.asked(&key), key)),
            None => None,
        };
        let mut more = Map::new();
        for round in 0.. {
            let (connection, result) = self.round(&call, &params, &more, within).await?;
            let kind = result.get("resultType").and_then(Value::as_str);
            match kind {
                // Before there were kinds, all were complete.
                None | Some("complete") => {
                    if let Some((asked, key)) = keeps.filter(|_| more.is_empty()) {
                        self.cache.keep(key, asked, Instant::now(), &result);
                    }
                    return Ok(result);
                }
                Some("input_required") if round >= self.options.max_rounds => {
                    let most = self.options.max_rounds;
                    let why = format!(
                        "it asked for input {most} times, and asks again; `.max_rounds(…)` allows more"
                    );
                    return Err(Error::malformed(&call.method, why));
                }
                Some("input_required") if asks(&call.method) => {
                    let answers = self.answers(&connection, &call.method, result);
                    more = timeout(within.left().most, answers)
                        .await
                        .map_err(|_| within.over().of(&call.method))??;
                }
                Some(other) => {
                    return Err(Error::malformed(
                        &call.method,
                        format!("its result is `{other}`, which it cannot be"),
                    ));
                }
            }
        }
        Err(Error::Closed)
    }

    /// One request, tried again where that is what the answer calls for.
    async fn round(
        self: &Arc<Self>,
        call: &Call,
        params: &Map<String, Value>,
        more: &Map<String, Value>,
        within: Within,
    ) -> Result<(Arc<Connection>, Map<String, Value>), Error> {
        let (mut session, mut headers, mut version) = (false, false, false);
        loop {
            let limits = within.left();
            let late = |_| {
                if limits.idle < limits.most {
                    limits.too_slow(&call.method)
                } else {
                    within.over().of(&call.method)
                }
            };
            let connection =
                timeout(limits.idle.min(limits.most), self.connection()).await.map_err(late)??;
            let refused = match self.once(&connection, call, params, more, within).await {
                Ok(Ok(result)) => return Ok((connection, result)),
                Ok(Err(refused)) => refused,
                // Nothing has run: the server only says that it wants a new session.
                Err(Error::Unreachable { what, .. }) if what == SESSION_ENDED && !session => {
                    session = true;
                    continue;
                }
                Err(Error::Timeout { method, limit: TimeLimit::Deadline, .. }) => {
                    return Err(within.over().of(&method));
                }
                Err(error) => return Err(error),
            };
            let modern = connection.revision().era() == Era::Modern;
            if modern && refused.code == HEADER_MISMATCH && call.method == "tools/call" && !headers {
                // Its definition has changed since it was listed.
                headers = true;
                self.tools.forget();
                self.cache.forget("tools/list");
            } else if modern
                && refused.code == UNSUPPORTED_VERSION
                && !version
                && supported(refused.data.as_ref()).iter().any(|name| name == connection.revision().as_str())
            {
                version = true;
            } else {
                return Err(refused.of(&call.method));
            }
        }
    }

    /// One request, as the era of the connection has it.
    async fn once(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        call: &Call,
        params: &Map<String, Value>,
        more: &Map<String, Value>,
        within: Within,
    ) -> Result<Outcome, Error> {
        let revision = connection.revision();
        let id = connection.pending.id();
        let mut params = params.clone();
        params.extend(more.clone());
        let mut meta = call.meta.clone();
        if call.progress.is_some() {
            meta.insert("progressToken".to_owned(), id.into());
        }
        if !meta.is_empty() {
            match params.get_mut("_meta").and_then(Value::as_object_mut) {
                Some(own) => own.extend(meta),
                None => drop(params.insert("_meta".to_owned(), meta.into())),
            }
        }
        self.stamp(&mut params, revision);
        let mut headers = call.headers.clone();
        if self.mirrors(connection) && call.method == "tools/call" {
            headers.extend(self.mirrored(call, &params, within).await?);
        }
        let message = Outgoing::request(id, &call.method, params).with_headers(headers);
        let wants = Wants { progress: call.progress.clone(), events: None };
        if revision.era() == Era::Handshake && !connection.link.is_lines() {
            // What the server asks before it has a stream for that is lost. Those that say nothing before there is something
            // to tell are not waited for.
            let _ = timeout_at(connection.opened + OPENING, connection.listens.cancelled()).await;
        }
        let limits = within.left();
        let answer = self.leave(connection, Sending { message, wants, limits }).await?;
        answer.ok_or(Error::Closed)
    }

    /// Whether arguments of tools are mirrored into headers.
    pub(crate) fn mirrors(&self, connection: &Connection) -> bool {
        connection.revision() >= Revision::V2026_07_28 && !connection.link.is_lines()
    }

    /// The headers of a call of a tool; the tools are listed first where they are not known.
    async fn mirrored(
        self: &Arc<Self>,
        call: &Call,
        params: &Map<String, Value>,
        within: Within,
    ) -> Result<HeaderMap, Error> {
        let Some(name) = params.get("name").and_then(Value::as_str) else { return Ok(HeaderMap::new()) };
        if !self.tools.are_known() {
            // They are those of whoever calls.
            let (headers, limits) = (call.headers.clone(), Some(within.left()));
            Box::pin(self.list_tools(Call { headers, limits, ..Call::new("tools/list", Ok(Map::new())) }))
                .await?;
        }
        self.tools.headers(name, params.get("arguments").unwrap_or(&Value::Null))
    }

    /// What the next round says: the answers to everything asked, and the server's state as it came.
    async fn answers(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        method: &str,
        mut result: Map<String, Value>,
    ) -> Result<Map<String, Value>, Error> {
        let mut more = Map::new();
        let asked = match result.remove("inputRequests") {
            None => Map::new(),
            Some(Value::Object(asked)) => asked,
            Some(_) => return Err(Error::malformed(method, "its `inputRequests` are no object")),
        };
        let cancelled = CancellationToken::new();
        let _ended = cancelled.clone().drop_guard();
        let mut answering = JoinSet::new();
        for (key, mut request) in asked {
            let Some(kind) = request["method"].as_str().map(str::to_owned) else {
                return Err(Error::malformed(method, format!("the input request `{key}` has no method")));
            };
            if !matches!(kind.as_str(), "elicitation/create" | "sampling/createMessage" | "roots/list") {
                return Err(Error::malformed(method, format!("`{kind}` cannot be an input request")));
            }
            let params = match request["params"].take() {
                Value::Object(params) => params,
                _ => Map::new(),
            };
            let (core, connection, cancelled) = (Arc::clone(self), Arc::clone(connection), cancelled.clone());
            answering.spawn(async move { (key, core.fulfil(&connection, &kind, params, cancelled).await) });
        }
        let mut answers = Map::new();
        while let Some(answered) = answering.join_next().await {
            match answered {
                Ok((key, answer)) => drop(answers.insert(key, answer?)),
                Err(_) => return Err(Error::Closed),
            }
        }
        if !answers.is_empty() {
            more.insert("inputResponses".to_owned(), answers.into());
        }
        if let Some(state) = result.remove("requestState") {
            more.insert("requestState".to_owned(), state);
        }
        if more.is_empty() {
            return Err(Error::malformed(
                method,
                "it wants input, and says neither which nor with what state",
            ));
        }
        Ok(more)
    }
}

/// Whether a method may be answered by questions.
fn asks(method: &str) -> bool {
    matches!(method, "tools/call" | "prompts/get" | "resources/read")
}

/// Parameters of any type that is written as an object.
pub(crate) fn object(what: &str, value: impl serde::Serialize) -> Result<Option<Map<String, Value>>, String> {
    match serde_json::to_value(value) {
        Ok(Value::Null) => Ok(None),
        Ok(Value::Object(object)) => Ok(Some(object)),
        Ok(other) => {
            Err(format!("the {what} are {other}: an object is wanted, such as `json!({{ \"a\": 1 }})`"))
        }
        Err(error) => Err(format!("the {what} cannot be written as JSON: {error}")),
    }
}

/// Parameters with these members.
pub(crate) fn members<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    members
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Reads a result by the type that the protocol gives it.
pub(crate) fn typed<T: serde::de::DeserializeOwned>(
    method: &str,
    result: Map<String, Value>,
) -> Result<T, Error> {
    read(result).map_err(|error| Error::malformed(method, error))
}

/// Reads a result by a type of the caller's.
pub(crate) fn typed_by_caller<T: serde::de::DeserializeOwned>(
    method: &str,
    result: Map<String, Value>,
) -> Result<T, Error> {
    read(result).map_err(|error| {
        let wanted = std::any::type_name::<T>();
        Error::Unsupported(format!(
            "the result of `{method}` does not read as the `{wanted}` that is wanted: {error}"
        ))
    })
}

fn read<T: serde::de::DeserializeOwned>(mut result: Map<String, Value>) -> serde_json::Result<T> {
    // What the server says of itself is no part of what was asked for.
    if let Some(meta) = result.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            result.remove("_meta");
        }
    }
    serde_json::from_value(Value::Object(result))
}
