#![doc = include_str!("../docs/testing.md")]

mod called;
mod compare;
mod surface;

use std::ops::Deref;
use std::pin::Pin;

use serde::Serialize;

pub use self::called::{Called, Got, Read};
pub use self::surface::{surface, surface_of};
use crate::client::{self, Connecting, Error};
use crate::protocol::{Era, Implementation, Revision};
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
pub fn client() -> Testing {
    client_of(server())
}

/// A client of a server of your own: with states, limits, or tools made at run time.
pub fn client_of<M>(server: Server<M>) -> Testing {
    Testing(client::connect(named(server)))
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
pub struct Testing(Connecting);

impl Testing {
    /// Speaks this era; without it, the newest that the server does.
    pub fn era(self, era: Era) -> Self {
        Self(self.0.era(era))
    }

    /// Speaks this revision.
    pub fn revision(self, revision: Revision) -> Self {
        Self(self.0.revision(revision))
    }

    /// Whatever else a client can be told: what answers forms, which roots there are.
    pub fn with(self, tell: impl FnOnce(Connecting) -> Connecting) -> Self {
        Self(tell(self.0))
    }
}

impl IntoFuture for Testing {
    type Output = Client;
    type IntoFuture = Pin<Box<dyn Future<Output = Client> + Send>>;

    /// # Panics
    /// Something is wrong with what is registered.
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            match self.0.await {
                Ok(client) => Client(client),
                Err(error) => panic!("{error}"),
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
    fn speaks(&self) -> Revision {
        // It was connected, and the server is a part of this program.
        self.0.revision().unwrap_or(Revision::V2026_07_28)
    }

    /// Calls a tool.
    ///
    /// # Panics
    /// It is refused by an error of the protocol.
    pub async fn call(&self, tool: &str, arguments: impl Serialize) -> Called {
        match self.0.call_tool(tool, arguments).await {
            Ok(result) => Called { name: tool.to_owned(), revision: self.speaks(), result },
            Err(error) => panic!("the call of `{tool}`: {error}"),
        }
    }

    /// Calls a tool that is refused by an error of the protocol, and gives that.
    ///
    /// # Panics
    /// It is not.
    pub async fn refused(&self, tool: &str, arguments: impl Serialize) -> Error {
        match self.0.call_tool(tool, arguments).await {
            Ok(result) => panic!("the call of `{tool}` was to be refused, and gave {result:?}"),
            Err(error) => error,
        }
    }

    /// Reads a resource.
    ///
    /// # Panics
    /// It is refused.
    pub async fn read(&self, uri: &str) -> Read {
        match self.0.read_resource(uri).await {
            Ok(result) => Read { uri: uri.to_owned(), result },
            Err(error) => panic!("reading `{uri}`: {error}"),
        }
    }

    /// Gets a prompt.
    ///
    /// # Panics
    /// It is refused.
    pub async fn get(&self, prompt: &str, arguments: impl Serialize) -> Got {
        match self.0.prompt(prompt, arguments).await {
            Ok(result) => Got { name: prompt.to_owned(), result },
            Err(error) => panic!("the prompt `{prompt}`: {error}"),
        }
    }
}
