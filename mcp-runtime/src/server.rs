//! The builder: what a server is told before it starts.

mod options;

use std::any::TypeId;
use std::io::{Read, Write};
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::options::{BoxError, Making};
pub(crate) use self::options::{Options, Put, StateSource, Versions};
use crate::boot;
use crate::call::{Context, States};
use crate::engine::{Engine, Instructions};
use crate::handler::{IntoMethodResult, Shared};
use crate::middleware::Middleware;
use crate::protocol::{Cache, CacheScope, Era, Implementation};
use crate::registry::{GivenState, Handle, Problem, Tool, method, method_call};
use crate::schema::lenient::Reading;
use crate::transport::stdio;
use crate::{Error, Result};

/// A server on its way: everything annotated is in it already.
///
/// Made by [`serve()`](crate::serve()), which is a whole program, or by [`server()`], which is part of one. Every
/// option is a chained call; nothing needs to be said.
#[must_use = "a server does nothing until it is awaited, or turned into a router"]
pub struct Server<M = Library> {
    pub(crate) options: Options,
    pub(crate) mode: M,
}

/// A server that is part of a program of your own: it reads no command line and no environment.
#[derive(Debug)]
pub struct Library;

/// A server that is part of a program of your own.
///
/// ```no_run
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let router = axum::Router::new()
///     .route("/health", axum::routing::get(|| async { "ok" }))
///     .merge(mcp_runtime::server().into_router()?);
/// # let _: axum::Router = router;
/// # Ok(())
/// # }
/// ```
pub fn server() -> Server<Library> {
    Server { options: Options::default(), mode: Library }
}

