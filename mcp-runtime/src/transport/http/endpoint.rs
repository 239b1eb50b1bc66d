//! One request over HTTP, from its headers to its answer. The order of the checks is that of `ARCHITECTURE.md`.

use std::convert::Infallible;
use std::future::poll_fn;
use std::ops::Deref;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::header::{EXPECT, ORIGIN};
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response};
use http_body::Body;

use super::answers::{
    empty, failed, json, name_session, not_acceptable, not_found, other_method, refused, stream, streaming,
    turned_away, unanswered, whole,
};
use super::body::{collect, drain};
use super::cors;
use super::guard::Guard;
use super::head::{Accepts, Head};
use super::reply::Reply;
use super::sessions;
use super::stream::{COMMENT, Detached, SILENCE, event};
use crate::auth::{Hook, Principal};
use crate::call::Transport;
use crate::contain::contained_future;
use crate::dispatch::{Dispatcher, Started, Step};
use crate::engine::{About, Admission, Caller, Frame, Job, Notice, Work, error};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::schema::mirror::{Line, Mirror};
use crate::session::{Presented, Session, Table};
use crate::transport::mark::mark;

/// What the HTTP edge checks, and how.
pub(crate) struct Settings {
    /// Where the endpoint is, unless whoever calls it has seen to that.
    pub(crate) path: Option<String>,
    pub(crate) guard: Guard,
    pub(crate) authenticate: Option<Hook>,
    pub(crate) max_body: usize,
    pub(crate) body_timeout: Duration,
    pub(crate) sessions: Option<Arc<Table>>,
}

/// The endpoint of one server.
pub(crate) struct Endpoint {
    dispatcher: Arc<Dispatcher>,
    settings: Settings,
}

/// The methods that are served.
const METHODS: &str = "POST, OPTIONS";
/// The same where there are sessions.
const SESSION_METHODS: &str = "POST, GET, DELETE, OPTIONS";

impl Endpoint {
    pub(crate) fn new(dispatcher: Arc<Dispatcher>, settings: Settings) -> Self {
        Self { dispatcher, settings }
    }

