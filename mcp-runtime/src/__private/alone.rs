//! A server's protocol without input, output, a runtime or axum around it: for tests that replay messages, and for
//! benchmarks of its steps.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

use crate::auth::Principal;
use crate::boot;
use crate::call::{Peer, Transport};
use crate::dispatch::{Dispatcher, Started, Step};
use crate::engine::{Admission, Answer, Caller, Frame, Headers, Pipe, Work};
use crate::protocol::envelope::Envelope;
use crate::registry::Problems;
use crate::schema::mirror::{Line, Mirror};
use crate::server::{Library, Server};
use crate::session::Presented;

/// A server that is given messages by hand.
pub struct Alone(Arc<Dispatcher>);

/// What became of a message.
#[derive(Debug)]
pub struct Said {
    /// The HTTP status, which a message before the answer has decided.
    pub status: u16,
    /// The messages in their order; the answer, where there is one, is the last.
    pub messages: Vec<Vec<u8>>,
}

/// A message as far as what it calls.
pub struct Admitted {
    admission: Admission,
    body: Bytes,
}

/// A message whose handler is ready to run; or its answer, where it needs none.
pub struct Begun(Option<Started>);

impl Begun {
    /// Runs the handler, and gives the length of the answer. `None` where it waits for something or sends messages.
    pub fn finish(self) -> Option<usize> {
        let answer = match self.0? {
            Started::Answer(answer) => answer,
            Started::Running(mut running) => match running.poll_step(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(Step::Answer(answer)) => answer,
                _ => return None,
            },
        };
        Some(answer.frame.len())
    }
}

impl Caller {
    fn alone() -> Self {
        Self {
            principal: Principal::anonymous(),
            transport: Transport::Http,
            takes_messages: true,
            peer: None,
            http: None,
        }
    }
}

/// One connection by lines to a server that is given messages by hand.
pub struct Connection<'a> {
    server: &'a Alone,
    pipe: Pipe,
    peer: Arc<Peer>,
}

impl Alone {
    /// Checks the server and starts its engine.
    ///
    /// # Errors
    /// Something is wrong with what is registered.
    pub fn of(server: Server<Library>) -> Result<Self, Problems> {
        let mut checked = boot::check(server.options)?;
        let states = checked.given_states()?;
        Ok(Self(checked.start(states).dispatcher))
    }

    /// Posts a message with these headers. `None` where its handler waits for something. The handlers of
    /// notifications are not run.
    pub fn post(&self, headers: &[(String, Vec<u8>)], body: &[u8]) -> Option<Said> {
        let Admitted { admission, body } = self.admit(headers, body);
        self.go_on(admission, body, Caller::alone())
    }

    /// Whether these bytes are a message: the first step alone.
    pub fn reads(body: &[u8]) -> bool {
        std::str::from_utf8(body).is_ok_and(|text| Envelope::read(text).is_ok())
    }

    /// Takes a message with these headers as far as what it calls.
    pub fn admit(&self, headers: &[(String, Vec<u8>)], body: &[u8]) -> Admitted {
        let line = |name: &str| {
            let mut values = headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
            match (values.next(), values.next()) {
                (None, _) => Line::Absent,
                (Some((_, value)), None) => Line::Once(value.as_slice()),
                (Some(_), Some(_)) => Line::Twice,
            }
        };
        let session = match line("mcp-session-id") {
            Line::Twice => Presented::Twice,
            Line::Absent | Line::Once(_) => Presented::Off,
        };
        let mirrors = Headers {
            version: line("mcp-protocol-version"),
            session: &session,
            method: line("mcp-method"),
            name: line("mcp-name"),
            param: &|mirror: &Mirror| line(&mirror.header),
        };
        let body = Bytes::copy_from_slice(body);
        let admission = self.0.engine.admit_http(&body, &mirrors);
        Admitted { admission, body }
    }

    /// Goes on with a message from where [`admit`](Self::admit) has left it.
    pub fn begin(&self, admitted: Admitted) -> Begun {
        let Admitted { admission, body } = admitted;
        let Admission::Work(draft, job) = admission else { return Begun(None) };
        let started = self.0.start(Work::new(&self.0.engine, draft, job, body, Caller::alone()));
        Begun(Some(started))
    }

    /// Opens a connection by lines.
    pub fn connect(&self) -> Connection<'_> {
        Connection {
            server: self,
            pipe: Pipe::default(),
            peer: Arc::new(Peer::new(std::time::Duration::MAX, Arc::default(), drop)),
        }
    }

    fn go_on(&self, admission: Admission, body: Bytes, caller: Caller) -> Option<Said> {
        match admission {
            Admission::Answer(answer) => Some(Said::of(Vec::new(), answer)),
            Admission::Silent(status) => Some(Said { status, messages: Vec::new() }),
            Admission::Notice(..) | Admission::Reply(..) => Some(Said { status: 202, messages: Vec::new() }),
            Admission::Work(draft, job) => self.run(Work::new(&self.0.engine, draft, job, body, caller)),
        }
    }

    fn run(&self, work: Work) -> Option<Said> {
        let mut running = match self.0.start(work) {
            Started::Answer(answer) => return Some(Said::of(Vec::new(), answer)),
            Started::Running(running) => running,
        };
        let mut messages = Vec::new();
        let mut waker = Context::from_waker(Waker::noop());
        loop {
            match running.poll_step(&mut waker) {
                Poll::Ready(Step::Message(message)) => messages.push(message.to_vec()),
                Poll::Ready(Step::Close(_)) => {}
                Poll::Ready(Step::Cancelled) => return Some(Said { status: 202, messages }),
                Poll::Ready(Step::Answer(answer)) => return Some(Said::of(messages, answer)),
                Poll::Pending => return None,
            }
        }
    }
}

impl Connection<'_> {
    /// Takes one line. `None` where its handler waits for something.
    pub fn line(&mut self, line: &[u8]) -> Option<Said> {
        let line = Bytes::copy_from_slice(line);
        let admission = self.server.0.engine.admit_line(&mut self.pipe, &line);
        self.server.go_on(admission, line, Caller::by_lines(&self.peer))
    }
}

impl Said {
    fn of(mut messages: Vec<Vec<u8>>, answer: Answer) -> Self {
        let Frame { head, tail } = answer.frame;
        let status = if messages.is_empty() { answer.status } else { 200 };
        messages.push([head, tail].concat());
        Self { status, messages }
    }
}

impl std::fmt::Debug for Alone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Alone").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Admitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admitted").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Begun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Begun").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Connection<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}
