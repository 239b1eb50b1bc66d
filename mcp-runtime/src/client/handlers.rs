//! What answers the server's requests and takes its notifications: one set for reverse calls of the handshake era and
//! input requests of the modern one alike.

use std::collections::{BTreeSet, HashMap};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::context::Context;
use super::message::Refused;
use super::progress::LogMessage;
use crate::call::Answer;
use crate::contain::contained_future;
use crate::protocol::{Revision, Root, SamplingResult};

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Answering = BoxFuture<Result<Value, BoxError>>;
type Handler = Arc<dyn Fn(Map<String, Value>, Context) -> Answering + Send + Sync>;
type Taker = Arc<dyn Fn(Map<String, Value>, Context) -> BoxFuture<()> + Send + Sync>;

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

/// A handler of requests whose parameters and result are of any type with a JSON form.
fn handler<P, R, E, F, Fut>(answer: F) -> Handler
where
    P: DeserializeOwned + Send + 'static,
    R: Serialize,
    E: Into<BoxError>,
    F: Fn(P, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, E>> + Send + 'static,
{
    Arc::new(move |params, context| -> Answering {
        let params = match serde_json::from_value(Value::Object(params)) {
            Ok(params) => params,
            Err(error) => return Box::pin(std::future::ready(Err(error.into()))),
        };
        let answering = answer(params, context);
        Box::pin(async move { Ok(serde_json::to_value(answering.await.map_err(Into::into)?)?) })
    })
}

impl Handlers {
    pub(crate) fn on_request<P, R, E, F, Fut>(&mut self, method: &str, answer: F)
    where
        P: DeserializeOwned + Send + 'static,
        R: Serialize,
        E: Into<BoxError>,
        F: Fn(P, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.requests.insert(method.to_owned(), handler(answer));
    }

    pub(crate) fn on_notification<F, Fut>(&mut self, method: &str, take: F)
    where
        F: Fn(Map<String, Value>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let taker: Taker = Arc::new(move |params, context| Box::pin(take(params, context)));
        self.notifications.entry(method.to_owned()).or_default().push(taker);
    }

    pub(crate) fn on_log<F, Fut>(&mut self, take: F)
    where
        F: Fn(LogMessage) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let take = Arc::new(take);
        self.on_notification("notifications/message", move |params, _| {
            let take = Arc::clone(&take);
            async move {
                if let Ok(message) = serde_json::from_value(Value::Object(params)) {
                    take(message).await;
                }
            }
        });
    }

    pub(crate) fn on_form<E, F, Fut>(&mut self, answer: F)
    where
        E: Into<BoxError>,
        F: Fn(Form, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Answer<Value>, E>> + Send + 'static,
    {
        self.declared.insert("elicitation.form");
        self.form = Some(Arc::new(move |params, context| -> Answering {
            let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let form = Form {
                message: text("message"),
                schema: params.get("requestedSchema").cloned().unwrap_or_else(|| json!({})),
            };
            let answering = answer(form, context);
            Box::pin(async move { Ok(elicited(answering.await.map_err(Into::into)?)) })
        }));
    }

    pub(crate) fn on_page<E, F, Fut>(&mut self, answer: F)
    where
        E: Into<BoxError>,
        F: Fn(Page, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Answer<()>, E>> + Send + 'static,
    {
        self.declared.insert("elicitation.url");
        self.page = Some(Arc::new(move |params, context| -> Answering {
            let text = |name: &str| params.get(name).and_then(Value::as_str).map(str::to_owned);
            let page = Page {
                message: text("message").unwrap_or_default(),
                url: text("url").unwrap_or_default(),
                elicitation_id: text("elicitationId"),
            };
            let answering = answer(page, context);
            Box::pin(async move {
                Ok(match answering.await.map_err(Into::into)? {
                    Answer::Accept(()) => json!({ "action": "accept" }),
                    Answer::Decline => elicited(Answer::Decline),
                    Answer::Cancel => elicited(Answer::Cancel),
                })
            })
        }));
    }

    pub(crate) fn on_sampling<E, F, Fut>(&mut self, with_tools: &'static [&'static str], answer: F)
    where
        E: Into<BoxError>,
        F: Fn(Sampling, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<SamplingResult, E>> + Send + 'static,
    {
        self.declared.extend(with_tools);
        self.on_request("sampling/createMessage", answer);
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

fn elicited(answer: Answer<Value>) -> Value {
    match answer {
        Answer::Accept(content) => json!({ "action": "accept", "content": content }),
        Answer::Decline => json!({ "action": "decline" }),
        Answer::Cancel => json!({ "action": "cancel" }),
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