    fn methods(&self) -> &'static str {
        if self.settings.sessions.is_some() { SESSION_METHODS } else { METHODS }
    }

    /// Answers one request; it always does.
    ///
    /// hyper keeps the room for this future as long as a connection lives, and a router allocates it for each request,
    /// so that it is kept small: a block captures its arguments where an `async fn` would keep them twice, and what
    /// comes one after the other, the request and then its handler, shares its place.
    pub(crate) fn handle<E, B>(
        endpoint: E,
        request: Request<B>,
    ) -> impl Future<Output = Result<Response<Reply>, Infallible>>
    where
        E: Deref<Target = Self>,
        B: Body<Data = Bytes>,
    {
        let (parts, body) = request.into_parts();
        let mut parts = Some(Box::new(parts));
        async move {
            let Some(head) = &parts else { return Ok(empty(400)) };
            if let Some(path) = &endpoint.settings.path
                && head.uri.path() != path
                && head.uri.path().strip_suffix('/') != Some(path)
            {
                return Ok(not_found(path));
            }
            let mut page = None;
            let taken = endpoint.take(&mut parts, &mut page, pin!(body)).await;
            let begun = match taken {
                // In a box: it is rare, and its room would be kept for every call.
                Ok(taken) if endpoint.opens(&taken) => Next::Answered(Box::pin(endpoint.open(taken)).await),
                Ok(taken) => endpoint.begin(taken),
                Err(response) => Next::Answered(response),
            };
            let mut begun = match begun {
                Next::Running(begun) => begun,
                Next::Answered(response) => return Ok(endpoint.answer_page(page, response)),
            };
            let first = begun.first().await;
            Ok(endpoint.answer_page(page, begun.respond(first)))
        }
    }

    /// Adds what lets pages of allowed origins read the answer.
    fn answer_page(&self, page: Option<Page>, mut response: Response<Reply>) -> Response<Reply> {
        let Some(Page { origin, preflight }) = page else { return response };
        // A refused origin learns nothing, not even that it is refused by CORS.
        let allowed = String::from_utf8_lossy(origin.as_bytes()).to_ascii_lowercase();
        if self.settings.guard.allows_origin(&allowed) || !self.settings.guard.guards.origin {
            cors::answer(&origin, response.headers_mut());
            if preflight {
                let surface = self.dispatcher.engine.live.surface();
                let mirrors = surface.definitions.tools.iter().flat_map(|tool| &tool.input.mirrors);
                let mirrored = mirrors.map(|mirror| mirror.name.as_str());
                cors::preflight(self.methods(), mirrored, response.headers_mut());
            }
        }
        response
    }

    /// Takes a request as far as its call; the `Err` is the answer to one that calls nothing. Of one that is refused, the
    /// body is read to its end.
    async fn take<B>(
        &self,
        parts: &mut Option<Box<Parts>>,
        page: &mut Option<Page>,
        mut body: Pin<&mut B>,
    ) -> Result<Taken, Response<Reply>>
    where
        B: Body<Data = Bytes>,
    {
        let response = match self.admit(parts, page, body.as_mut()).await {
            Err(response) if response.status().is_client_error() && !body.is_end_stream() => response,
            taken => return taken,
        };
        // Who waits to be told to send the body has not sent it.
        if parts.as_ref().is_some_and(|parts| parts.headers.contains_key(EXPECT)) {
            return Err(response);
        }
        // In a box: what is kept while this waits has no place in what waits for calls.
        Box::pin(async move {
            drain(body, self.settings.max_body, self.settings.body_timeout).await;
            Err(response)
        })
        .await
    }

    async fn admit<B>(
        &self,
        whole: &mut Option<Box<Parts>>,
        page: &mut Option<Page>,
        body: Pin<&mut B>,
    ) -> Result<Taken, Response<Reply>>
    where
        B: Body<Data = Bytes>,
    {
        let Some(parts) = &*whole else { return Err(empty(400)) };
        let head = Head::read(&parts.headers, &parts.uri);
        if head.origin != Line::Absent && self.settings.guard.guards.cors {
            let preflight = parts.method == Method::OPTIONS;
            *page = parts.headers.get(ORIGIN).cloned().map(|origin| Page { origin, preflight });
        }
        if let Err(fault) = self.settings.guard.check(&head) {
            return Err(refused(&fault));
        }
        let of_session = matches!(parts.method, Method::GET | Method::DELETE);
        let served = parts.method == Method::POST || (of_session && self.settings.sessions.is_some());
        if !served {
            return Err(other_method(&parts.method, self.methods()));
        }
        let principal = match &self.settings.authenticate {
            None => Principal::anonymous(),
            Some(hook) => match contained_future(|| hook((**parts).clone())).await {
                Ok(Ok(principal)) => principal,
                Ok(Err(refusal)) => return Err(turned_away(&refusal)),
                Err(panic) => return Err(failed(&format!("the authentication hook panicked: {panic}"))),
            },
        };
        let presented = sessions::presented(self.settings.sessions.as_ref(), &head, &principal);
        if of_session {
            return Err(self.session_method(&parts.method, &head, &presented));
        }
        if !head.is_json() {
            return Err(refused(&Fault::new(
                FaultKind::UnsupportedMediaType,
                "The body has to be JSON: send `Content-Type: application/json`",
            )));
        }
        if !head.is_plain() {
            return Err(refused(&Fault::new(
                FaultKind::UnsupportedMediaType,
                "The body has to be sent as it is: without `Content-Encoding`, and with no `Transfer-Encoding` but `chunked`",
            )));
        }
        let bytes = match collect(body, self.settings.max_body, self.settings.body_timeout).await {
            Ok(mut bytes) => {
                bytes.advance(mark(&bytes));
                bytes
            }
            Err(fault) => return Err(refused(&fault)),
        };
        let accepts = head.accepts();
        let param = |mirror: &Mirror| head.line(&mirror.field);
        let admission = self.dispatcher.engine.admit_http(&bytes, &head.mirrors(&presented, &param));
        let peer = match &presented {
            Presented::Known(in_use) => Some(Arc::clone(in_use.session().peer())),
            _ => None,
        };
        let caller = Caller {
            principal,
            transport: Transport::Http,
            takes_messages: accepts.stream,
            peer,
            http: whole.take(),
        };
        match self.admitted(admission, accepts, bytes, caller) {
            Admitted::Taken(taken) => Ok(taken),
            Admitted::Answered(response) => Err(response),
            Admitted::Told(telling) => {
                telling.await;
                Err(empty(202))
            }
        }
    }

    /// Takes what has come whole. Without waiting, so that nothing of it is kept in the future of the request.
    #[inline]
    fn admitted(&self, admission: Admission, accepts: Accepts, bytes: Bytes, caller: Caller) -> Admitted<'_> {
        let engine = &self.dispatcher.engine;
        Admitted::Answered(match admission {
            Admission::Answer(answer) => json(answer),
            Admission::Silent(status) => empty(status),
            Admission::Reply(id, reply) => {
                let Some(peer) = caller.peer else { return Admitted::Answered(empty(202)) };
                return Admitted::Told(Box::pin(through(Arc::clone(&self.dispatcher).told(peer, id, reply))));
            }
            Admission::Notice(draft, about) => {
                let session = draft.session.clone();
                let notice = Notice::new(engine, draft, about, bytes, caller);
                return Admitted::Told(Box::pin(self.notice(notice, session)));
            }
            Admission::Work(draft, job) => {
                let session = draft.session.clone();
                let work = Work::new(engine, draft, job, bytes, caller);
                let takes = match work.job {
                    Job::Listen(_) => accepts.stream,
                    _ => accepts.json || accepts.stream,
                };
                if takes {
                    return Admitted::Taken(Taken { work, accepts, session });
                }
                not_acceptable()
            }
        })
    }

    /// Takes a notification. The client waits for no handler; what is cancelled is when it is told so.
    async fn notice(&self, notice: Notice, session: Option<Arc<Session>>) {
        let handled = matches!(notice.about, About::Handled(_));
        let taken = Arc::clone(&self.dispatcher).notify(notice);
        if handled {
            tokio::spawn(taken);
        } else {
            through(async move {
                if let (Some(id), Some(session)) = (taken.await, session) {
                    session.cancel(&id);
                }
            })
            .await;
        }
    }

    /// Starts what a request calls.
    fn begin(&self, taken: Taken) -> Next {
        let Taken { work, accepts, session } = taken;
        let in_flight = match &session {
            Some(session) if self.dispatcher.waits(&work.job) => match session.begin(&work.call) {
                Ok(in_flight) => Some(in_flight),
                Err(fault) => return Next::Answered(json(work.refuse(&fault, Leg::Edge))),
            },
            _ => None,
        };
        if session.as_ref().is_some_and(|session| session.polls()) {
            work.call.outbox.can_close();
        }
        match self.dispatcher.start(work) {
            Started::Answer(answer) => Next::Answered(whole(answer, accepts)),
            Started::Running(running) => {
                Next::Running(Begun { running: Detached::new(running, in_flight), accepts, session })
            }
        }
    }

    /// Whether a request opens a session.
    fn opens(&self, taken: &Taken) -> bool {
        self.settings.sessions.is_some() && matches!(taken.work.job, Job::Initialize(_))
    }

    /// Opens a session and answers the `initialize` that it is for.
    async fn open(&self, taken: Taken) -> Response<Reply> {
        let Taken { work, accepts, .. } = taken;
        let (Some(table), Job::Initialize(agreed)) = (&self.settings.sessions, &work.job) else {
            return unanswered(accepts);
        };
        let opened = sessions::open(table, &work.call.principal, agreed.revision, agreed.client.clone());
        // What is refused leaves nothing behind.
        let opening = match opened {
            Ok(session) => sessions::Opening::new(table, session),
            Err(fault) => return json(work.refuse(&fault, Leg::Edge)),
        };
        let answer = match self.dispatcher.start(work) {
            Started::Answer(answer) => Some(answer),
            Started::Running(mut running) => loop {
                match running.step().await {
                    Step::Answer(answer) => break Some(answer),
                    Step::Cancelled => break None,
                    // Nothing is sent on the way of a handshake.
                    Step::Message(_) | Step::Close(_) => {}
                }
            },
        };
        match answer {
            Some(answer) if answer.code.is_none() => {
                let mut response = whole(answer, accepts);
                if let Some(session) = opening.settle() {
                    name_session(&mut response, &session);
                }
                response
            }
            refused => refused.map_or_else(|| unanswered(accepts), |answer| whole(answer, accepts)),
        }
    }

    /// `GET` and `DELETE`: a stream of a session, and its end.
    fn session_method(&self, method: &Method, head: &Head<'_>, presented: &Presented) -> Response<Reply> {
        let param = |mirror: &Mirror| head.line(&mirror.field);
        if let Err(fault) = self.dispatcher.engine.check_version(&head.mirrors(presented, &param)) {
            return refused(&fault);
        }
        let session = match presented.of(false) {
            Ok(Some(session)) => session,
            Ok(None) => return other_method(method, self.methods()),
            Err(fault) => return refused(&fault),
        };
        if *method == Method::DELETE {
            if let Some(table) = &self.settings.sessions {
                table.close(session);
            }
            return empty(204);
        }
        if !head.accepts().stream {
            return refused(&Fault::new(
                FaultKind::NotAcceptable,
                "The answer is a stream of events: send `Accept: text/event-stream`",
            ));
        }
        match sessions::listen(session, head.last_event) {
            Ok(events) => streaming(Reply::Events(Box::new(events))),
            Err((status, fault)) => {
                let mut answer = error(&fault, Leg::Edge, None);
                answer.status = status;
                json(answer)
            }
        }
    }
}

