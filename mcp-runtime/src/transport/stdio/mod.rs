//! Messages by lines over a pipe (2026-07-28, "stdio").
//!
//! A thread reads, a thread writes, and one task in between takes lines in order. What a request calls is driven on
//! the spot; what has to wait goes on as a task of its own.

mod lines;
mod reader;
mod writer;

use std::collections::{HashMap, VecDeque};
use std::io::{Read, Write};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use self::lines::{Block, Line, lines, too_long};
use self::reader::read_on_thread;
use self::writer::{Writer, write_on_thread};
use crate::call::RequestId;
use crate::dispatch::{Dispatcher, Running, Started, Step};
use crate::engine::{Admission, Caller, Frame, Notice, Pipe, Work};

/// How a connection by lines behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The longest line, in bytes.
    pub(crate) max_line: usize,
    /// How many requests run at once.
    pub(crate) concurrency: usize,
    /// How long calls in flight may go on after the input has ended or the server is told to stop.
    pub(crate) grace: Duration,
}

/// Serves one connection until its input ends or the token is cancelled.
pub(crate) async fn serve(
    dispatcher: Arc<Dispatcher>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    settings: Settings,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let mut blocks = read_on_thread(input, settings.max_line)?;
    let writer = write_on_thread(output)?;
    let mut connection = Connection {
        dispatcher,
        pipe: Pipe::default(),
        writer,
        calls: JoinSet::new(),
        ids: HashMap::new(),
        waiting: VecDeque::new(),
        settings,
    };
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            () = connection.writer.closed() => return Ok(()),
            Some(ended) = connection.calls.join_next_with_id(), if !connection.calls.is_empty() => {
                connection.ended(ended).await;
            }
            block = blocks.recv(), if connection.has_room() => match block {
                Some(block) => connection.block(block).await,
                None => break,
            },
        }
    }
    connection.finish().await;
    Ok(())
}

/// How many requests may wait for their turn before no more are read.
const MOST_WAITING: usize = 1024;

struct Connection {
    dispatcher: Arc<Dispatcher>,
    pipe: Pipe,
    writer: Writer,
    /// The calls that have to wait for something.
    calls: JoinSet<RequestId>,
    ids: HashMap<RequestId, AbortHandle>,
    /// Requests that wait for their turn.
    waiting: VecDeque<Work>,
    settings: Settings,
}

impl Connection {
    fn has_room(&self) -> bool {
        self.waiting.len() < MOST_WAITING
    }

    async fn block(&mut self, block: Block) {
        match block {
            Block::TooLong => self.writer.send(too_long(self.settings.max_line)).await,
            Block::Lines(block) => {
                for line in lines(block, self.settings.max_line) {
                    match line {
                        Line::Message(line) => self.line(line).await,
                        Line::TooLong => self.writer.send(too_long(self.settings.max_line)).await,
                    }
                }
            }
        }
    }

    async fn line(&mut self, line: Bytes) {
        let engine = &self.dispatcher.engine;
        match engine.admit_line(&mut self.pipe, &line) {
            Admission::Answer(answer) => self.writer.send(answer.frame).await,
            Admission::Silent(_) => {}
            Admission::Notice(draft, notification) => {
                let notice = Notice::new(engine, draft, notification, line, Caller::by_lines());
                tokio::spawn(Arc::clone(&self.dispatcher).notify(notice));
            }
            Admission::Cancel(id) => self.cancel(&id),
            Admission::Work(draft, job) => {
                let work = Work::new(engine, draft, job, line, Caller::by_lines());
                if self.calls.len() < self.settings.concurrency && self.waiting.is_empty() {
                    self.start(work).await;
                } else {
                    self.waiting.push_back(work);
                }
            }
        }
    }

    async fn start(&mut self, work: Work) {
        let Some(id) = work.call.request_id() else { return };
        match self.dispatcher.start(work) {
            Started::Answer(answer) => self.writer.send(answer.frame).await,
            Started::Running(mut running) => {
                // Most handlers are done before they have to wait: they need no task.
                let first = std::future::poll_fn(|cx| match running.poll_step(cx) {
                    Poll::Ready(step) => Poll::Ready(Some(step)),
                    Poll::Pending => Poll::Ready(None),
                })
                .await;
                match first {
                    Some(Step::Answer(answer)) => self.writer.send(answer.frame).await,
                    Some(Step::Message(message)) => self.go_on(id, running, Some(message)),
                    None => self.go_on(id, running, None),
                }
            }
        }
    }

    /// Drives a call to its end as a task of its own.
    fn go_on(&mut self, id: RequestId, mut running: Running, message: Option<Bytes>) {
        let writer = self.writer.clone();
        let own = id.clone();
        let handle = self.calls.spawn(async move {
            if let Some(message) = message {
                writer.send(Frame::from(message)).await;
            }
            loop {
                match running.step().await {
                    Step::Message(message) => writer.send(Frame::from(message)).await,
                    Step::Answer(answer) => {
                        writer.send(answer.frame).await;
                        return own;
                    }
                }
            }
        });
        // An id that is used twice is the client's own confusion: both are answered, and the later one is cancelled.
        self.ids.insert(id, handle);
    }

    /// A call is over: those that wait have their turn.
    async fn ended(&mut self, ended: Result<(tokio::task::Id, RequestId), JoinError>) {
        if let Ok((task, id)) = ended
            && self.ids.get(&id).is_some_and(|handle| handle.id() == task)
        {
            self.ids.remove(&id);
        }
        while self.calls.len() < self.settings.concurrency
            && let Some(work) = self.waiting.pop_front()
        {
            self.start(work).await;
        }
    }

    /// Ends a call, or takes it from those that wait. Nothing is answered to it any more.
    fn cancel(&mut self, id: &RequestId) {
        if let Some(handle) = self.ids.remove(id) {
            handle.abort();
        }
        self.waiting.retain(|work| work.call.request_id().as_ref() != Some(id));
    }

    /// Lets what is in flight end, and writes what is still to be written, for as long as the grace lasts.
    async fn finish(mut self) {
        let deadline = tokio::time::Instant::now() + self.settings.grace;
        let ended = tokio::time::timeout_at(deadline, async {
            while let Some(ended) = self.calls.join_next_with_id().await {
                self.ended(ended).await;
            }
            self.writer.flush().await;
        });
        if ended.await.is_err() {
            crate::log::warn(&format!(
                "{} calls were still in flight when their time was up",
                self.calls.len()
            ));
            // What was answered still goes out, unless the client does not read.
            self.calls.abort_all();
            let _ = tokio::time::timeout(LAST_WRITE, self.writer.flush()).await;
        }
    }
}

/// How long a last write may take once the grace is over.
const LAST_WRITE: Duration = Duration::from_millis(200);
