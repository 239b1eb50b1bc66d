//! One connection by lines: what it takes, what runs, what waits for its turn, and what is still to be written.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::{Instant, timeout, timeout_at};

use super::lines::{Block, Line, lines, too_long};
use super::writer::Writer;
use super::{End, Settings};
use crate::call::{Peer, RequestId, Shared};
use crate::dispatch::{Dispatcher, Running, Started, Step};
use crate::engine::{About, Admission, Caller, Frame, Job, Notice, Pipe, Work, change_message};
use crate::hub::{Change, Listener};
use crate::middleware::Exit;
use crate::protocol::fault::{Fault, FaultKind, Leg};

/// How many notifications may be taken at once.
const MOST_NOTICES: usize = 1024;

/// How many requests may wait for their turn; those beyond are refused.
const MOST_WAITING: usize = 1024;

/// How long they may be in all while the client does not read, in bytes.
const MOST_WAITING_BYTES: usize = 16 * 1024 * 1024;

pub(super) struct Connection {
    dispatcher: Arc<Dispatcher>,
    /// The way out, for what belongs to no call.
    exit: Exit,
    pipe: Pipe,
    /// Whom handlers ask in the handshake era.
    peer: Arc<Peer>,
    writer: Writer,
    settings: Settings,
    /// The calls that have to wait for something.
    calls: JoinSet<RequestId>,
    /// Those who listen to changes, which take no turn: their tasks, and what has them come to their end.
    listens: JoinSet<RequestId>,
    /// Notifications that are being taken.
    notices: JoinSet<()>,
    listening: HashMap<RequestId, Arc<Shared>>,
    /// The ids in use: of what runs, and of what waits.
    ids: HashMap<RequestId, Option<Flight>>,
    /// Requests that wait for their turn.
    waiting: VecDeque<Work>,
    /// Answers that wait for the client to read. While there are any, nothing is begun.
    unsent: VecDeque<Frame>,
    /// What becomes of things on their way through a stack.
    later: UnboundedSender<Later>,
    lates: UnboundedReceiver<Later>,
}

/// What becomes of something that went through a stack.
enum Later {
    /// That request is not wanted any more.
    Cancel(RequestId),
    /// This is to be written.
    Write(Bytes),
    /// The handshake was refused.
    Refused,
}

/// What a request is, apart from others.
enum What {
    Call,
    Listen(Arc<Shared>),
    /// The handshake.
    Greeting,
}

/// A call that runs as a task of its own.
struct Flight {
    task: AbortHandle,
    /// Set before its answer is written: whoever has read the answer may use the id again.
    answered: Arc<AtomicBool>,
}

impl Connection {
    pub(super) fn new(dispatcher: Arc<Dispatcher>, writer: Writer, settings: Settings) -> Self {
        let (later, lates) = unbounded_channel();
        let exit = dispatcher.exit.of_client();
        Self {
            later,
            lates,
            peer: Arc::new(Peer::new(
                dispatcher.engine.settings.sealing.ttl,
                Arc::clone(&dispatcher.engine.live.hub().meter),
                {
                    let (exit, writer) = (exit.clone(), writer.clone());
                    move |message| {
                        let writer = writer.clone();
                        // Where the client reads nothing, it does without.
                        exit.tell(message, move |message| drop(writer.try_send(Frame::from(message))));
                    }
                },
            )),
            exit,
            dispatcher,
            pipe: Pipe::default(),
            writer,
            settings,
            calls: JoinSet::new(),
            listens: JoinSet::new(),
            notices: JoinSet::new(),
            listening: HashMap::new(),
            ids: HashMap::new(),
            waiting: VecDeque::new(),
            unsent: VecDeque::new(),
        }
    }

    /// Whether more input can be taken: not while the client does not read and enough waits for it.
    pub(super) fn takes_more(&self) -> bool {
        let bytes = || self.waiting.iter().map(|work| work.call.body.len()).sum::<usize>();
        self.unsent.is_empty()
            || (self.unsent.len() + self.waiting.len() < MOST_WAITING && bytes() < MOST_WAITING_BYTES)
    }

    /// Waits for a call to end or for room to write, and does what follows.
    pub(super) async fn progress(&mut self) {
        tokio::select! {
            Some(ended) = self.calls.join_next_with_id(), if !self.calls.is_empty() => self.ended(ended),
            Some(ended) = self.listens.join_next_with_id(), if !self.listens.is_empty() => self.ended(ended),
            change = next_change(self.pipe.listener()), if self.unsent.is_empty() => {
                let later = self.later.clone();
                let write = move |message| drop(later.send(Later::Write(message)));
                self.exit.tell(change_message(change), write);
            }
            Some(_) = self.notices.join_next(), if !self.notices.is_empty() => {}
            Some(late) = self.lates.recv() => self.late(late),
            () = write_first(&self.writer, &mut self.unsent), if !self.unsent.is_empty() => {}
            else => std::future::pending().await,
        }
        self.begin();
    }