/// How long a call in a session may be silent before its stream begins.
const PRIME: Duration = Duration::from_secs(1);

/// The page that asks, and whether it asks what it may.
struct Page {
    origin: HeaderValue,
    preflight: bool,
}

/// A request, taken as far as its call.
struct Taken {
    work: Work,
    accepts: Accepts,
    session: Option<Arc<Session>>,
}

/// What a message that has come whole is.
enum Admitted<'e> {
    Taken(Taken),
    Answered(Response<Reply>),
    /// It is told to somebody, and answered by nothing.
    Told(Pin<Box<dyn Future<Output = ()> + Send + 'e>>),
}

/// What follows from a request.
enum Next {
    Running(Begun),
    Answered(Response<Reply>),
}

/// A call whose handler is at work.
struct Begun {
    running: Detached,
    accepts: Accepts,
    session: Option<Arc<Session>>,
}

impl Begun {
    /// The first thing to send. A handler that is silent for long gets a stream too, so that no proxy gives it up.
    async fn first(&mut self) -> First {
        // A client that comes back needs something to come back with.
        let polls = self.session.as_ref().is_some_and(|session| session.polls());
        let most = if polls { PRIME } else { SILENCE };
        let mut silence = None;
        poll_fn(|cx| {
            if let Poll::Ready(step) = self.running.poll_step(cx) {
                return Poll::Ready(First::Step(step));
            }
            if !self.accepts.stream {
                return Poll::Pending;
            }
            let silence = silence.get_or_insert_with(|| Box::pin(tokio::time::sleep(most)));
            silence.as_mut().poll(cx).map(|()| First::Silence)
        })
        .await
    }

