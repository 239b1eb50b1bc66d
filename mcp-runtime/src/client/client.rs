//! A connected client: a typed call for every method.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::calling::{Call, Calling, members, object, typed, typed_by_caller};
use super::core::{Core, lock};
use super::error::Error;
use super::link::Link;
use super::negotiate::Agreed;
use super::subscription::Subscription;
use crate::hub::Change;
use crate::protocol::{
    CallToolResult, CompleteResult, Completion, Era, GetPromptResult, LogLevel, PromptDefinition,
    ReadResourceResult, ResourceDefinition, ResourceTemplateDefinition, Revision, Root, ToolDefinition,
};

/// A client of one server. Its clones are the same client; when the last is dropped, the connection is closed, and a
/// process that it started is ended.
#[derive(Clone)]
pub struct Client(Arc<Owner>);

/// Ends everything when the last client is gone.
struct Owner(Arc<Core>);

impl Drop for Owner {
    fn drop(&mut self) {
        let core = Arc::clone(&self.0);
        if let Some(connection) = core.living()
            && let Link::Http(_) = &connection.link
        {
            // The server need not keep what nobody uses.
            self.0.spawn(async move {
                if let Link::Http(http) = &connection.link {
                    http.end_session().await;
                }
            });
        }
        core.closed.cancel();
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("agreed", &self.agreed()).finish_non_exhaustive()
    }
}

/// What is completed: an argument of a prompt, or a variable of a resource template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completing {
    /// Of the prompt of that name.
    Prompt(String),
    /// Of the template with that URI.
    Resource(String),
}

/// How many pages a list may have.
const MOST_PAGES: usize = 10_000;

impl Client {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self(Arc::new(Owner(core)))
    }

    pub(super) fn core(&self) -> &Arc<Core> {
        &self.0.0
    }

    /// What was agreed on with the server: the revision, who it is, what it can do. Nothing while there is no
    /// connection.
    pub fn agreed(&self) -> Option<Agreed> {
        self.core().living()?.agreed.get().cloned()
    }

    /// The era of the server. Give it to the builder of the next client of the same server to spare a question.
    pub fn era(&self) -> Option<Era> {
        *lock(&self.core().era)
    }

    /// The revision that is spoken.
    pub fn revision(&self) -> Option<Revision> {
        self.agreed().map(|agreed| agreed.revision)
    }

    /// Calls a tool. The arguments are anything that is written as a JSON object, or `()`.
    ///
    /// A result with `is_error` is no `Err`: the tool ran, and says what was wrong with it.
    pub fn call_tool(&self, name: impl Into<String>, arguments: impl Serialize) -> Calling<CallToolResult> {
        let params = object("arguments", arguments)
            .map(|arguments| members([("name", name.into().into()), ("arguments", json!(arguments))]));
        Calling::new(self, Call::new("tools/call", params), typed)
    }

    /// Gets a prompt. The arguments are anything that is written as a JSON object of texts, or `()`.
    pub fn prompt(&self, name: impl Into<String>, arguments: impl Serialize) -> Calling<GetPromptResult> {
        let params = object("arguments", arguments)
            .map(|arguments| members([("name", name.into().into()), ("arguments", json!(arguments))]));
        Calling::new(self, Call::new("prompts/get", params), typed)
    }

    /// Reads a resource.
    pub fn read_resource(&self, uri: impl Into<String>) -> Calling<ReadResourceResult> {
        let params = members([("uri", uri.into().into())]);
        Calling::new(self, Call::new("resources/read", Ok(params)), typed)
    }

    /// Completes what was typed of an argument; `context` are the arguments that have a value already.
    pub fn complete(
        &self,
        of: Completing,
        argument: impl Into<String>,
        typed_so_far: impl Into<String>,
        context: impl Serialize,
    ) -> Calling<Completion> {
        let reference = match of {
            Completing::Prompt(name) => json!({ "type": "ref/prompt", "name": name }),
            Completing::Resource(uri) => json!({ "type": "ref/resource", "uri": uri }),
        };
        let argument = json!({ "name": argument.into(), "value": typed_so_far.into() });
        let params = object("arguments of the context", context).map(|context| {
            let context = context.map_or(Value::Null, |arguments| json!({ "arguments": arguments }));
            members([("ref", reference), ("argument", argument), ("context", context)])
        });
        Calling::new(self, Call::new("completion/complete", params), |method, result| {
            typed::<CompleteResult>(method, result).map(|result| result.completion)
        })
    }

    /// Every tool, all pages. Over HTTP in the modern era, those whose mirrored headers are wrong are left out, with a
    /// warning.
    ///
    /// # Errors
    /// That of a page.
    pub async fn list_tools(&self) -> Result<Vec<ToolDefinition>, Error> {
        self.core().list_tools(Call::new("tools/list", Ok(Map::new()))).await
    }

    /// Every prompt, all pages.
    ///
    /// # Errors
    /// That of a page.
    pub async fn list_prompts(&self) -> Result<Vec<PromptDefinition>, Error> {
        self.core().list(Call::new("prompts/list", Ok(Map::new())), "prompts").await
    }

    /// Every resource, all pages.
    ///
    /// # Errors
    /// That of a page.
    pub async fn list_resources(&self) -> Result<Vec<ResourceDefinition>, Error> {
        self.core().list(Call::new("resources/list", Ok(Map::new())), "resources").await
    }

    /// Every resource template, all pages.
    ///
    /// # Errors
    /// That of a page.
    pub async fn list_resource_templates(&self) -> Result<Vec<ResourceTemplateDefinition>, Error> {
        self.core().list(Call::new("resources/templates/list", Ok(Map::new())), "resourceTemplates").await
    }

    /// Whether the server answers: `ping` in the handshake era, `server/discover` in the modern one.
    ///
    /// # Errors
    /// It does not.
    pub async fn ping(&self) -> Result<(), Error> {
        let connection = self.core().connection().await?;
        let method = match connection.revision().era() {
            Era::Handshake => "ping",
            Era::Modern => "server/discover",
        };
        self.core().call(Call::new(method, Ok(Map::new()))).await.map(drop)
    }

    /// The least severe log messages that the server is to send (handshake era). Modern servers are told with each call:
    /// [`Calling::log_level`], or the builder's for all.
    ///
    /// # Errors
    /// The server logs nothing, or is modern.
    pub async fn set_log_level(&self, level: LogLevel) -> Result<(), Error> {
        let connection = self.core().connection().await?;
        if connection.revision().era() == Era::Modern {
            let text = "modern servers are told the level with each call: `.log_level(…)` of the call or the builder";
            return Err(Error::Unsupported(text.to_owned()));
        }
        let params = members([("level", json!(level))]);
        self.core().call(Call::new("logging/setLevel", Ok(params))).await.map(drop)
    }

    /// Listens for changes of lists and resources, in either era, until the stream is dropped.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub async fn changes(&self, of: impl IntoIterator<Item = Change>) -> Result<Subscription, Error> {
        Subscription::open(self.core(), of.into_iter().collect()).await
    }

    /// Says that the client works in other folders now.
    ///
    /// # Errors
    /// The builder was not given any roots, so that the server does not know of them.
    pub async fn set_roots(&self, roots: impl IntoIterator<Item = Root>) -> Result<(), Error> {
        if !self.core().handlers.set_roots(roots.into_iter().collect()) {
            let text = "the client has declared no roots: give its builder some, `.roots([])` at least";
            return Err(Error::Unsupported(text.to_owned()));
        }
        let connection = self.core().connection().await?;
        if connection.revision().era() == Era::Modern {
            // They are asked for when they are wanted.
            return Ok(());
        }
        self.core().notify(&connection, "notifications/roots/list_changed", Map::new()).await
    }

    /// Calls any method, such as one of the server's own; the result as it comes.
    pub fn request(&self, method: impl Into<String>, params: impl Serialize) -> Calling<Value> {
        let params = object("parameters", params).map(Option::unwrap_or_default);
        Calling::new(self, Call::new(method, params), |_, result| Ok(Value::Object(result)))
    }

    /// Calls any method; the result as that type.
    pub fn request_as<T: DeserializeOwned>(
        &self,
        method: impl Into<String>,
        params: impl Serialize,
    ) -> Calling<T> {
        let params = object("parameters", params).map(Option::unwrap_or_default);
        Calling::new(self, Call::new(method, params), typed_by_caller)
    }

    /// Sends any notification.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn notify(&self, method: &str, params: impl Serialize) -> Result<(), Error> {
        let params = object("parameters", params).map_err(Error::Unsupported)?.unwrap_or_default();
        let connection = self.core().connection().await?;
        self.core().notify(&connection, method, params).await
    }

    /// Closes the connection, for every clone: a process is waited for, and ended where it does not end by itself; a
    /// session is ended.
    pub async fn close(&self) {
        let core = self.core();
        let connection = core.last();
        if let Some(connection) = &connection
            && let Link::Http(http) = &connection.link
        {
            http.end_session().await;
        }
        core.closed.cancel();
        if let Some(connection) = connection {
            if connection.link.is_lines() {
                connection.gone.cancelled().await;
            } else {
                connection.end("the client is closed");
            }
        }
    }
}

