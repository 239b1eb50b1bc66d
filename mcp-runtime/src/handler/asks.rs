//! What a handler asks its client.

use std::pin::Pin;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::args::Form;
use crate::call::{Ask, Context, Elicit, OnceError, Remembered, RunOnce, once};
use crate::protocol::asking::Need;
use crate::protocol::{Era, Revision, Root, SamplingRequest, SamplingResult};
use crate::schema::{clean, form, generator};

/// What runs once, on its way. No type of what it runs is in it, so that the compiler tells a mistake in that once.
type Once<'c, R> = Pin<Box<dyn Future<Output = Result<R, OnceError>> + Send + 'c>>;

impl Context {
    /// Asks the person for something, by a form. Await it for the answer; where they decline or close it, that is the
    /// `Err`, which `?` turns into an error that the model reads.
    ///
    /// Modern clients are asked by answering the call with the question: they call again with the answer, and the
    /// handler runs again from the top, where the ask then completes at once. What a handler does before its last ask
    /// is therefore done again, unless it is done in [`once`](Self::once).
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// #[derive(mcp::Form)]
    /// struct Login {
    ///     /// Your user name.
    ///     user: String,
    ///     remember: bool,
    /// }
    ///
    /// #[mcp::tool]
    /// async fn sign_in(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    ///     let login: Login = ctx.elicit("Sign in to continue").await?;
    ///     Ok(format!("hello, {}", login.user))
    /// }
    /// ```
    pub fn elicit<T: Form + 'static>(&self, message: impl Into<String>) -> Elicit<T> {
        let schema = generator(clean::Contract::Form).into_root_schema_for::<T>().to_value();
        let revision = self.revision();
        let form = form::Form::of(schema, revision);
        let mut params = json!({ "message": message.into() });
        if revision >= Revision::V2025_11_25 {
            params["mode"] = "form".into();
        }
        params["requestedSchema"] = match &form {
            Ok(form) => form.schema(revision),
            Err(_) => json!({ "type": "object", "properties": {} }),
        };
        let flaw = form.as_ref().err().map(|problems| problems.join("; "));
        let elicit = Elicit::new(&self.0, Need::Form, params, move |content| {
            let form = form.as_ref().map_err(|problems| problems.join("; "))?;
            // The decoder's own words would hold what was typed.
            serde_json::from_value(form.accept(content)?)
                .map_err(|_| "it fits the form, and its type does not read it".to_owned())
        });
        elicit.flawed(flaw)
    }

    /// Asks the person to go to a URL: for what should not pass through the client, such as a payment or a password
    /// (from 2025-11-25). That they agreed to go there is all that the answer says.
    pub fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> Elicit<()> {
        let url = url.into();
        let mut params = json!({ "mode": "url", "message": message.into(), "url": url });
        if self.era() == Era::Handshake {
            params["elicitationId"] = format!("{}-{url}", self.0.asks.identity()).into();
        }
        Elicit::new(&self.0, Need::Url, params, |_| Ok(()))
    }

    /// Asks the client's model.
    pub fn sample(&self, request: SamplingRequest) -> Ask<SamplingResult> {
        let need = if request.wants_tools() { Need::SamplingTools } else { Need::Sampling };
        Ask::new(&self.0, "sampling/createMessage", need, request.params(self.revision()), |answer| {
            SamplingResult::deserialize(answer)
        })
    }

    /// Asks for the folders that the client works in.
    pub fn list_roots(&self) -> Ask<Vec<Root>> {
        Ask::new(&self.0, "roots/list", Need::Roots, json!({}), |answer| Vec::deserialize(&answer["roots"]))
    }

    /// Runs something once over all rounds of the call, and remembers what comes of it: an effect before an ask.
    ///
    /// What it remembers travels with the client, so that an answer that is lost, or a round that a client repeats, runs
    /// it again; give what it calls the key of [`once_key`](Self::once_key) to have it notice. An `Err` is not remembered.
    /// Nothing can be asked inside.
    ///
    /// ```
    /// # use mcp_runtime::prelude::*;
    /// # async fn charge(key: String) -> Result<u32, std::io::Error> { Ok(7) }
    /// # async fn order(ctx: mcp::Context) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    /// let receipt: u32 = ctx.once("charge", || charge(ctx.once_key("charge"))).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// That of the body; or that the key was used already, or the call has ended.
    pub fn once<'c, R, W>(&'c self, key: &'c str, body: W) -> Once<'c, R>
    where
        R: Remembered + 'c,
        W: RunOnce<R> + 'c,
    {
        Box::pin(once(&self.0, key, body))
    }

    /// What tells this call, over all its rounds, and one of its `once` from every other: an idempotency key.
    pub fn once_key(&self, key: &str) -> String {
        format!("{}-{key}", self.0.asks.identity())
    }
}

/// Decodes an answer, and says in words what is wrong with it.
trait Answered: DeserializeOwned {
    fn deserialize(answer: &Value) -> Result<Self, String> {
        serde_json::from_value(answer.clone()).map_err(|error| error.to_string())
    }
}

impl<T: DeserializeOwned> Answered for T {}
