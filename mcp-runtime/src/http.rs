//! The builder's calls for HTTP, and the endpoint they make.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use axum::routing::any_service;
use http::request::Parts;
use http::{Request, Response};
use hyper::body::Incoming;
use tokio::net::TcpListener;
use tower_layer::Layer;
use tower_service::Service;

use crate::auth::{Hook, Principal, Refusal, hook};
use crate::boot::{self, Booted};
use crate::contain::contained_future;
use crate::registry::Problems;
use crate::server::{Library, Server};
use crate::session::{Common, Sessions, Table};
use crate::transport::http::{self as transport, Endpoint, Guard, Guards, Limits, Reply, Settings, Times};
use crate::{Error, Result};

/// What a server is told about HTTP.
pub(crate) struct Options {
    path: String,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    guards: Guards,
    authenticate: Option<Hook>,
    layers: Vec<Box<dyn FnOnce(Router) -> Router + Send>>,
    times: Times,
    body_timeout: Duration,
    max_connections: usize,
    pub(crate) sessions: Option<Sessions>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            hosts: Vec::new(),
            origins: Vec::new(),
            guards: Guards::on(),
            authenticate: None,
            layers: Vec::new(),
            times: Times {
                header: Duration::from_secs(10),
                idle: Duration::from_secs(60),
                write: Duration::from_secs(30),
            },
            body_timeout: Duration::from_secs(30),
            max_connections: 4096,
            sessions: None,
        }
    }
}

impl Options {
    /// What is wrong with the hosts and origins that are allowed.
    pub(crate) fn problems(&self) -> Vec<String> {
        let hosts = self.hosts.iter().filter_map(|host| transport::host_problem(host));
        hosts.chain(self.origins.iter().filter_map(|origin| transport::origin_problem(origin))).collect()
    }
}

impl<M> Server<M> {
    /// Where the endpoint is; `/mcp` by default. It answers with and without a slash at the end.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        let path = path.into();
        let path = path.trim_matches('/');
        self.options.http.path = format!("/{path}");
        self
    }

    /// Answers requests for these hosts too: names as in the `Host` header, with or without a port. Local names are
    /// always answered.
    pub fn allow_hosts<I>(mut self, hosts: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.http.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Answers pages of these origins too, such as `https://app.example`. Pages of local origins are always answered.
    pub fn allow_origins<I>(mut self, origins: I) -> Self
    where
        I: IntoIterator<Item: Into<String>>,
    {
        self.options.http.origins.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Turns guards off, for servers behind something that takes care of them.
    pub fn http_guards(mut self, guards: Guards) -> Self {
        self.options.http.guards = guards;
        self
    }

    /// Keeps sessions for handshake clients over HTTP: they can listen on a `GET` stream, take up streams whose
    /// connection broke, and cancel calls. Without it each of their requests stands alone. Modern clients need none,
    /// and over stdio the connection is the session.
    pub fn sessions(mut self, sessions: Sessions) -> Self {
        self.options.http.sessions = Some(sessions);
        self
    }

    /// Decides who calls: before the body is read, for every request but preflight ones. Without it everyone is
    /// anonymous.
    ///
    /// ```
    /// use mcp_runtime::mcp::{Principal, Refusal};
    ///
    /// async fn by_token(parts: http::request::Parts) -> Result<Principal, Refusal> {
    ///     match parts.headers.get("authorization").map(|value| value.as_bytes()) {
    ///         Some(b"Bearer open sesame") => Ok(Principal::new("ali")),
    ///         _ => Err(Refusal::unauthorized("Bearer")),
    ///     }
    /// }
    /// # let _ = mcp_runtime::server().authenticate(by_token);
    /// ```
    pub fn authenticate<F, Fut>(mut self, decide: F) -> Self
    where
        F: Fn(Parts) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Principal, Refusal>> + Send + 'static,
    {
        self.options.http.authenticate = Some(hook(decide));
        self
    }

    /// Puts a tower layer around the endpoint; of several, the last is the outermost.
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<axum::routing::Route> + Clone + Send + Sync + 'static,
        L::Service: Service<axum::extract::Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<axum::extract::Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<axum::extract::Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<axum::extract::Request>>::Future: Send + 'static,
    {
        self.options.http.layers.push(Box::new(move |router| router.layer(layer)));
        self
    }

    /// How long the headers of a request may take to arrive; 10 seconds by default.
    pub fn header_timeout(mut self, time: Duration) -> Self {
        self.options.http.times.header = time;
        self
    }

    /// How long the body of a request may take to arrive; 30 seconds by default.
    pub fn body_timeout(mut self, time: Duration) -> Self {
        self.options.http.body_timeout = time;
        self
    }

    /// How long a connection may be idle between requests; 60 seconds by default.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.options.http.times.idle = time;
        self
    }

    /// How long a client may take to read what is written to it; 30 seconds by default.
    pub fn write_timeout(mut self, time: Duration) -> Self {
        self.options.http.times.write = time;
        self
    }

    /// How many connections are served at once; 4096 by default. More wait until one ends. At least one is served.
    pub fn max_connections(mut self, most: usize) -> Self {
        self.options.http.max_connections = most.max(1);
        self
    }
}

