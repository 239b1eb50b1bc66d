//! How a client is told what to answer the server, and what to take from it.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::connecting::Connecting;
use super::context::Context;
use super::handlers::{Answering, BoxError, Form, Handler, Page, Sampling};
use super::progress::LogMessage;
use crate::call::Answer;
use crate::protocol::SamplingResult;

impl Connecting {
    /// Fills in forms for the server: declares `elicitation` with mode `form`. The handler gives an [`Answer`], or a
    /// `Result` of one. What it fills in has to fit the form; where it does not, the call ends with
    /// [`Error::Unanswered`](super::Error::Unanswered) in the modern era, and the server is told in the handshake era.
    pub fn on_form<R, F, Fut>(mut self, answer: F) -> Self
    where
        R: IntoAnswer<Answer<Value>>,
        F: Fn(Form, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
    {
        self.handlers.fills_in(Arc::new(move |params, context| -> Answering {
            let form = Form {
                message: text(&params, "message").unwrap_or_default(),
                schema: params.get("requestedSchema").cloned().unwrap_or_else(|| json!({})),
            };
            let schema = form.schema.clone();
            let answering = answer(form, context);
            Box::pin(async move {
                let answer = answering.await.into_answer()?;
                if let Answer::Accept(content) = &answer {
                    fits(&schema, content)?;
                }
                Ok(elicited(answer))
            })
        }));
        self
    }

    /// Takes people to pages for the server: declares `elicitation` with mode `url`. The handler gives an [`Answer`], or a
    /// `Result` of one.
    pub fn on_page<R, F, Fut>(mut self, answer: F) -> Self
    where
        R: IntoAnswer<Answer<()>>,
        F: Fn(Page, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
    {
        self.handlers.visits(Arc::new(move |params, context| -> Answering {
            let page = Page {
                message: text(&params, "message").unwrap_or_default(),
                url: text(&params, "url").unwrap_or_default(),
                elicitation_id: text(&params, "elicitationId"),
            };
            let answering = answer(page, context);
            Box::pin(async move {
                Ok(match answering.await.into_answer()? {
                    Answer::Accept(()) => json!({ "action": "accept" }),
                    Answer::Decline => elicited(Answer::Decline),
                    Answer::Cancel => elicited(Answer::Cancel),
                })
            })
        }));
        self
    }

    /// Lets the server ask the client's model: declares `sampling`. The handler gives what the model says, or a `Result`
    /// of it.
    pub fn on_sampling<R, F, Fut>(mut self, answer: F) -> Self
    where
        R: IntoAnswer<SamplingResult>,
        F: Fn(Sampling, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
    {
        self.handlers.samples(&["sampling"], handler(answer));
        self
    }

    /// The same for a model that can want tools called: declares `sampling.tools` as well.
    pub fn on_sampling_with_tools<R, F, Fut>(mut self, answer: F) -> Self
    where
        R: IntoAnswer<SamplingResult>,
        F: Fn(Sampling, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
    {
        self.handlers.samples(&["sampling", "sampling.tools"], handler(answer));
        self
    }

    /// Answers requests of the server's of that method (handshake era). The parameters are of any type that is read from
    /// JSON, the result of any that is written as an object.
    pub fn on_request<P, R, E, F, Fut>(mut self, method: &str, answer: F) -> Self
    where
        P: DeserializeOwned + Send + 'static,
        R: Serialize,
        E: Into<BoxError>,
        F: Fn(P, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.handlers.answers(method, handler::<P, R, _, _>(answer));
        self
    }

    /// Takes notifications of that method, in the order in which they come.
    pub fn on_notification<F, Fut>(mut self, method: &str, take: F) -> Self
    where
        F: Fn(Map<String, Value>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.handlers.takes(method, Arc::new(move |params, context| Box::pin(take(params, context))));
        self
    }

    /// Takes the server's log messages: those of [`log_level`](Self::log_level) and above. Where that is not said, modern
    /// servers are asked for `info` and above, and servers of the handshake era choose.
    pub fn on_log<F, Fut>(mut self, take: F) -> Self
    where
        F: Fn(LogMessage) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let take = Arc::new(take);
        self.options.takes_logs = true;
        self.on_notification("notifications/message", move |params, _| {
            let take = Arc::clone(&take);
            async move {
                if let Ok(message) = serde_json::from_value(Value::Object(params)) {
                    take(message).await;
                }
            }
        })
    }
}

/// What a handler of a client's gives: the answer, or a `Result` of it.
#[diagnostic::on_unimplemented(
    message = "a handler that gives `{Self}` does not answer this",
    label = "not a `{T}`, and no `Result` of one",
    note = "where it never fails, give the answer itself; where it does, name the error: `Ok::<_, std::io::Error>(…)`"
)]
pub trait IntoAnswer<T> {
    #[doc(hidden)]
    fn into_answer(self) -> Result<T, BoxError>;
}

impl<T> IntoAnswer<T> for T {
    fn into_answer(self) -> Result<T, BoxError> {
        Ok(self)
    }
}

impl<T, E: Into<BoxError>> IntoAnswer<T> for Result<T, E> {
    fn into_answer(self) -> Result<T, BoxError> {
        self.map_err(Into::into)
    }
}

/// A handler of requests whose parameters and result are of any type with a JSON form.
fn handler<P, T, R, Fut>(answer: impl Fn(P, Context) -> Fut + Send + Sync + 'static) -> Handler
where
    P: DeserializeOwned,
    T: Serialize,
    R: IntoAnswer<T>,
    Fut: Future<Output = R> + Send + 'static,
{
    Arc::new(move |params, context| -> Answering {
        let params = match serde_json::from_value(Value::Object(params)) {
            Ok(params) => params,
            Err(error) => return Box::pin(std::future::ready(Err(error.into()))),
        };
        let answering = answer(params, context);
        Box::pin(async move { Ok(serde_json::to_value(answering.await.into_answer()?)?) })
    })
}

/// Whether what was filled in fits the form. A form that is none is the server's to judge.
#[cfg(feature = "validation")]
fn fits(form: &Value, content: &Value) -> Result<(), BoxError> {
    let Ok(validator) = crate::schema::validator::Validator::compile(form) else { return Ok(()) };
    validator.judge(form, content).map_err(|faults| {
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        format!("what was filled in does not fit the form: {}", faults.join("; ")).into()
    })
}

#[cfg(not(feature = "validation"))]
fn fits(_: &Value, _: &Value) -> Result<(), BoxError> {
    Ok(())
}

fn text(params: &Map<String, Value>, name: &str) -> Option<String> {
    params.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn elicited(answer: Answer<Value>) -> Value {
    match answer {
        Answer::Accept(content) => json!({ "action": "accept", "content": content }),
        Answer::Decline => json!({ "action": "decline" }),
        Answer::Cancel => json!({ "action": "cancel" }),
    }
}