    /// Takes whole lines.
    pub(super) fn block(&mut self, block: Block) {
        match block {
            Block::TooLong => self.write(too_long(self.settings.max_line)),
            Block::Lines(block) => {
                let several = memchr::memchr(b'\n', &block).is_some_and(|end| end + 1 < block.len());
                let _held = several.then(|| self.writer.hold());
                for line in lines(block, self.settings.max_line) {
                    match line {
                        Line::Message(line) => self.line(line),
                        Line::TooLong => self.write(too_long(self.settings.max_line)),
                    }
                }
            }
        }
    }

    fn line(&mut self, line: Bytes) {
        let engine = &self.dispatcher.engine;
        match engine.admit_line(&mut self.pipe, &line) {
            Admission::Answer(answer) => self.write(answer.frame),
            Admission::Silent(_) => {}
            Admission::Notice(draft, about) => {
                let notice = Notice::new(engine, draft, about, line, Caller::by_lines(&self.peer));
                self.notice(notice);
            }
            Admission::Reply(id, reply) if self.dispatcher.takes_at_once() => self.peer.answer(id, reply),
            Admission::Reply(id, reply) => {
                self.notices.spawn(Arc::clone(&self.dispatcher).told(Arc::clone(&self.peer), id, reply));
            }
            Admission::Work(draft, job) => {
                self.request(Work::new(engine, draft, job, line, Caller::by_lines(&self.peer)));
            }
        }
    }

    fn notice(&mut self, notice: Notice) {
        match &notice.about {
            About::Nothing if self.dispatcher.takes_at_once() => {}
            About::Cancel(id) if self.dispatcher.takes_at_once() => self.cancel(id),
            // Whatever they are about: what is taken so slowly waits for middleware or handlers.
            _ if self.notices.len() >= MOST_NOTICES => {
                crate::log::warn(&format!("a notification was dropped: {MOST_NOTICES} are being taken"));
            }
            _ => {
                let (dispatcher, later) = (Arc::clone(&self.dispatcher), self.later.clone());
                let mut taken = Box::pin(async move {
                    if let Some(id) = dispatcher.notify(notice).await {
                        // A connection that has ended has nothing to cancel.
                        let _ = later.send(Later::Cancel(id));
                    }
                });
                // They begin in their order. Whoever waits is woken in its own task.
                let waker = std::task::Waker::noop();
                if taken.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending() {
                    self.notices.spawn(taken);
                }
            }
        }
    }

    /// Does what has become of something that went through a stack.
    fn late(&mut self, late: Later) {
        match late {
            Later::Cancel(id) => self.cancel(&id),
            Later::Write(message) => self.write(Frame::from(message)),
            Later::Refused => self.pipe.forget(),
        }
    }

    fn request(&mut self, work: Work) {
        let Some(id) = work.call.request_id() else { return };
        if self.is_in_flight(&id) {
            let text = "The id is that of a request in flight: use another, or wait for its answer";
            return self.refuse(&work, &Fault::invalid_request(text));
        }
        // One at a time means that nothing overtakes; otherwise what has its answer ready does.
        let ready = self.settings.concurrency > 1 && !self.dispatcher.waits(&work.job);
        let listens = matches!(work.job, Job::Listen(_));
        if ((ready || listens) && self.unsent.is_empty()) || (self.waiting.is_empty() && self.has_turn()) {
            self.start(id, work);
        } else if self.waiting.len() < MOST_WAITING || !self.unsent.is_empty() {
            self.ids.insert(id, None);
            self.waiting.push_back(work);
        } else {
            let text = format!("The server is busy: {MOST_WAITING} requests wait for their turn; try again");
            self.refuse(&work, &Fault::new(FaultKind::Busy, text));
        }
    }

    fn is_in_flight(&self, id: &RequestId) -> bool {
        let flight = self.ids.get(id).map(Option::as_ref);
        flight.is_some_and(|flight| flight.is_none_or(|flight| !flight.answered.load(Ordering::Acquire)))
    }

    fn has_turn(&self) -> bool {
        self.unsent.is_empty() && self.calls.len() < self.settings.concurrency
    }

    /// Begins what waits, as far as it has its turn.
    fn begin(&mut self) {
        while self.has_turn()
            && let Some(work) = self.waiting.pop_front()
        {
            if let Some(id) = work.call.request_id() {
                self.ids.remove(&id);
                self.start(id, work);
            }
        }
    }

    fn start(&mut self, id: RequestId, work: Work) {
        let what = match work.job {
            Job::Listen(_) => What::Listen(Arc::clone(&work.call)),
            Job::Initialize(_) => What::Greeting,
            _ => What::Call,
        };
        match self.dispatcher.start(work) {
            Started::Answer(answer) => self.write(answer.frame),
            Started::Running(mut running) => {
                // Most handlers are done before they have to wait: they need no task. Whoever waits is woken in its own.
                let first =
                    match running.poll_step(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
                        Poll::Ready(Step::Answer(answer)) => {
                            if matches!(what, What::Greeting) && answer.code.is_some() {
                                self.pipe.forget();
                            }
                            return self.write(answer.frame);
                        }
                        Poll::Ready(Step::Message(message)) => Some(message),
                        Poll::Ready(Step::Close(_)) | Poll::Pending => None,
                        Poll::Ready(Step::Cancelled) => {
                            if matches!(what, What::Greeting) {
                                self.pipe.forget();
                            }
                            return;
                        }
                    };
                self.go_on(id, running, first, what);
            }
        }
    }

