//! One request over HTTP, from its headers to its answer. The order of the checks is that of `ARCHITECTURE.md`.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body;

use super::body::collect;
use super::cors::Cors;
use super::guard::Guard;
use super::head::{Accepts, Head};
use super::reply::Reply;
use super::stream::{COMMENT, Detached, KEEP_ALIVE, Stream, event};
use crate::auth::{Hook, Principal, Refusal};
use crate::call::Transport;
use crate::dispatch::{Dispatcher, Started, Step};
use crate::engine::{Admission, Answer, Caller, Frame, Notice, Work, error};
use crate::protocol::fault::{Fault, FaultKind, Leg};

/// What the HTTP edge checks, and how.
pub(crate) struct Settings {
    pub(crate) guard: Guard,
    pub(crate) cors: Cors,
    pub(crate) authenticate: Option<Hook>,
    pub(crate) max_body: usize,
    pub(crate) body_timeout: Duration,
}

/// The endpoint of one server.
pub(crate) struct Endpoint {
    dispatcher: Arc<Dispatcher>,
    settings: Settings,
}

/// The methods that are served.
pub(crate) const METHODS: &str = "POST, OPTIONS";

impl Endpoint {
    pub(crate) fn new(dispatcher: Arc<Dispatcher>, settings: Settings) -> Self {
        Self { dispatcher, settings }
    }

    /// Answers one request.
    pub(crate) async fn handle<B>(&self, request: Request<B>) -> Response<Reply>
    where
        B: Body<Data = Bytes>,
    {
        let (parts, body) = request.into_parts();
        let Some(origin) = parts.headers.get(ORIGIN).filter(|_| self.settings.guard.guards.cors).cloned()
        else {
            return self.answer(parts, body).await;
        };
        let preflight = parts.method == Method::OPTIONS;
        let mut response = self.answer(parts, body).await;
        // A refused origin learns nothing, not even that it is refused by CORS.
        let allowed = String::from_utf8_lossy(origin.as_bytes()).to_ascii_lowercase();
        if self.settings.guard.allows_origin(&allowed) || !self.settings.guard.guards.origin {
            self.settings.cors.answer(&origin, response.headers_mut());
            if preflight {
                self.settings.cors.preflight(response.headers_mut());
            }
        }
        response
    }

    async fn answer<B>(&self, parts: Parts, body: B) -> Response<Reply>
    where
        B: Body<Data = Bytes>,
    {
        let head = Head::read(&parts.headers).of_target(&parts.uri);
        if let Err(fault) = self.settings.guard.check(&head) {
            return refused(&fault);
        }
        if parts.method != Method::POST {
            return other_method(&parts.method);
        }
        let principal = match &self.settings.authenticate {
            None => Principal::anonymous(),
            Some(hook) => match hook(parts.clone()).await {
                Ok(principal) => principal,
                Err(refusal) => return turned_away(&refusal),
            },
        };
        if !head.is_json() {
            return refused(&Fault::new(
                FaultKind::UnsupportedMediaType,
                "The body has to be JSON: send `Content-Type: application/json`",
            ));
        }
        if !head.is_plain() {
            return refused(&Fault::new(
                FaultKind::UnsupportedMediaType,
                "The body has to be sent as it is: without `Content-Encoding`, and with no `Transfer-Encoding` but `chunked`",
            ));
        }
        let bytes = match collect(body, self.settings.max_body, self.settings.body_timeout).await {
            Ok(bytes) => bytes,
            Err(fault) => return refused(&fault),
        };
        let accepts = head.accepts();
        let engine = &self.dispatcher.engine;
        let param = |name: &str| head.line(name);
        let admission = engine.admit_http(&bytes, &head.mirrors(&param));
        let caller = Caller {
            principal,
            transport: Transport::Http,
            takes_messages: accepts.stream,
            http: Some(parts),
        };
        match admission {
            Admission::Answer(answer) => json(answer),
            Admission::Silent(status) => empty(status),
            Admission::Cancel(_) => empty(202),
            Admission::Notice(draft, notification) => {
                let notice = Notice::new(engine, draft, notification, bytes, caller);
                tokio::spawn(Arc::clone(&self.dispatcher).notify(notice));
                empty(202)
            }
            Admission::Work(draft, job) => {
                let work = Work::new(engine, draft, job, bytes, caller);
                if accepts.json || accepts.stream { self.run(work, accepts).await } else { not_acceptable() }
            }
        }
    }

    async fn run(&self, work: Work, accepts: Accepts) -> Response<Reply> {
        let running = match self.dispatcher.start(work) {
            Started::Answer(answer) => return whole(answer, accepts),
            Started::Running(running) => running,
        };
        let mut running = Detached::new(running);
        let first = if accepts.stream {
            self.first_event(&mut running).await
        } else {
            First::Step(poll_fn(|cx| running.poll_step(cx)).await)
        };
        match first {
            First::Step(Step::Answer(answer)) => whole(answer, accepts),
            First::Step(Step::Message(message)) => stream(event(&Frame::from(message)), Some(running)),
            First::Silence => stream(Bytes::from_static(COMMENT), Some(running)),
        }
    }

    /// The first thing to send. A handler that is silent for long gets a stream too, so that no proxy gives it up.
    async fn first_event(&self, running: &mut Detached) -> First {
        let mut silence = None;
        poll_fn(|cx| {
            if let Poll::Ready(step) = running.poll_step(cx) {
                return Poll::Ready(First::Step(step));
            }
            let silence = silence.get_or_insert_with(|| Box::pin(tokio::time::sleep(KEEP_ALIVE)));
            silence.as_mut().poll(cx).map(|()| First::Silence)
        })
        .await
    }
}

enum First {
    Step(Step),
    Silence,
}

/// An answer in the form that the client takes: JSON where it can.
fn whole(answer: Answer, accepts: Accepts) -> Response<Reply> {
    if accepts.json || answer.status != 200 { json(answer) } else { stream(event(&answer.frame), None) }
}

fn json(answer: Answer) -> Response<Reply> {
    let mut response = Response::new(Reply::Whole(answer.frame));
    // The statuses of the error table are all valid.
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if answer.status == 503 {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

fn stream(first: Bytes, running: Option<Detached>) -> Response<Reply> {
    let mut response = Response::new(Reply::Stream(Box::new(Stream::new(first, running))));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn empty(status: u16) -> Response<Reply> {
    let mut response = Response::new(Reply::empty());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::ACCEPTED);
    response
}

fn refused(fault: &Fault) -> Response<Reply> {
    json(error(fault, Leg::Edge, None))
}

fn not_acceptable() -> Response<Reply> {
    refused(&Fault::new(
        FaultKind::NotAcceptable,
        "The answer is JSON or a stream of events: send `Accept: application/json, text/event-stream`",
    ))
}

fn other_method(method: &Method) -> Response<Reply> {
    if method == Method::OPTIONS {
        let mut response = empty(204);
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
        return response;
    }
    let text = format!("{method} is not served here: POST a JSON-RPC message to this URL");
    let mut response = refused(&Fault::new(FaultKind::MethodNotAllowed, text));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
    response
}

fn turned_away(refusal: &Refusal) -> Response<Reply> {
    let mut response = refused(&Fault::new(FaultKind::Forbidden, refusal.message.clone()));
    *response.status_mut() = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::FORBIDDEN);
    if let Some(challenge) = &refusal.challenge {
        match HeaderValue::from_str(challenge) {
            Ok(challenge) => {
                response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            }
            Err(_) => crate::log::error(
                "a challenge of the authentication hook is not a header value; it was left out",
            ),
        }
    }
    response
}
