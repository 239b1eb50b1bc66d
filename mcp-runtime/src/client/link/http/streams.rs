//! Streams of events: those that answer a request, taken up again where they break, and the one of a session on which
//! comes what belongs to no request.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use tokio::time::{sleep, timeout};

use super::events::Events;
use super::{Http, REST, refused};
use crate::client::core::{Connection, Core, lock};
use crate::client::error::Error;
use crate::client::link::Link;
use crate::client::message::{Asked, Incoming, Outgoing};
use crate::protocol::Era;

const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// How long to wait before a stream is taken up again, unless the server says; and the least that it can say.
const PAUSE: Duration = Duration::from_secs(1);
const SHORTEST: Duration = Duration::from_millis(100);

/// How often in a row a stream is taken up again without anything new on it.
const MOST_RETURNS: u32 = 5;

/// How far a stream was read.
#[derive(Default)]
struct Place {
    last: Option<String>,
    retry: Option<Duration>,
    /// How often it was taken up again without anything new.
    returns: u32,
}

impl Place {
    /// Notes where an event stands; its data, where it is a message.
    fn note(&mut self, event: sse_stream::Sse) -> Option<String> {
        if let Some(id) = event.id {
            self.returns = 0;
            self.last = Some(id).filter(|id| !id.is_empty());
        }
        if let Some(retry) = event.retry {
            self.retry = Some(Duration::from_millis(retry));
        }
        let is_message = event.event.is_none_or(|kind| kind.is_empty() || kind == "message");
        event.data.filter(|data| is_message && !data.is_empty())
    }

    fn pause(&self) -> Duration {
        self.retry.unwrap_or(PAUSE).max(SHORTEST)
    }
}

impl Http {
    /// Takes what comes on a stream up to the answer. One that breaks before is taken up again where it can be.
    pub(super) async fn follow(
        &self,
        core: &Arc<Core>,
        connection: &Arc<Connection>,
        of: &Outgoing,
        id: u64,
        events: Events,
    ) -> Result<(), Error> {
        let method = &of.method;
        let mut place = Place::default();
        let mut reading = Some(events);
        loop {
            let why = loop {
                // A server that was away for a moment may be back at the next time.
                let Some(mut events) = reading.take() else {
                    break "the server cannot be reached".to_owned();
                };
                let event = match events.next().await {
                    None => break "its stream ended without it".to_owned(),
                    Some(Err(why)) => break why,
                    Some(Ok(event)) => event,
                };
                let Some(data) = place.note(event) else {
                    reading = Some(events);
                    continue;
                };
                let mut is_answered = false;
                for message in Incoming::each(data.as_bytes(), connection.revision()) {
                    let message = match message {
                        Ok(Incoming::Answer { id: None, outcome: outcome @ Err(_) }) => {
                            Incoming::Answer { id: Some(id), outcome }
                        }
                        // What is asked on the stream of a call is answered by whoever has made it.
                        Ok(Incoming::Request(asked)) => {
                            Incoming::Request(Asked { headers: of.headers.clone(), ..asked })
                        }
                        Ok(message) => message,
                        Err(why) => return Err(Error::malformed(method, why)),
                    };
                    is_answered |= matches!(message, Incoming::Answer { id: Some(own), .. } if own == id);
                    core.enter(connection, message).await;
                }
                if is_answered {
                    // The end of the answer is the end of the stream, and then its connection serves again.
                    core.spawn(async move {
                        let rest = async { while let Some(Ok(_)) = events.next().await {} };
                        // What does not end by then is dropped.
                        let _ = timeout(REST, rest).await;
                    });
                    return Ok(());
                }
                reading = Some(events);
            };
            let resumes = lock(&self.revision).era() == Era::Handshake;
            let Some(last) = place.last.clone().filter(|_| resumes && place.returns < MOST_RETURNS) else {
                return Err(Error::Disconnected { method: method.to_owned(), why });
            };
            sleep(place.pause()).await;
            place.returns += 1;
            // It is the stream of whoever called.
            let mut headers = self.base_headers();
            headers.extend(of.added.clone());
            headers.extend(of.headers.clone());
            match self.listening(headers, Some(&last)).await {
                Ok(Some(again)) => reading = Some(again),
                Ok(None) => return Err(Error::Disconnected { method: method.to_owned(), why }),
                Err(_) => {}
            }
        }
    }

    /// A GET stream; none where the server has no such thing. What may be otherwise the next time is an error.
    async fn listening(&self, mut headers: HeaderMap, last: Option<&str>) -> Result<Option<Events>, Error> {
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(last) = last.and_then(|last| HeaderValue::from_str(last).ok()) {
            headers.insert(LAST_EVENT, last);
        }
        let request = self.client.request(Method::GET, self.url.clone()).headers(headers);
        let response = request.send().await.map_err(|error| self.broken("GET", error))?;
        let status = response.status();
        if status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED
            || matches!(status.as_u16(), 401 | 403 | 408 | 429)
        {
            return Err(refused("GET", response).await);
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        Ok((status.is_success() && is_stream).then(|| Events::of(response, self.longest)))
    }

    /// Takes what belongs to no request, for as long as the connection lasts, where the server has a stream for it.
    pub(crate) fn listen(&self, core: &Arc<Core>, connection: &Arc<Connection>) {
        let (core, connection) = (Arc::clone(core), Arc::clone(connection));
        Arc::clone(&core).spawn(async move {
            let Link::Http(http) = &connection.link else { return };
            tokio::select! {
                () = connection.closing.cancelled() => {}
                () = http.listen_on(&core, &connection) => {}
            }
        });
    }

    async fn listen_on(&self, core: &Arc<Core>, connection: &Arc<Connection>) {
        let mut place = Place::default();
        let mut failed = 0;
        loop {
            let listening = self.listening(self.session_headers(), place.last.as_deref()).await;
            connection.listens.cancel();
            match listening {
                Ok(Some(mut events)) => {
                    failed = 0;
                    while let Some(Ok(event)) = events.next().await {
                        let Some(data) = place.note(event) else { continue };
                        for message in Incoming::each(data.as_bytes(), connection.revision()) {
                            match message {
                                Ok(message) => core.enter(connection, message).await,
                                Err(why) => {
                                    crate::log::warn(&format!("the server sent what is no message: {why}"));
                                }
                            }
                        }
                    }
                }
                Ok(None) => return,
                Err(_) => failed += 1,
            }
            sleep(place.pause().saturating_mul(1 << failed.min(5))).await;
        }
    }
}
