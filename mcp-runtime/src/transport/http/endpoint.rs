//! One request over HTTP, from its headers to its answer. The order of the checks is that of `ARCHITECTURE.md`.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
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
use super::stream::{COMMENT, Detached, KEEP_ALIVE, event};
use crate::auth::{Hook, Principal};
use crate::call::Transport;
use crate::dispatch::{Dispatcher, Started, Step, contained_future};
use crate::engine::{About, Admission, Caller, Frame, Job, Notice, Work, error};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::session::{Presented, Session, Table};
use crate::transport::mark::without_mark;

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

    /// Answers one request.
    ///
    /// hyper keeps the room for this future as long as a connection lives, so that it is kept small: nothing is in it
    /// twice, and what comes one after the other, the request and then its handler, shares its place.
    pub(crate) fn handle<B>(&self, request: Request<B>) -> impl Future<Output = Response<Reply>>
    where
        B: Body<Data = Bytes>,
    {
        let (parts, body) = request.into_parts();
        self.answer(Some(parts), body)
    }

    async fn answer<B>(&self, mut parts: Option<Parts>, body: B) -> Response<Reply>
    where
        B: Body<Data = Bytes>,
    {
        let Some(head) = &parts else { return empty(400) };
        if let Some(path) = &self.settings.path
            && head.uri.path() != path
            && head.uri.path().strip_suffix('/') != Some(path)
        {
            return not_found(path);
        }
        let (page, preflight, sends) = self.page(head);
        let taken = {
            let mut body = pin!(body);
            let taken = self.take(&mut parts, body.as_mut()).await;
            if let Err(response) = &taken
                && response.status().is_client_error()
                && sends
                && !body.is_end_stream()
            {
                drain(body, self.settings.max_body, self.settings.body_timeout).await;
            }
            taken
        };
        let mut response = match taken {
            Ok(taken) => self.run(taken).await,
            Err(response) => response,
        };
        if let Some(page) = page {
            self.answer_page(&page, preflight, &mut response);
        }
        response
    }

    /// The page that asks, whether it asks what it may, and whether a body is being sent: who waits to be told to send
    /// it has not.
    fn page(&self, parts: &Parts) -> (Option<HeaderValue>, bool, bool) {
        let page = parts.headers.get(ORIGIN).filter(|_| self.settings.guard.guards.cors).cloned();
        (page, parts.method == Method::OPTIONS, !parts.headers.contains_key(EXPECT))
    }

    /// Adds what lets pages of allowed origins read the answer.
    fn answer_page(&self, origin: &HeaderValue, preflight: bool, response: &mut Response<Reply>) {
        // A refused origin learns nothing, not even that it is refused by CORS.
        let allowed = String::from_utf8_lossy(origin.as_bytes()).to_ascii_lowercase();
        if self.settings.guard.allows_origin(&allowed) || !self.settings.guard.guards.origin {
            cors::answer(origin, response.headers_mut());
            if preflight {
                let surface = self.dispatcher.engine.live.surface();
                let mirrors = surface.definitions.tools.iter().flat_map(|tool| &tool.input.mirrors);
                let mirrored = mirrors.map(|mirror| mirror.name.as_str());
                cors::preflight(self.methods(), mirrored, response.headers_mut());
            }
        }
    }

    /// Takes a request as far as its call; the `Err` is the answer to one that calls nothing.
    async fn take<B>(&self, whole: &mut Option<Parts>, body: Pin<&mut B>) -> Result<Taken, Response<Reply>>
    where
        B: Body<Data = Bytes>,
    {
        let Some(parts) = &*whole else { return Err(empty(400)) };
        let head = Head::read(&parts.headers).of_target(&parts.uri);
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
            Some(hook) => match contained_future(|| hook(parts.clone())).await {
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
            Ok(bytes) => without_mark(bytes),
            Err(fault) => return Err(refused(&fault)),
        };
        let accepts = head.accepts();
        let engine = &self.dispatcher.engine;
        let param = |name: &str| head.line(name);
        let admission = engine.admit_http(&bytes, &head.mirrors(&presented, &param));
        let caller = Caller {
            principal,
            transport: Transport::Http,
            takes_messages: accepts.stream,
            peer: match &presented {
                Presented::Known(in_use) => Some(Arc::clone(in_use.session().peer())),
                _ => None,
            },
            http: whole.take(),
        };
        Err(match admission {
            Admission::Answer(answer) => json(answer),
            Admission::Silent(status) => empty(status),
            Admission::Reply(id, reply) => {
                if let Presented::Known(in_use) = &presented {
                    let peer = Arc::clone(in_use.session().peer());
                    Box::pin(Arc::clone(&self.dispatcher).told(peer, id, reply)).await;
                }
                empty(202)
            }
            Admission::Notice(draft, about) => {
                let session = draft.session.clone();
                let notice = Notice::new(engine, draft, about, bytes, caller);
                Box::pin(self.notice(notice, session)).await;
                empty(202)
            }
            Admission::Work(draft, job) => {
                let session = draft.session.clone();
                let work = Work::new(engine, draft, job, bytes, caller);
                let takes = match work.job {
                    Job::Listen(_) => accepts.stream,
                    _ => accepts.json || accepts.stream,
                };
                if takes {
                    return Ok(Taken { work, accepts, session });
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
        } else if let (Some(id), Some(session)) = (taken.await, session) {
            session.cancel(&id);
        }
    }

    /// Runs what a request calls.
    async fn run(&self, taken: Taken) -> Response<Reply> {
        let Taken { work, accepts, session } = taken;
        if let (Some(table), Job::Initialize(agreed)) = (&self.settings.sessions, &work.job) {
            return match sessions::open(table, &work.call.principal, agreed.revision, agreed.client.clone()) {
                Ok(session) => Box::pin(self.opened(work, accepts, table, &session)).await,
                Err(fault) => json(work.refuse(&fault, Leg::Edge)),
            };
        }
        let in_flight = match &session {
            Some(session) if self.dispatcher.waits(&work.job) => match session.begin(&work.call) {
                Ok(in_flight) => Some(in_flight),
                Err(fault) => return json(work.refuse(&fault, Leg::Edge)),
            },
            _ => None,
        };
        if session.as_ref().is_some_and(|session| session.polls()) {
            work.call.outbox.can_close();
        }
        let running = match self.dispatcher.start(work) {
            Started::Answer(answer) => return whole(answer, accepts),
            Started::Running(running) => running,
        };
        let mut running = Detached::new(running, in_flight);
        // A client that comes back needs something to come back with.
        let silence =
            if session.as_ref().is_some_and(|session| session.polls()) { PRIME } else { KEEP_ALIVE };
        let first = if accepts.stream {
            self.first_event(&mut running, silence).await
        } else {
            First::Step(poll_fn(|cx| running.poll_step(cx)).await)
        };
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

    /// Answers the `initialize` that has opened a session.
    async fn opened(
        &self,
        work: Work,
        accepts: Accepts,
        table: &Table,
        session: &Session,
    ) -> Response<Reply> {
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
                name_session(&mut response, session);
                response
            }
            // What was refused leaves nothing behind.
            refused => {
                table.close(session);
                refused.map_or_else(|| unanswered(accepts), |answer| whole(answer, accepts))
            }
        }
    }

    /// `GET` and `DELETE`: a stream of a session, and its end.
    fn session_method(&self, method: &Method, head: &Head<'_>, presented: &Presented) -> Response<Reply> {
        let param = |name: &str| head.line(name);
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

    /// The first thing to send. A handler that is silent for long gets a stream too, so that no proxy gives it up.
    async fn first_event(&self, running: &mut Detached, most: Duration) -> First {
        let mut silence = None;
        poll_fn(|cx| {
            if let Poll::Ready(step) = running.poll_step(cx) {
                return Poll::Ready(First::Step(step));
            }
            let silence = silence.get_or_insert_with(|| Box::pin(tokio::time::sleep(most)));
            silence.as_mut().poll(cx).map(|()| First::Silence)
        })
        .await
    }
}

/// How long a call in a session may be silent before its stream begins.
const PRIME: Duration = Duration::from_secs(1);

/// A request, taken as far as its call.
struct Taken {
    work: Work,
    accepts: Accepts,
    session: Option<Arc<Session>>,
}

enum First {
    Step(Step),
    Silence,
}
