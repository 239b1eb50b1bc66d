//! Streamable HTTP: a POST for each message, and in the handshake era sessions, streams that are taken up again, and a
//! GET stream for what belongs to no request.

mod events;
mod streams;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Response, StatusCode, Url};
use tokio::time::timeout;

use self::events::Events;
use crate::client::core::{Connection, Core, lock};
use crate::client::error::Error;
use crate::client::message::{Incoming, Outgoing, Unreadable};
use crate::client::options::Options;
use crate::protocol::method::{Method as Known, NamedBy};
use crate::protocol::{Era, Revision, mirrored};

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// How long the rest of an answer is read, so that its connection can be used again.
const REST: Duration = Duration::from_secs(1);

/// How much of a body that is no answer is shown.
const SHOWN: usize = 300;

/// The endpoint of a server.
pub(crate) struct Http {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
    longest: usize,
    revision: Mutex<Revision>,
    session: Mutex<Option<HeaderValue>>,
    /// The headers that middleware gave last, such as who calls: requests that carry no message have the same.
    added: Mutex<HeaderMap>,
}

impl Http {
    pub(super) fn new(url: Url, options: &Options) -> Result<Self, Error> {
        let client = match &options.http {
            Some(client) => client.clone(),
            None => reqwest::Client::builder()
                .connect_timeout(Duration::from_secs(10))
                // A POST that is sent elsewhere takes its credentials along.
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .map_err(|error| unreachable(&url, error))?,
        };
        Ok(Self {
            client,
            url,
            headers: options.headers.clone(),
            longest: options.max_message,
            revision: Mutex::new(Revision::V2026_07_28),
            session: Mutex::new(None),
            added: Mutex::default(),
        })
    }

    /// What is spoken from now on.
    pub(super) fn speaks(&self, revision: Revision) {
        *lock(&self.revision) = revision;
    }

    /// The headers of a message that is posted.
    fn post_headers(&self, message: &Outgoing) -> Result<HeaderMap, Error> {
        let mut headers = self.base_headers();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let revision = *lock(&self.revision);
        if message.method == "initialize" {
            // It is what both agree on, and nothing is agreed on yet.
            headers.remove(VERSION);
            headers.remove(SESSION);
        }
        if revision.era() == Era::Modern {
            headers.insert(METHOD, mirror(&message.method)?);
            let named = match Known::parse(&message.method).and_then(Known::named_by) {
                Some(NamedBy::Name) => Some("name"),
                Some(NamedBy::Uri) => Some("uri"),
                Some(NamedBy::TaskId) => Some("taskId"),
                None => None,
            };
            if let Some(name) = named.and_then(|member| message.params.get(member)?.as_str()) {
                headers.insert(NAME, mirror(name)?);
            }
        }
        headers.extend(message.added.clone());
        headers.extend(message.headers.clone());
        lock(&self.added).clone_from(&message.added);
        Ok(headers)
    }

    /// The headers of what carries no message, and belongs to no call.
    fn session_headers(&self) -> HeaderMap {
        let mut headers = self.base_headers();
        headers.extend(lock(&self.added).clone());
        headers
    }

