//! Sessions at the HTTP edge: which one a request presents, how one is opened and ended, and the streams that a client
//! takes up again (2025-11-25, Streamable HTTP, "Session Management" and "Resumability and Redelivery").

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use bytes::Bytes;

use super::head::Head;
use super::stream::{COMMENT, Detached, KeepAlive};
use crate::auth::Principal;
use crate::call::Connected;
use crate::dispatch::Step;
use crate::engine::{Frame, change_message};
use crate::gauges::Counted;
use crate::protocol::Revision;
use crate::protocol::fault::{Fault, FaultKind};
use crate::schema::mirror::Line;
use crate::session::{EventLog, InUse, Presented, Reader, Session, Table, Unresumable};

/// The header of a session's id.
pub(crate) const SESSION: &str = "mcp-session-id";

/// The session that a request presents. Nothing is changed by looking.
pub(crate) fn presented(table: Option<&Arc<Table>>, head: &Head<'_>, principal: &Principal) -> Presented {
    let Some(table) = table.filter(|_| head.session != Line::Twice) else {
        return if head.session == Line::Twice { Presented::Twice } else { Presented::Off };
    };
    match head.session {
        Line::Absent => Presented::Absent,
        Line::Once(id) if !id.is_empty() && id.iter().all(u8::is_ascii_graphic) => std::str::from_utf8(id)
            .ok()
            .and_then(|id| table.find(id, principal))
            .map_or(Presented::Unknown, Presented::Known),
        Line::Once(_) | Line::Twice => Presented::Malformed,
    }
}

/// A session that is being opened: closed again unless it is settled, also where the client goes away before.
pub(crate) struct Opening<'t> {
    table: &'t Arc<Table>,
    session: Option<Arc<Session>>,
}

impl<'t> Opening<'t> {
    pub(crate) fn new(table: &'t Arc<Table>, session: Arc<Session>) -> Self {
        Self { table, session: Some(session) }
    }

    /// It stays.
    pub(crate) fn settle(mut self) -> Option<Arc<Session>> {
        self.session.take()
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        if let Some(session) = &self.session {
            self.table.close(session);
        }
    }
}

/// Opens a session for what `initialize` agreed on.
pub(crate) fn open(
    table: &Arc<Table>,
    principal: &Principal,
    revision: Revision,
    client: Connected,
) -> Result<Arc<Session>, Fault> {
    let mut random = [0; 24];
    if let Err(error) = getrandom::fill(&mut random) {
        let id = crate::log::masked_text(&format!("no session can be opened: {error}"));
        return Err(crate::engine::internal(&id));
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    // 128 bits that nobody guesses, and apart from them what tells events from those of other sessions.
    table.open(hex(&random[..16]), hex(&random[16..]), principal, revision, client).map_err(|full| {
        let whose = if full.of_caller { "you have" } else { "there are" };
        let text = format!(
            "The server is busy: {whose} {} sessions, as many as it keeps; end one, or try again later",
            full.most
        );
        Fault::new(FaultKind::Busy, text)
    })
}

/// Takes up a stream of a session, or listens to what belongs to no request.
pub(crate) fn listen(session: &Arc<Session>, last_event: Line<'_>) -> Result<Events, (u16, Fault)> {
    let reader = match last_event {
        Line::Absent => session.listen(),
        Line::Once(id) => std::str::from_utf8(id).map_or(Err(Unresumable::Gone), |id| session.resume(id)),
        Line::Twice => Err(Unresumable::Gone),
    };
    match reader {
        Ok(reader) => Ok(Events::new(reader, session)),
        Err(Unresumable::Gone) => Err((
            400,
            Fault::invalid_request(
                "`Last-Event-ID` names no event of this session that is kept: open a stream without it",
            ),
        )),
        Err(Unresumable::Read) => Err((
            409,
            Fault::invalid_request(
                "This session has an open stream: end it first, or take it up by `Last-Event-ID`",
            ),
        )),
    }
}

/// Has a call's messages kept as events of its session; gives what reads them.
pub(crate) fn events(session: &Arc<Session>, first: Option<Step>, running: Detached) -> Option<Events> {
    let (number, log) = session.open_stream();
    let reader = log.read(crate::session::After::Unread, session.polls()).ok()?;
    let stream = Fed { session: Arc::clone(session), number, log };
    let tracker = running.tracker();
    // Most handlers are done before they have to wait: they need no task. Whoever waits is woken in its own.
    let mut feeding = Box::pin(stream.feed(first, running));
    if feeding.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        tokio::spawn(tracker.track_future(feeding));
    }
    Some(Events::new(reader, session))
}

/// A stream that is fed by a call; finished when dropped, however the call ends.
struct Fed {
    session: Arc<Session>,
    number: u64,
    log: Arc<EventLog>,
}

impl Fed {
    async fn feed(self, first: Option<Step>, mut running: Detached) {
        let mut next = first;
        loop {
            let step = match next.take() {
                Some(step) => step,
                None => {
                    poll_fn(|cx| {
                        // What ends the call does not wait for whoever reads slowly.
                        if self.log.poll_room(cx).is_pending() && !running.is_over(cx) {
                            return Poll::Pending;
                        }
                        running.poll_step(cx)
                    })
                    .await
                }
            };
            match step {
                Step::Message(message) => self.log.append(message),
                Step::Close(retry) => self.log.let_go(retry),
                Step::Answer(answer) => return self.log.append(whole(answer.frame)),
                Step::Cancelled => return,
            }
        }
    }
}

impl Drop for Fed {
    fn drop(&mut self) {
        self.session.finish_stream(self.number);
    }
}

fn whole(frame: Frame) -> Bytes {
    if frame.tail.is_empty() { frame.head } else { [frame.head, frame.tail].concat().into() }
}

/// The events that a client reads of one stream of its session.
pub(crate) struct Events {
    reader: Reader,
    keep_alive: KeepAlive,
    /// Whether something has been sent: proxies keep back what has no first byte.
    begun: bool,
    /// While somebody reads, the session is in use.
    in_use: InUse,
    _counted: Counted,
}

impl Events {
    fn new(reader: Reader, session: &Arc<Session>) -> Self {
        let (in_use, _counted) = (session.hold(), session.count_stream());
        Self { reader, keep_alive: KeepAlive::default(), begun: false, in_use, _counted }
    }

    /// The next event; none after the last.
    pub(crate) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut polled = self.reader.poll_event(cx);
        // What has changed becomes an event once somebody is there to read it.
        while polled.is_pending()
            && self.reader.is_standalone()
            && let Poll::Ready(change) = self.in_use.session().listener().poll_change(cx)
        {
            self.in_use.session().tell(change_message(change));
            polled = self.reader.poll_event(cx);
        }
        let event = match polled {
            Poll::Ready(event) => event,
            Poll::Pending if self.begun => Some(ready!(self.keep_alive.poll(cx))),
            Poll::Pending => Some(Bytes::from_static(COMMENT)),
        };
        self.begun = true;
        self.keep_alive.rest();
        Poll::Ready(event)
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        // Whoever has taken the stream over waits for what changes now.
        if self.reader.is_standalone() && self.reader.reads() {
            self.in_use.session().listener().rest();
        }
    }
}
