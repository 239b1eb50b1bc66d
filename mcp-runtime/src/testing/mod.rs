#![doc = include_str!("../docs/testing.md")]

mod asking;
mod called;
mod compare;
mod surface;

use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;

use serde::Serialize;

pub use self::asking::Asking;
pub use self::called::{Called, Got, Read};
pub use self::surface::{surface, surface_of};
use crate::client::{self, Connecting, Error};
use crate::protocol::{CallToolResult, Era, GetPromptResult, Implementation, ReadResourceResult, Revision};
use crate::server::{Server, server};

/// A client of everything that the test's program has registered.
///
/// ```standalone_crate
/// # mod tools {
/// use mcp_runtime::prelude::*;
///
/// /// Adds two numbers.
/// #[mcp::tool]
/// fn add(a: i64, b: i64) -> i64 { a + b }
/// # }
///
/// # let runtime = tokio::runtime::Runtime::new().unwrap();
/// # runtime.block_on(async {
/// let client = mcp_runtime::testing::client().await;
/// client.call("add", serde_json::json!({ "a": 1, "b": 2 })).await.shows("3");
/// # });
/// ```
#[track_caller]
pub fn client() -> Testing {
    Testing { is_of_all: true, ..client_of(server()) }
}

/// A client of a server of your own: with states, limits, or tools made at run time.
#[track_caller]
pub fn client_of<M>(server: Server<M>) -> Testing {
    Testing { connecting: client::connect(named(server)), place: Location::caller(), is_of_all: false }
}

/// Both eras, the newer first: `for era in testing::eras() { … testing::client().era(era).await … }`.
pub const fn eras() -> [Era; 2] {
    [Era::Modern, Era::Handshake]
}

/// A test's program is named by chance.
fn named<M>(mut server: Server<M>) -> Server<M> {
    server.options.info.get_or_insert_with(|| Implementation::new("under-test", "0.0.0"));
    server
}

/// A client of a test on its way; await it.
#[must_use = "nothing is connected until it is awaited"]
pub struct Testing {
    connecting: Connecting,
    place: &'static Location<'static>,
    /// Whether the server is told nothing.
    is_of_all: bool,
}

impl Testing {
    /// Speaks this era; without it, the newest that the server does.
    pub fn era(self, era: Era) -> Self {
        self.with(|client| client.era(era))
    }

    /// Speaks this revision.
    pub fn revision(self, revision: Revision) -> Self {
        self.with(|client| client.revision(revision))
    }

    /// Whatever else a client can be told: what answers forms, which roots there are.
    ///
    /// ```
    /// use mcp_runtime::mcp::Answer;
    ///
    /// let client = mcp_runtime::testing::client()
    ///     .with(|client| client.on_form(|form, _| async move { Answer::Accept(form.defaults()) }));
    /// # drop(client);
    /// ```
    pub fn with(self, tell: impl FnOnce(Connecting) -> Connecting) -> Self {
        Self { connecting: tell(self.connecting), ..self }
    }
}

impl IntoFuture for Testing {
    type Output = Client;
    type IntoFuture = Pin<Box<dyn Future<Output = Client> + Send>>;

    /// # Panics
    /// Something is wrong with what is registered.
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Self { connecting, place, is_of_all } = self;
            match connecting.await {
                Ok(client) => Client(client),
                Err(error) if is_of_all => panic!(
                    "{error}\n(states, limits and all else that a server is told: `client_of(mcp_runtime::server().state(…))`)\n  \
                     at {place}"
                ),
                Err(error) => panic!("{error}\n  at {place}"),
            }
        })
    }
}

/// A client of a test: what it calls has to be answered. It also does all that [`client::Client`] does.
#[derive(Clone, Debug)]
pub struct Client(client::Client);

impl Deref for Client {
    type Target = client::Client;

    fn deref(&self) -> &client::Client {
        &self.0
    }
}

impl Client {
    /// Calls a tool. Awaited, it panics where that is refused by an error of the protocol.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: impl Serialize) -> Asking<CallToolResult, Called> {
        let calling = self.0.call_tool(tool, arguments);
        Asking::new(&self.0, calling, format!("`{tool}`"), |of, revision, result| match result {
            Ok(result) => Ok(Called::new(of, revision, result)),
            Err(error) => Err(format!("the call of {of}: {error}")),
        })
    }

    /// Calls a tool that is refused by an error of the protocol, and gives that. Awaited, it panics where it is not.
    #[track_caller]
    pub fn refused(&self, tool: &str, arguments: impl Serialize) -> Asking<CallToolResult, Error> {
        let calling = self.0.call_tool(tool, arguments);
        Asking::new(&self.0, calling, format!("`{tool}`"), |of, revision, result| match result {
            Ok(result) => {
                let text = Called::new(String::new(), revision, result).text();
                Err(format!("the call of {of} was to be refused, and shows\n{text:?}"))
            }
            Err(error) => Ok(error),
        })
    }

    /// Reads a resource. Awaited, it panics where that is refused.
    #[track_caller]
    pub fn read(&self, uri: &str) -> Asking<ReadResourceResult, Read> {
        let calling = self.0.read_resource(uri);
        Asking::new(&self.0, calling, format!("`{uri}`"), |of, revision, result| match result {
            Ok(result) => Ok(Read::new(of, revision, result)),
            Err(error) => Err(format!("reading {of}: {error}")),
        })
    }

    /// Gets a prompt. Awaited, it panics where that is refused.
    #[track_caller]
    pub fn get(&self, prompt: &str, arguments: impl Serialize) -> Asking<GetPromptResult, Got> {
        let calling = self.0.prompt(prompt, arguments);
        Asking::new(&self.0, calling, format!("the prompt `{prompt}`"), |of, revision, result| match result {
            Ok(result) => Ok(Got::new(of, revision, result)),
            Err(error) => Err(format!("{of}: {error}")),
        })
    }
}