impl<M> Server<M> {
    /// Who the server is. By default the package that registered something; of several, the one named like the
    /// executable.
    pub fn server_info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.options.info = Some(Implementation::new(name, version));
        self
    }

    /// Who the server is, with a title, a description, a web page or icons.
    pub fn implementation(mut self, info: Implementation) -> Self {
        self.options.info = Some(info);
        self
    }

    /// How to use the server, for the model.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        let text = Some(text.into());
        self.options.instructions = Instructions { handshake: text.clone(), modern: text };
        self
    }

    /// How to use the server, for the model of a client of that era.
    pub fn instructions_for(mut self, era: Era, text: impl Into<String>) -> Self {
        match era {
            Era::Handshake => self.options.instructions.handshake = Some(text.into()),
            Era::Modern => self.options.instructions.modern = Some(text.into()),
        }
        self
    }

    /// Serves only what is in one of these groups: `#[mcp::tool(group = "admin")]`.
    pub fn groups<I>(mut self, groups: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.selection.groups = Some(groups.into_iter().map(Into::into).collect());
        self
    }

    /// Serves only what these crates register.
    pub fn crates<I>(mut self, crates: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.selection.crates = Some(crates.into_iter().map(Into::into).collect());
        self
    }

    /// Starts although nothing is registered.
    pub fn allow_empty(mut self) -> Self {
        self.options.allow_empty = true;
        self
    }

    /// Ignores arguments that a tool does not declare, for hosts that add some of their own; they are refused
    /// otherwise. `#[mcp::tool(open)]` does it for one tool.
    pub fn open_arguments(mut self) -> Self {
        self.options.open_arguments = true;
        self
    }

    /// Takes text for what is none where it holds exactly the declared type, for hosts that send arguments so: `"42"`
    /// for an integer, `"true"` for a boolean, `"{\"a\": 1}"` for an object. What is declared as text stays text; by
    /// default a text is refused wherever another type is declared.
    pub fn lenient_arguments(mut self) -> Self {
        self.options.lenient_arguments = Reading::Lenient;
        self
    }

    /// Serves the modern era only: an `initialize` is refused with the revisions that are served.
    pub fn modern_only(mut self) -> Self {
        self.options.handshake = Versions::None;
        self
    }

    /// Serves the handshake era only.
    pub fn without_modern_era(mut self) -> Self {
        self.options.modern = Versions::None;
        self
    }

    /// Serves only these revisions of the modern era.
    pub fn modern_versions<I>(mut self, versions: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.modern = Versions::Only(versions.into_iter().map(Into::into).collect());
        self
    }

    /// Serves only these revisions of the handshake era.
    pub fn handshake_versions<I>(mut self, versions: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.handshake = Versions::Only(versions.into_iter().map(Into::into).collect());
        self
    }

    /// Answers `server/discover` in place of the default. What the handler leaves out of what every modern result
    /// carries is added.
    pub fn discover<F, Fut, R>(mut self, handler: F) -> Self
    where
        F: Fn(Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoMethodResult,
    {
        self.options.discover = Some(method_call(move |_: Value, context| handler(context)));
        self
    }

    /// How long, and for whom, lists and resources may be cached; not at all by default.
    pub fn cache(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.options.cache = Cache { ttl_ms: u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX), scope };
        self
    }

    /// The longest message in bytes, over HTTP and by lines; 4 MiB by default.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.options.max_body = bytes.min(u32::MAX as usize);
        self
    }

    /// Gives lists in pages of so many entries, at least one; by default each list is one page. The cursors are sealed
    /// by the [`state_keys`](Self::state_keys): processes that serve together need the same.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.options.page_size = Some(entries.max(1));
        self
    }

    /// What calls that ask modern clients are continued with: between its rounds a call travels with its client,
    /// sealed by the first of these keys, and any of them opens it. Give all processes that serve together the same;
    /// to change keys, put the new one first and leave the old one for as long as calls may take.
    ///
    /// A key is 32 bytes in base64, as `openssl rand -base64 32` prints, or in hexadecimal. [`serve()`](crate::serve()) also reads
    /// `MCP_STATE_KEYS`, separated by commas. Without keys each process has one of its own, and no other can go on with
    /// its calls.
    pub fn state_keys<I>(mut self, keys: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.state_keys = keys.into_iter().map(Into::into).collect();
        self
    }

    /// How long a client of either era has to answer what a call asks; 15 minutes by default.
    pub fn state_ttl(mut self, time: Duration) -> Self {
        self.options.state_ttl = time;
        self
    }

    /// How long a handler may run; for ever by default.
    pub fn handler_timeout(mut self, time: Duration) -> Self {
        self.options.limits.handler_timeout = Some(time);
        self
    }

    /// How many calls may be in flight at once; 4096 by default. Those beyond are refused.
    pub fn max_in_flight(mut self, calls: usize) -> Self {
        self.options.limits.max_in_flight = calls;
        self
    }

    /// How many clients may listen to changes at once; 1024 by default. Those beyond are refused.
    pub fn max_subscriptions(mut self, clients: usize) -> Self {
        self.options.max_subscriptions = clients;
        self
    }

    /// How long a client listens over HTTP before the server ends its subscription, and the client begins a new one; for
    /// as long as it likes by default. Over stdio it has no effect.
    pub fn subscription_lifetime(mut self, time: Duration) -> Self {
        self.options.subscription_lifetime = Some(time);
        self
    }

    /// How many requests of one connection by lines run at once; 128 by default. With 1, each is answered before
    /// the next begins.
    pub fn stdio_concurrency(mut self, requests: usize) -> Self {
        self.options.stdio_concurrency = requests.max(1);
        self
    }

    /// How long calls in flight may go on once the server is told to stop; 5 seconds by default.
    pub fn shutdown_grace(mut self, time: Duration) -> Self {
        self.options.grace = time;
        self
    }

    /// Stops the server when the token is cancelled.
    pub fn stop_on(mut self, token: CancellationToken) -> Self {
        self.options.stop = token;
        self
    }

    /// Registers a tool that is made at run time.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.options.tools.push(tool);
        self
    }

    /// Registers a method of your own, as `#[mcp::method]` does; the handler gets `params` without `_meta`.
    pub fn method<F, Fut, R>(mut self, name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Value, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoMethodResult,
    {
        self.options.methods.push(method(name.into(), handler));
        self
    }

    /// Stands around everything that comes: requests, notifications, and the answers to what handlers ask. The first one
    /// is the outermost. See the [guide](crate::guide::middleware).
    pub fn receive_middleware(mut self, middleware: impl Middleware) -> Self {
        self.options.receive.push(middleware);
        self.options.amend = Some(Engine::amended);
        self
    }

    /// Stands around everything that leaves: answers, notifications, and what handlers ask. The first one is the
    /// outermost. See the [guide](crate::guide::middleware).
    pub fn send_middleware(mut self, middleware: impl Middleware) -> Self {
        self.options.send.push(middleware);
        self.options.amend = Some(Engine::amended);
        self
    }

    /// Changes what the server offers while it runs.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.options.live))
    }

    /// Gives handlers a value: they take it as `State<T>`.
    #[track_caller]
    pub fn state<T: Shared>(mut self, value: T) -> Self {
        self.promise::<T>();
        self.options.states.push(StateSource::Given(Box::new(move |states| states.insert(value))));
        self
    }

    /// Gives handlers a value that is made before the server starts, after the command line is read. Where that
    /// fails, the server does not start.
    ///
    /// ```
    /// # #[derive(Clone)]
    /// # struct Library;
    /// # impl Library {
    /// #     async fn open(path: &str) -> std::io::Result<Self> { Ok(Library) }
    /// # }
    /// let server = mcp_runtime::server().state_with(|| Library::open("books.db"));
    /// # let _ = server;
    /// ```
    #[track_caller]
    pub fn state_with<T, E, F, Fut>(mut self, make: F) -> Self
    where
        T: Shared,
        E: Into<BoxError>,
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.promise::<T>();
        let made = move || -> Making {
            let making = make();
            Box::pin(async move {
                match making.await {
                    Ok(value) => Ok(Box::new(move |states: &mut States| states.insert(value)) as Put),
                    Err(error) => Err(error.into()),
                }
            })
        };
        self.options.states.push(StateSource::Made(std::any::type_name::<T>(), Box::new(made)));
        self
    }

    #[track_caller]
    fn promise<T: 'static>(&mut self) {
        let (name, at) = (std::any::type_name::<T>(), Location::caller());
        if let Some(first) = self.options.state_types.insert(TypeId::of::<T>(), GivenState { name, at }) {
            let text = format!(
                "a state of type `{name}` is given twice, first at {}: wrap one of them in a type of its own",
                first.at
            );
            self.options.problems.push(Problem::by(at, text));
        }
    }
}

impl Server<Library> {
    /// Serves standard input and output until the input ends.
    ///
    /// Takes descriptors 0 and 1 for the protocol, once per process: what the program prints goes to stderr from
    /// here on.
    ///
    /// # Errors
    /// Something is wrong with what is registered, or standard input and output cannot be had.
    pub async fn stdio(self) -> Result {
        let booted = boot::boot(self.options).await?;
        booted.report("stdio");
        booted.claimed_stdio().await.map(drop)
    }

    /// Serves any pair of a reader and a writer by lines, until the reader ends.
    ///
    /// # Errors
    /// Something is wrong with what is registered, or no thread can be started.
    pub async fn lines(
        self,
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Result {
        let _flushed = crate::log::Flushed;
        let booted = boot::boot(self.options).await?;
        let (settings, stop) = (booted.stdio_settings(), booted.stop.clone());
        stdio::serve(booted.dispatcher, input, output, settings, stop)
            .await
            .map(drop)
            .map_err(|error| Error::io("the connection cannot be served", error))
    }
}
