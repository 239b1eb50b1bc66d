//! The thread that writes: it puts all that waits into one write.
//!
//! While several messages are being answered, it does not write each answer by itself: a client that sends many at
//! once would send one for each answer from then on, and every message would cost a read, a write and switches
//! between threads.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
#[cfg(feature = "client")]
use std::task::Poll;
use std::task::Waker;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use tokio_util::sync::CancellationToken;

use crate::engine::Frame;

/// How many bytes may wait before senders have to. A message that is longer waits for all of it.
const MOST_WAITING: u32 = 4 * 1024 * 1024;

/// How long a message waits for others at most: one of those that are being answered may take long.
const LONGEST_HOLD: Duration = Duration::from_millis(1);

/// Sends messages to the client, each as a line.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Sender>);

/// As long as this is there, more is about to come.
pub(crate) struct Held(Arc<Channel>);

/// What all clones of a writer are; when it is dropped, the thread ends once it has written what waits.
struct Sender(Arc<Channel>);

struct Channel {
    room: Semaphore,
    gone: CancellationToken,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// What waits to be written.
#[derive(Default)]
struct Waiting {
    lines: Vec<u8>,
    /// How much of the room it takes.
    size: usize,
    /// Whoever wants to know that everything before now has been written.
    flushes: Vec<oneshot::Sender<()>>,
    is_held: bool,
    has_ended: bool,
    thread: Thread,
    /// Where it is a task that takes what waits, what wakes it.
    task: Option<Waker>,
}

/// What the thread waits for, and so when it is worth waking.
#[derive(Default, PartialEq, Eq)]
enum Thread {
    #[default]
    Busy,
    AnyLine,
    EndOfHold,
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.flushes.is_empty()
    }

    /// Takes what waits. `room` is where the next lines are kept.
    fn take(&mut self, room: Vec<u8>) -> Self {
        Self {
            lines: std::mem::replace(&mut self.lines, room),
            size: std::mem::take(&mut self.size),
            flushes: std::mem::take(&mut self.flushes),
            ..Self::default()
        }
    }
}