impl Core {
    pub(crate) async fn list_tools(self: &Arc<Self>, first: Call) -> Result<Vec<ToolDefinition>, Error> {
        let mut tools = self.list(first, "tools").await?;
        let connection = self.connection().await?;
        if self.mirrors(&connection) {
            self.tools.learn(&mut tools);
        }
        Ok(tools)
    }

    /// All pages of a list, of which that call asks for the first.
    async fn list<T: DeserializeOwned>(self: &Arc<Self>, first: Call, member: &str) -> Result<Vec<T>, Error> {
        let method = first.method.as_str();
        let mut all = Vec::new();
        let mut cursors = HashSet::new();
        let mut cursor = Value::Null;
        let mut again = false;
        loop {
            let call = Call { params: Ok(members([("cursor", cursor.clone())])), ..first.clone() };
            let mut result = match self.call(call).await {
                Ok(result) => result,
                // A cursor that is no good any more leads nowhere: the list is read from its beginning.
                Err(Error::Refused { code: -32602, .. }) if !cursor.is_null() && !again => {
                    again = true;
                    self.cache.forget(method);
                    cursor = Value::Null;
                    all.clear();
                    cursors.clear();
                    continue;
                }
                Err(error) => return Err(error),
            };
            let page = result.remove(member).unwrap_or_else(|| json!([]));
            let page: Vec<T> =
                serde_json::from_value(page).map_err(|error| Error::malformed(method, error))?;
            all.extend(page);
            match result.remove("nextCursor") {
                None | Some(Value::Null) => return Ok(all),
                Some(next) => {
                    if !cursors.insert(next.to_string()) || cursors.len() > MOST_PAGES {
                        return Err(Error::malformed(
                            method,
                            format!("its pages never end: {next} leads back"),
                        ));
                    }
                    cursor = next;
                }
            }
        }
    }
}