    /// The headers of every request.
    fn base_headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(VERSION, HeaderValue::from_static(lock(&self.revision).as_str()));
        if let Some(session) = &*lock(&self.session) {
            headers.insert(SESSION, session.clone());
        }
        headers
    }

    async fn send(&self, message: &Outgoing) -> Result<Response, Error> {
        let headers = self.post_headers(message)?;
        let request = self.client.post(self.url.clone()).headers(headers).body(message.bytes());
        request.send().await.map_err(|error| self.broken(&message.method, error))
    }

    /// A request that got no answer: whether it may have run shows in how far it came.
    fn broken(&self, method: &str, error: reqwest::Error) -> Error {
        if error.is_connect() || error.is_builder() {
            return unreachable(&self.url, error);
        }
        Error::Disconnected { method: method.to_owned(), why: chain(&error.without_url()) }
    }

    /// Posts what has no answer.
    pub(super) async fn post(&self, message: &Outgoing) -> Result<(), Error> {
        let response = self.send(message).await?;
        if response.status().is_success() {
            return Ok(());
        }
        Err(refused(&message.method, response).await)
    }

    /// Posts a request, and takes everything that comes back up to its answer.
    pub(super) async fn exchange(
        &self,
        core: &Arc<Core>,
        connection: &Arc<Connection>,
        message: &Outgoing,
        id: u64,
    ) -> Result<(), Error> {
        let method = &message.method;
        let response = self.send(message).await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && lock(&self.session).is_some() && method != "initialize" {
            // The server has forgotten the session: whoever calls begins a new one.
            core.gives_up(connection);
            return Err(Error::Unreachable { what: SESSION_ENDED.to_owned(), source: None });
        }
        if method == "initialize" && status.is_success() {
            *lock(&self.session) = response.headers().get(SESSION).cloned();
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "text/event-stream" if status.is_success() => {
                self.follow(core, connection, message, id, Events::of(response, self.longest)).await
            }
            "application/json" => {
                let challenge = challenge(&response);
                let body = self.body(method, response).await?;
                let read = answer_of(core, connection, id, &body).await;
                let answer = match read {
                    // An error that names no request is of the one that was posted.
                    Ok(Incoming::Answer { id: None, outcome }) => Incoming::Answer { id: Some(id), outcome },
                    Ok(answer @ Incoming::Answer { id: Some(own), .. }) if own == id => answer,
                    _ if !status.is_success() => {
                        let (method, body) = (method.clone(), shown(&body));
                        return Err(Error::Http { method, status: status.as_u16(), challenge, body });
                    }
                    Ok(_) => return Err(Error::malformed(method, "what came back is not its answer")),
                    Err(why) => return Err(Error::malformed(method, why)),
                };
                // Who is not let in has another problem than its message.
                if matches!(status.as_u16(), 401 | 403) {
                    let (method, body) = (method.clone(), shown(&body));
                    return Err(Error::Http { method, status: status.as_u16(), challenge, body });
                }
                core.enter(connection, answer).await;
                Ok(())
            }
            _ if !status.is_success() => Err(refused(method, response).await),
            _ if status == StatusCode::ACCEPTED => {
                Err(Error::malformed(method, "a request was accepted as if it were a notification (202)"))
            }
            other => Err(Error::malformed(
                method,
                format!("its answer is `{other}`, neither `application/json` nor `text/event-stream`"),
            )),
        }
    }

    /// Ends the session, where there is one.
    pub(crate) async fn end_session(&self) {
        if lock(&self.session).is_none() {
            return;
        }
        let request = self.client.delete(self.url.clone()).headers(self.session_headers());
        // A server that keeps its sessions, or is gone, is none the worse for it.
        let _ = timeout(REST, request.send()).await;
    }

    async fn body(&self, method: &str, mut response: Response) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.broken(method, error))? {
            body.extend_from_slice(&chunk);
            if body.len() > self.longest {
                return Err(Error::malformed(
                    method,
                    format!(
                        "its answer is longer than {} bytes; `.max_message_bytes(…)` allows more",
                        self.longest
                    ),
                ));
            }
        }
        Ok(body)
    }
}

/// The answer in a body that may hold other messages beside it, which enter.
async fn answer_of(
    core: &Arc<Core>,
    connection: &Arc<Connection>,
    id: u64,
    body: &[u8],
) -> Result<Incoming, Unreadable> {
    let mut messages = Incoming::each(body, connection.revision());
    let is_own =
        |one: &Result<Incoming, _>| matches!(one, Ok(Incoming::Answer { id: Some(own), .. }) if *own == id);
    let own = messages.iter().position(is_own).unwrap_or_default();
    if messages.is_empty() {
        return Incoming::read(body);
    }
    let answer = messages.swap_remove(own);
    for message in messages.into_iter().flatten() {
        core.enter(connection, message).await;
    }
    answer
}

/// Why a connection was given up whose session had ended.
pub(crate) const SESSION_ENDED: &str = "the server has ended the session";

/// A text as a header value that mirrors it.
pub(crate) fn mirror(text: &str) -> Result<HeaderValue, Error> {
    HeaderValue::from_str(&mirrored::encode(text))
        .map_err(|_| Error::Unsupported(format!("{text:?} cannot be mirrored into a header")))
}

fn challenge(response: &Response) -> Option<String> {
    let value = response.headers().get(WWW_AUTHENTICATE)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// What an answer says that is none of the protocol's.
pub(super) async fn refused(method: &str, mut response: Response) -> Error {
    let (status, challenge) = (response.status().as_u16(), challenge(&response));
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > SHOWN {
            break;
        }
    }
    Error::Http { method: method.to_owned(), status, challenge, body: shown(&body) }
}

fn shown(body: &[u8]) -> String {
    String::from_utf8_lossy(body).trim().chars().take(SHOWN).collect()
}

fn unreachable(url: &Url, error: reqwest::Error) -> Error {
    let mut what = format!("`{}` cannot be reached", shown_url(url));
    if url.scheme() == "https" && cfg!(not(feature = "client-tls")) {
        what.push_str(" (`https` needs the feature `client-tls` of mcp-runtime)");
    }
    Error::Unreachable { what, source: Some(Arc::new(error.without_url())) }
}

/// A URL without what may be secret in it.
pub(super) fn shown_url(url: &Url) -> Url {
    let mut shown = url.clone();
    // A URL that cannot have them has none.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown.set_query(None);
    shown.set_fragment(None);
    shown
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    text
}
