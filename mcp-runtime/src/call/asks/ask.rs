//! An ask, as a handler awaits it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::Sleep;

use super::answer::{Answer, AskError};
use super::once::{is_driven, is_inside_once};
use super::peer::Reply;
use super::{Means, Used};
use crate::call::Shared;
use crate::protocol::asking::Need;
use crate::schema::ordered::Ordered;

type Decode<T> = Box<dyn Fn(&Value) -> Result<T, String> + Send>;

/// What a client is asked; await it for the answer.
#[must_use = "nothing is asked until it is awaited"]
pub struct Ask<T> {
    call: Arc<Shared>,
    method: &'static str,
    need: Need,
    params: Value,
    key: Option<String>,
    /// Why it cannot be asked of anybody.
    flaw: Option<String>,
    decode: Decode<T>,
}

impl<T> Ask<T> {
    pub(crate) fn new(
        call: &Arc<Shared>,
        method: &'static str,
        need: Need,
        params: Value,
        decode: impl Fn(&Value) -> Result<T, String> + Send + 'static,
    ) -> Self {
        Self { call: Arc::clone(call), method, need, params, key: None, flaw: None, decode: Box::new(decode) }
    }

    /// Names the ask, so that its answer is told from those of others over all rounds of the call. One that has no
    /// name is known by what it asks; give one where the text changes each time, or where two that ask the same may
    /// come in any order.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

impl<T> IntoFuture for Ask<T> {
    type Output = Result<T, AskError>;
    type IntoFuture = Asking<T>;

    fn into_future(self) -> Asking<T> {
        Asking { ask: self, state: State::New }
    }
}

/// An ask that waits for its answer. Dropping it takes the ask back.
#[must_use = "nothing is asked until it is awaited"]
pub struct Asking<T> {
    ask: Ask<T>,
    state: State,
}

enum State {
    New,
    /// In a round, under that key.
    Round(String),
    /// As a request of that id.
    Reverse(u64, oneshot::Receiver<Reply>, Pin<Box<Sleep>>),
    Done,
}

// It holds nothing that points into itself.
impl<T> Unpin for Asking<T> {}

impl<T> Future for Asking<T> {
    type Output = Result<T, AskError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if matches!(self.state, State::New) {
            match self.begin() {
                Ok(state) => self.state = state,
                Err(error) => {
                    self.state = State::Done;
                    return Poll::Ready(Err(error));
                }
            }
        }
        let outcome = ready!(self.poll_answer(cx));
        if matches!(outcome, Err(AskError::Unanswered)) {
            self.take_back();
        }
        self.state = State::Done;
        Poll::Ready(outcome)
    }
}

impl<T> Asking<T> {
    fn begin(&self) -> Result<State, AskError> {
        let call = &self.ask.call;
        if let Some(flaw) = &self.ask.flaw {
            return Err(AskError::Unaskable(flaw.clone()));
        }
        if is_inside_once() {
            return Err(AskError::InsideOnce);
        }
        if let Means::Never(why) = call.asks.means {
            return Err(AskError::Impossible(why));
        }
        let capabilities: Value = call
            .client_capabilities()
            .and_then(|capabilities| serde_json::from_slice(capabilities).ok())
            .unwrap_or_default();
        if !self.ask.need.is_met(&capabilities, call.revision) {
            let _ = call.asks.refused.set(self.ask.need);
            return Err(AskError::Unsupported(self.ask.need.name()));
        }
        match &call.asks.means {
            Means::Never(why) => Err(AskError::Impossible(why)),
            Means::Rounds(given) => call
                .asks
                .round(call, *given)
                .claim(self.ask.key.as_deref(), self.ask.method, &self.ask.params)
                .map(State::Round),
            Means::Reverse(peer) => {
                if !call.outbox.is_open() {
                    return Err(if call.outbox.was_open() {
                        AskError::CallEnded
                    } else {
                        AskError::Impossible(
                            "the client cannot be asked: it takes no stream of events for this request",
                        )
                    });
                }
                if let Some(key) = &self.ask.key {
                    call.asks.use_key(Used::Ask, key)?;
                }
                let Some((id, answered)) = peer.ask(self.ask.method) else { return Err(AskError::CallEnded) };
                let request = json!({ "jsonrpc": "2.0", "id": id, "method": self.ask.method, "params": self.ask.params });
                call.outbox.hand_over(Ordered(&request).text().into());
                Ok(State::Reverse(id, answered, Box::pin(tokio::time::sleep(peer.patience()))))
            }
        }
    }

    fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, AskError>> {
        let ask = &self.ask;
        let call = &ask.call;
        match &mut self.state {
            State::New | State::Done => Poll::Ready(Err(AskError::CallEnded)),
            State::Reverse(_, answered, patience) => Poll::Ready(match Pin::new(answered).poll(cx) {
                Poll::Ready(Err(_)) => Err(AskError::CallEnded),
                Poll::Ready(Ok(Err((code, message)))) => Err(AskError::Refused { code, message }),
                Poll::Ready(Ok(Ok(answer))) => (ask.decode)(&answer).map_err(AskError::Invalid),
                Poll::Pending => {
                    ready!(patience.as_mut().poll(cx));
                    Err(AskError::Unanswered)
                }
            }),
            State::Round(key) => {
                let Means::Rounds(given) = call.asks.means else {
                    return Poll::Ready(Err(AskError::CallEnded));
                };
                let round = call.asks.round(call, given);
                // An answer that is none is asked for again.
                let mut again = None;
                match round.answer(key).map(|answer| ((ask.decode)(answer), answer)) {
                    Some((Ok(decoded), answer)) => {
                        round.took(key, answer);
                        return Poll::Ready(Ok(decoded));
                    }
                    Some((Err(why), answer)) => {
                        if round.refuses(key) {
                            crate::log::warn(&format!(
                                "the client's answer `{key}` cannot be used, and is asked for again"
                            ));
                        }
                        // What else is wrong with it, a person cannot help.
                        again = (answer["action"] == "accept").then(|| asked_again(&ask.params, &why));
                    }
                    None => {}
                }
                let params = again.as_ref().unwrap_or(&ask.params);
                let driven = is_driven(call);
                let elsewhere = (!driven).then_some(&*cx);
                match round.open(key, ask.method, params, elsewhere) {
                    Err(error) => Poll::Ready(Err(error)),
                    Ok(()) => {
                        if !driven {
                            call.outbox.wake();
                        }
                        Poll::Pending
                    }
                }
            }
        }
    }
}

/// The same question, with what was wrong with the last answer, for the person.
fn asked_again(params: &Value, why: &str) -> Value {
    let mut params = params.clone();
    if let Some(message) = params["message"].as_str() {
        params["message"] = format!("{message}\n\nThe last answer could not be used: {why}").into();
    }
    params
}

impl<T> Drop for Asking<T> {
    fn drop(&mut self) {
        self.take_back();
    }
}

impl<T> Asking<T> {
    /// Takes back what waits for its answer: its key is free again.
    fn take_back(&self) {
        match (&self.state, &self.ask.call.asks.means) {
            (State::Round(key), Means::Rounds(given)) => {
                self.ask.call.asks.round(&self.ask.call, *given).withdraw(key);
            }
            (State::Reverse(id, ..), Means::Reverse(peer)) => {
                peer.withdraw(*id);
                if let Some(key) = &self.ask.key {
                    self.ask.call.asks.give_back(Used::Ask, key);
                }
            }
            _ => {}
        }
    }
}

/// What a person is asked; await it for the answer. Without one, the `Err` says that they declined, or closed it.
#[must_use = "nothing is asked until it is awaited"]
pub struct Elicit<T>(Ask<Answer<T>>);

impl<T: 'static> Elicit<T> {
    pub(crate) fn new(
        call: &Arc<Shared>,
        need: Need,
        params: Value,
        content: impl Fn(Option<&Value>) -> Result<T, String> + Send + 'static,
    ) -> Self {
        let decode = move |result: &Value| match result["action"].as_str() {
            Some("accept") => content(result.get("content")).map(Answer::Accept),
            Some("decline") => Ok(Answer::Decline),
            Some("cancel") => Ok(Answer::Cancel),
            _ => Err("`action` is none of `accept`, `decline` and `cancel`".to_owned()),
        };
        Self(Ask::new(call, "elicitation/create", need, params, decode))
    }

    /// Notes why it cannot be asked of anybody.
    pub(crate) fn flawed(mut self, flaw: Option<String>) -> Self {
        self.0.flaw = flaw;
        self
    }

    /// Names the ask; see [`Ask::key`].
    pub fn key(self, key: impl Into<String>) -> Self {
        Self(self.0.key(key))
    }

    /// Asks for what the person did as a value, so that declining and closing are no errors.
    pub fn answer(self) -> Ask<Answer<T>> {
        self.0
    }
}

impl<T: Send + 'static> IntoFuture for Elicit<T> {
    type Output = Result<T, AskError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<T, AskError>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let asking = self.0.into_future();
        Box::pin(async move { asking.await?.accepted() })
    }
}