    /// Drives a call to its end as a task of its own.
    fn go_on(&mut self, id: RequestId, mut running: Running, message: Option<Bytes>, what: What) {
        let tasks = if matches!(what, What::Listen(_)) { &mut self.listens } else { &mut self.calls };
        let writer = self.writer.clone();
        let greets = matches!(what, What::Greeting).then(|| self.later.clone());
        let own = id.clone();
        let answered = Arc::new(AtomicBool::new(false));
        let answers = Arc::clone(&answered);
        let task = tasks.spawn(async move {
            if let Some(message) = message {
                writer.send(Frame::from(message)).await;
            }
            loop {
                match running.step().await {
                    Step::Message(message) => writer.send(Frame::from(message)).await,
                    // A pipe is not closed and opened again.
                    Step::Close(_) => {}
                    Step::Cancelled => {
                        if let Some(later) = greets {
                            let _ = later.send(Later::Refused);
                        }
                        return own;
                    }
                    Step::Answer(answer) => {
                        if let Some(later) = greets.filter(|_| answer.code.is_some()) {
                            let _ = later.send(Later::Refused);
                        }
                        answers.store(true, Ordering::Release);
                        writer.send(answer.frame).await;
                        return own;
                    }
                }
            }
        });
        if let What::Listen(call) = what {
            self.listening.insert(id.clone(), call);
        }
        self.ids.insert(id, Some(Flight { task, answered }));
    }

    fn ended(&mut self, ended: Result<(tokio::task::Id, RequestId), JoinError>) {
        // What was cancelled has given its id back already.
        if let Ok((task, id)) = ended
            && self.ids.get(&id).is_some_and(|own| own.as_ref().is_some_and(|own| own.task.id() == task))
        {
            self.ids.remove(&id);
            self.listening.remove(&id);
        }
    }

    /// Ends a call, or takes it from those that wait. Nothing is answered to it any more.
    fn cancel(&mut self, id: &RequestId) {
        self.listening.remove(id);
        match self.ids.remove(id) {
            Some(Some(flight)) => flight.task.abort(),
            Some(None) => self.waiting.retain(|work| work.call.request_id().as_ref() != Some(id)),
            None => {}
        }
    }

    fn refuse(&mut self, work: &Work, fault: &Fault) {
        self.write(work.refuse(fault, Leg::Era(work.call.revision.era())).frame);
    }

    fn write(&mut self, frame: Frame) {
        if !self.unsent.is_empty() {
            self.unsent.push_back(frame);
        } else if let Err(frame) = self.writer.try_send(frame) {
            self.unsent.push_back(frame);
        }
    }

    /// Lets what is in flight end, and writes what is still to be written, for as long as the grace lasts.
    pub(super) async fn finish(mut self) -> End {
        let deadline = Instant::now().checked_add(self.settings.grace);
        // Nobody answers any more what was asked.
        self.peer.close();
        let quiet = async {
            self.begin();
            self.listening.values().for_each(|call| call.outbox.wind_up());
            while !self.calls.is_empty()
                || !self.listens.is_empty()
                || !self.notices.is_empty()
                || !self.unsent.is_empty()
            {
                self.progress().await;
            }
            self.writer.flush().await;
        };
        let in_time = match deadline {
            Some(deadline) => timeout_at(deadline, quiet).await.is_ok(),
            None => {
                quiet.await;
                true
            }
        };
        if in_time {
            return End::Quiet;
        }
        crate::log::warn(&format!(
            "{} still in flight when their time was up",
            match self.ids.len() {
                1 => "1 call was".to_owned(),
                calls => format!("{calls} calls were"),
            }
        ));
        // What was answered still goes out, unless the client does not read.
        let writer = self.writer.clone();
        let end = self.end();
        let _ = timeout(LAST_WRITE, writer.flush()).await;
        end
    }

    /// Gives up whatever still runs.
    pub(super) fn end(mut self) -> End {
        let running = !self.calls.is_empty();
        self.peer.close();
        self.calls.abort_all();
        self.listens.abort_all();
        if running { End::Abandoned } else { End::Quiet }
    }
}

/// What has changed next for a client of the handshake era.
async fn next_change(listener: Option<&Arc<Listener>>) -> Change {
    match listener {
        Some(listener) => std::future::poll_fn(|cx| listener.poll_change(cx)).await,
        None => std::future::pending().await,
    }
}

/// Hands over the first answer that waits, once there is room.
async fn write_first(writer: &Writer, unsent: &mut VecDeque<Frame>) {
    // Taken only once there is room: this may be dropped before.
    writer.ready(unsent.front()).await;
    if let Some(frame) = unsent.pop_front()
        && let Err(frame) = writer.try_send(frame)
    {
        unsent.push_front(frame);
    }
}

/// How long a last write may take once the grace is over.
const LAST_WRITE: Duration = Duration::from_millis(200);