impl Channel {
    fn new() -> Self {
        Self {
            room: Semaphore::new(MOST_WAITING as usize),
            gone: CancellationToken::new(),
            waiting: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing panics while it is locked.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the thread where it waits for this.
    fn tell(&self, mut waiting: MutexGuard<'_, Waiting>, what: Thread) {
        if let Some(task) = waiting.task.take() {
            drop(waiting);
            task.wake();
        } else if waiting.thread == what {
            waiting.thread = Thread::Busy;
            drop(waiting);
            self.changed.notify_one();
        }
    }

    fn push(&self, frame: &Frame, size: u32) {
        let mut waiting = self.lock();
        waiting.lines.extend_from_slice(&frame.head);
        waiting.lines.extend_from_slice(&frame.tail);
        waiting.lines.push(b'\n');
        waiting.size += size as usize;
        self.tell(waiting, Thread::AnyLine);
    }

    fn flush(&self) -> oneshot::Receiver<()> {
        let (done, written) = oneshot::channel();
        let mut waiting = self.lock();
        waiting.flushes.push(done);
        self.tell(waiting, Thread::AnyLine);
        written
    }

    /// Waits for something to do; `None` once nothing more comes.
    fn next(&self, written: Vec<u8>) -> Option<Waiting> {
        let mut waiting = self.lock();
        while waiting.is_empty() {
            if waiting.has_ended {
                return None;
            }
            waiting.thread = Thread::AnyLine;
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.is_held {
            waiting.thread = Thread::EndOfHold;
            let held = self.changed.wait_timeout_while(waiting, LONGEST_HOLD, |waiting| waiting.is_held);
            waiting = held.unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.thread = Thread::Busy;
        Some(waiting.take(written))
    }

    /// The same for a task.
    #[cfg(feature = "client")]
    fn poll_next(&self, cx: &std::task::Context<'_>) -> Poll<Option<Waiting>> {
        let mut waiting = self.lock();
        if waiting.is_empty() && waiting.has_ended {
            return Poll::Ready(None);
        }
        if waiting.is_empty() || waiting.is_held {
            waiting.task = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Some(waiting.take(Vec::new())))
    }
}

fn size(frame: &Frame) -> u32 {
    // An empty message would wait for nothing, and so would any number of them.
    u32::try_from(frame.len() + 64).unwrap_or(MOST_WAITING).min(MOST_WAITING)
}

impl Writer {
    /// Hands over a message; waits while too much does.
    pub(crate) async fn send(&self, frame: Frame) {
        let size = size(&frame);
        // An error says that the client is gone, which `closed` tells.
        if let Ok(room) = self.0.0.room.acquire_many(size).await {
            room.forget();
            self.0.0.push(&frame, size);
        }
    }

    /// Hands over a message where there is room for it; else it comes back.
    pub(crate) fn try_send(&self, frame: Frame) -> Result<(), Frame> {
        let size = size(&frame);
        match self.0.0.room.try_acquire_many(size) {
            Ok(room) => {
                room.forget();
                self.0.0.push(&frame, size);
                Ok(())
            }
            Err(tokio::sync::TryAcquireError::NoPermits) => Err(frame),
            Err(tokio::sync::TryAcquireError::Closed) => Ok(()),
        }
    }

    /// Has messages wait for those that follow them at once.
    pub(crate) fn hold(&self) -> Held {
        self.0.0.lock().is_held = true;
        Held(Arc::clone(&self.0.0))
    }

    /// Waits until there is room for a message.
    pub(crate) async fn ready(&self, frame: Option<&Frame>) {
        if let Some(frame) = frame {
            let _ = self.0.0.room.acquire_many(size(frame)).await;
        }
    }

    /// Waits until everything handed over has been written, or cannot be.
    pub(crate) async fn flush(&self) {
        let written = self.0.0.flush();
        tokio::select! {
            _ = written => {}
            () = self.0.0.gone.cancelled() => {}
        }
    }

    /// Waits until the client is gone.
    pub(crate) async fn closed(&self) {
        self.0.0.gone.cancelled().await;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.is_held = false;
        self.0.tell(waiting, Thread::EndOfHold);
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let mut waiting = self.0.lock();
        waiting.has_ended = true;
        self.0.tell(waiting, Thread::AnyLine);
    }
}

/// Writes on a thread of its own until the client or the last sender is gone.
pub(crate) fn write_on_thread(output: impl Write + Send + 'static) -> std::io::Result<Writer> {
    let channel = Arc::new(Channel::new());
    let given = Arc::clone(&channel);
    std::thread::Builder::new().name("mcp-stdout".to_owned()).spawn(move || {
        let given = Gone(given);
        write_all(output, &given.0);
    })?;
    Ok(Writer(Arc::new(Sender(channel))))
}

/// Hands over each line within the process, until the client or the last sender is gone.
#[cfg(feature = "client")]
pub(crate) fn write_to(
    client: tokio::sync::mpsc::Sender<bytes::Bytes>,
) -> (Writer, impl Future<Output = ()> + Send) {
    let channel = Arc::new(Channel::new());
    let given = Gone(Arc::clone(&channel));
    let writing = async move {
        while let Some(next) = std::future::poll_fn(|cx| given.0.poll_next(cx)).await {
            let Waiting { lines, size, flushes, .. } = next;
            let lines = bytes::Bytes::from(lines);
            for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                if client.send(lines.slice_ref(line)).await.is_err() {
                    return;
                }
            }
            given.0.room.add_permits(size);
            for done in flushes {
                let _ = done.send(());
            }
        }
    };
    (Writer(Arc::new(Sender(channel))), writing)
}

/// Tells that whoever writes has ended, however it did.
struct Gone(Arc<Channel>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.room.close();
        self.0.gone.cancel();
    }
}

fn write_all(mut output: impl Write, channel: &Channel) {
    let mut written = Vec::new();
    while let Some(Waiting { mut lines, size, flushes, .. }) = channel.next(written) {
        // A client that is gone ends the connection; there is nobody left to tell.
        if output.write_all(&lines).and_then(|()| output.flush()).is_err() {
            return;
        }
        channel.room.add_permits(size);
        for done in flushes {
            let _ = done.send(());
        }
        lines.clear();
        // One large list does not keep its memory for ever.
        lines.shrink_to(1 << 20);
        written = lines;
    }
}
