//! What answers the server's requests and takes its notifications: one set for reverse calls of the handshake era and
//! input requests of the modern one alike.

use std::collections::{BTreeSet, HashMap};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::context::Context;
use super::message::Refused;
use crate::contain::contained_future;
use crate::protocol::{Revision, Root};

pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;
pub(super) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
pub(super) type Answering = BoxFuture<Result<Value, BoxError>>;
pub(super) type Handler = Arc<dyn Fn(Map<String, Value>, Context) -> Answering + Send + Sync>;
pub(super) type Taker = Arc<dyn Fn(Map<String, Value>, Context) -> BoxFuture<()> + Send + Sync>;

/// A form that a person is asked to fill in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Form {
    /// What they are told.
    pub message: String,
    /// Its fields, as a flat JSON Schema.
    pub schema: Value,
}

impl Form {
    /// The fields that have a default, with it.
    pub fn defaults(&self) -> Value {
        let fields = self.schema["properties"].as_object();
        let defaults = fields.into_iter().flatten();
        defaults
            .filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())))
            .collect::<Map<_, _>>()
            .into()
    }
}

/// A page that a person is asked to go to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page {
    /// What they are told.
    pub message: String,
    /// Where it is. Show it whole, and open it only when they agree.
    pub url: String,
    /// What `notifications/elicitation/complete` names when they are done (2025-11-25 alone).
    pub elicitation_id: Option<String>,
}

/// What the server asks the client's model.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampling {
    /// The conversation.
    pub messages: Vec<crate::protocol::SamplingMessage>,
    /// How many tokens the model may say.
    #[serde(default)]
    pub max_tokens: Option<u64>,
    /// What the model is told first.
    #[serde(default)]
    pub system_prompt: Option<String>,
    /// How freely the model speaks.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// What ends the answer.
    #[serde(default)]
    pub stop_sequences: Vec<String>,
    /// Which model to take.
    #[serde(default)]
    pub model_preferences: Option<Value>,
    /// What of the context of servers to include: `none`, `thisServer` or `allServers`.
    #[serde(default)]
    pub include_context: Option<String>,
    /// The tools that the model may want called.
    #[serde(default)]
    pub tools: Vec<Value>,
    /// Whether it has to.
    #[serde(default)]
    pub tool_choice: Option<Value>,
}

/// Everything that a client answers and takes.
#[derive(Default)]
pub(crate) struct Handlers {
    requests: HashMap<String, Handler>,
    notifications: HashMap<String, Vec<Taker>>,
    form: Option<Handler>,
    page: Option<Handler>,
    roots: Option<Mutex<Vec<Root>>>,
    /// Names of capabilities, such as `sampling.tools`.
    declared: BTreeSet<&'static str>,
}

impl Handlers {
    pub(super) fn answers(&mut self, method: &str, handler: Handler) {
        self.requests.insert(method.to_owned(), handler);
    }

    pub(super) fn takes(&mut self, method: &str, taker: Taker) {
        self.notifications.entry(method.to_owned()).or_default().push(taker);
    }

    pub(super) fn fills_in(&mut self, handler: Handler) {
        self.declared.insert("elicitation.form");
        self.form = Some(handler);
    }

    pub(super) fn visits(&mut self, handler: Handler) {
        self.declared.insert("elicitation.url");
        self.page = Some(handler);
    }

    /// Asks a model, which may want tools called.
    pub(super) fn samples(&mut self, capabilities: &'static [&'static str], handler: Handler) {
        self.declared.extend(capabilities);
        self.answers("sampling/createMessage", handler);
    }

    pub(crate) fn declare_roots(&mut self, roots: Vec<Root>) {
        self.declared.insert("roots");
        self.roots = Some(Mutex::new(roots));
    }

    /// Changes the roots; whether the client said that it has some.
    pub(crate) fn set_roots(&self, now: Vec<Root>) -> bool {
        match &self.roots {
            Some(roots) => {
                *roots.lock().unwrap_or_else(PoisonError::into_inner) = now;
                true
            }
            None => false,
        }
    }

    /// What the client declares that it can be asked.
    pub(crate) fn capabilities(&self, revision: Revision) -> Value {
        let has = |name: &str| self.declared.contains(name);
        let mut capabilities = json!({});
        // Modes are known from 2025-11-25 on; before, forms were all there was.
        if has("elicitation.form") || has("elicitation.url") {
            capabilities["elicitation"] = json!({});
            for mode in ["form", "url"] {
                if revision >= Revision::V2025_11_25 && has(&format!("elicitation.{mode}")) {
                    capabilities["elicitation"][mode] = json!({});
                }
            }
        }
        if has("sampling") {
            capabilities["sampling"] = json!({});
            if revision >= Revision::V2025_11_25 && has("sampling.tools") {
                capabilities["sampling"]["tools"] = json!({});
            }
        }
        if self.roots.is_some() {
            capabilities["roots"] = match revision {
                Revision::V2026_07_28 => json!({}),
                _ => json!({ "listChanged": true }),
            };
        }
        capabilities
    }

    /// Answers what the server asks; the error of one that has no handler is that of an unknown method.
    pub(crate) async fn answer(
        &self,
        method: &str,
        params: Map<String, Value>,
        context: Context,
    ) -> Result<Value, BoxError> {
        let answered = contained_future(|| self.answering(method, params, context)).await;
        answered.unwrap_or_else(|panic| {
            crate::log::error(&format!("what answers `{method}` panicked: {panic}"));
            Err(format!("what answers `{method}` panicked").into())
        })
    }

    fn answering(&self, method: &str, params: Map<String, Value>, context: Context) -> Answering {
        let ready = |answer: Result<Value, BoxError>| -> Answering { Box::pin(std::future::ready(answer)) };
        if let Some(handler) = self.requests.get(method) {
            return handler(params, context);
        }
        match method {
            "ping" => ready(Ok(json!({}))),
            "roots/list" => match &self.roots {
                Some(roots) => {
                    ready(Ok(json!({ "roots": *roots.lock().unwrap_or_else(PoisonError::into_inner) })))
                }
                None => ready(Err(missing(method, "`.roots(…)`"))),
            },
            "elicitation/create" if params.get("mode").is_some_and(|mode| mode == "url") => {
                match &self.page {
                    Some(handler) => handler(params, context),
                    None => ready(Err(missing(method, "`.on_page(…)`"))),
                }
            }
            "elicitation/create" => match &self.form {
                Some(handler) => handler(params, context),
                None => ready(Err(missing(method, "`.on_form(…)`"))),
            },
            "sampling/createMessage" => ready(Err(missing(method, "`.on_sampling(…)`"))),
            _ => ready(Err(missing(method, "`.on_request(…)`"))),
        }
    }

    /// Whoever takes notifications of that method.
    pub(crate) fn takers(&self, method: &str) -> Vec<Taker> {
        self.notifications.get(method).cloned().unwrap_or_default()
    }
}

/// Nothing answers the method.
#[derive(Debug)]
struct Missing(String);

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}

fn missing(method: &str, call: &str) -> BoxError {
    Box::new(Missing(format!("nothing answers `{method}`: give the client's builder {call}")))
}

/// The error that the server gets in place of an answer.
pub(crate) fn refusal(error: &BoxError) -> Refused {
    if error.is::<Missing>() {
        return Refused::new(-32601, "Method not found: this client answers no such request");
    }
    if error.is::<serde_json::Error>() {
        return Refused::new(-32602, format!("Invalid params: {error}"));
    }
    Refused::new(-32603, error.to_string())
}