    fn respond(self, first: First) -> Response<Reply> {
        let Self { running, accepts, session } = self;
        let first = match first {
            First::Step(Step::Answer(answer)) => return whole(answer, accepts),
            First::Step(Step::Cancelled) => return unanswered(accepts),
            First::Step(step) => Some(step),
            First::Silence => None,
        };
        if let Some(session) = &session {
            return match sessions::events(session, first, running) {
                Some(events) => streaming(Reply::Events(Box::new(events))),
                None => unanswered(accepts),
            };
        }
        let first = match first {
            Some(Step::Message(message)) => event(&Frame::from(message)),
            _ => Bytes::from_static(COMMENT),
        };
        stream(first, Some(running))
    }
}

enum First {
    Step(Step),
    Silence,
}

/// Waits for what has come whole, and goes on also where the client does not wait for it.
async fn through(taken: impl Future<Output = ()> + Send + 'static) {
    // Nothing in it panics but what is contained there; where the runtime ends, nobody is left to be told.
    let _ = tokio::spawn(taken).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A router allocates it for each request, and an allocation of more than 1032 bytes leaves the allocator's fast path.
    #[test]
    fn the_future_of_a_request_is_small() {
        fn size<A, F: Future>(_: fn(Arc<Endpoint>, A) -> F) -> usize {
            size_of::<F>()
        }
        let size = size::<Request<axum::body::Body>, _>(Endpoint::handle);
        assert!(size <= 1000, "{size} bytes");
    }
}