impl Server<Library> {
    /// Serves HTTP at that address, until the token of [`Server::stop_on`] is cancelled.
    ///
    /// # Errors
    /// Something is wrong with what is registered, or the address cannot be listened on.
    pub async fn http(self, address: impl tokio::net::ToSocketAddrs + std::fmt::Debug) -> Result {
        let failed = format!("{address:?} cannot be listened on");
        let listener = transport::bind(address).await.map_err(|error| Error::io(failed, error))?;
        self.http_on(listener).await
    }

    /// The same on a listener that is bound already.
    ///
    /// # Errors
    /// Something is wrong with what is registered.
    pub async fn http_on(self, listener: TcpListener) -> Result {
        boot::boot(self.options).await?.http(listener).await
    }

    /// The endpoint as a router, to be merged into one of yours. Timeouts are then those of whatever serves it.
    ///
    /// # Errors
    /// Something is wrong with what is registered.
    pub fn into_router(self) -> Result<Router, Problems> {
        let mut checked = boot::check(self.options)?;
        let states = checked.given_states()?;
        let booted = checked.start(states);
        booted.report("as a router");
        Ok(booted.router(None))
    }
}

impl Booted {
    /// Serves HTTP until the server is told to stop.
    pub(crate) async fn http(mut self, listener: TcpListener) -> Result {
        let _flushed = crate::log::Flushed;
        let failed = |error| Error::io("HTTP cannot be served", error);
        let address = listener.local_addr().map_err(failed)?;
        self.report(&format!("http://{address}{}", self.http.path));
        let limits =
            Limits { times: self.http.times, connections: self.http.max_connections, grace: self.grace };
        let (calls, stop) = (self.dispatcher.detached.clone(), self.stop.clone());
        if self.http.layers.is_empty() {
            let path = Some(self.http.path.clone());
            let endpoint = self.endpoint(Some(address), path);
            transport::listen(listener, endpoint, limits, calls, stop).await.map_err(failed)
        } else {
            let router = self.router(Some(address));
            transport::listen(listener, Routed(router), limits, calls, stop).await.map_err(failed)
        }
    }

    fn endpoint(&mut self, address: Option<SocketAddr>, path: Option<String>) -> Arc<Endpoint> {
        let http = &mut self.http;
        let mut guard = Guard::new(http.guards, &http.hosts, &http.origins);
        if let Some(address) = address {
            guard.allow_address(address.ip());
        }
        let sessions = http.sessions.map(|sessions| {
            let engine = &self.dispatcher.engine;
            let sessions = Sessions { patience: engine.settings.sealing.ttl, ..sessions };
            let (hub, exit) = (Arc::clone(engine.live.hub()), self.dispatcher.exit.clone());
            Table::new(Common { settings: sessions, hub, exit }, self.stop.clone())
        });
        let settings = Settings {
            path,
            guard,
            sessions,
            authenticate: http.authenticate.take(),
            max_body: self.max_body(),
            body_timeout: self.http.body_timeout,
        };
        Arc::new(Endpoint::new(Arc::clone(&self.dispatcher), settings))
    }

    fn router(mut self, address: Option<SocketAddr>) -> Router {
        let endpoint = self.endpoint(address, None);
        let answer = move |request| Endpoint::handle(Arc::clone(&endpoint), request);
        // A service that is routed by itself is wrapped once more by each router that it is merged into.
        let service = any_service(Mounted(answer));
        let path = &self.http.path;
        let mut router = Router::new().route(path, service.clone());
        if path != "/" {
            router = router.route(&format!("{path}/"), service);
        }
        self.http.layers.into_iter().fold(router, |router, layer| layer(router))
    }
}

/// The endpoint alone, as the accept loop calls it.
impl transport::Service for Arc<Endpoint> {
    type Body = Reply;

    fn call(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = std::result::Result<Response<Reply>, Infallible>> + Send {
        Endpoint::handle(&**self, request)
    }
}

/// The endpoint behind layers, as the accept loop calls it.
#[derive(Clone)]
struct Routed(Router);

impl transport::Service for Routed {
    type Body = axum::body::Body;

    async fn call(
        &self,
        request: Request<Incoming>,
    ) -> std::result::Result<Response<axum::body::Body>, Infallible> {
        let mut router = self.0.clone();
        contained_future(|| Box::pin(router.call(request.map(axum::body::Body::new)))).await.unwrap_or_else(
            |panic| {
                let text = format!("a layer panicked: {panic}");
                Ok(transport::failed(&text).map(axum::body::Body::new))
            },
        )
    }
}

/// The endpoint as a router calls it: a function, so that its future needs no box of its own.
#[derive(Clone)]
struct Mounted<F>(F);

impl<F, Fut> Service<axum::extract::Request> for Mounted<F>
where
    F: Fn(axum::extract::Request) -> Fut,
    Fut: Future<Output = std::result::Result<Response<Reply>, Infallible>>,
{
    type Response = Response<Reply>;
    type Error = Infallible;
    type Future = Fut;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::result::Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: axum::extract::Request) -> Fut {
        (self.0)(request)
    }
}
