//! The thread that writes: it puts all that waits into one write.
//!
//! While several messages are being answered, it does not write each answer by itself: a client that sends many at
//! once would send one for each answer from then on, and every message would cost a read, a write and two switches
//! between threads.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Semaphore, oneshot};

use crate::engine::Frame;

/// How many bytes may wait before senders have to. A message that is longer waits for all of it.
const MOST_WAITING: u32 = 4 * 1024 * 1024;

/// Sends messages to the client, each as a line.
#[derive(Clone)]
pub(crate) struct Writer {
    items: UnboundedSender<Item>,
    room: Arc<Semaphore>,
    hold: Arc<Hold>,
}

/// Whether more is about to come.
#[derive(Default)]
struct Hold {
    is_on: AtomicBool,
    thread: OnceLock<Thread>,
}

/// How long a message waits for others at most: one of those that are being answered may take long.
const LONGEST_HOLD: Duration = Duration::from_millis(1);

impl Hold {
    /// Lets the writer wait for more, where more is coming.
    fn wait(&self) {
        if self.is_on.load(Ordering::Acquire) {
            std::thread::park_timeout(LONGEST_HOLD);
        }
    }
}

/// As long as this is there, more is about to come.
pub(crate) struct Held(Arc<Hold>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.is_on.store(false, Ordering::Release);
        if let Some(thread) = self.0.thread.get() {
            thread.unpark();
        }
    }
}

enum Item {
    /// A message, and how much of the room it takes.
    Message(Frame, u32),
    /// Everything before this is to be written.
    Flush(oneshot::Sender<()>),
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
        if let Ok(room) = self.room.acquire_many(size).await {
            room.forget();
            let _ = self.items.send(Item::Message(frame, size));
        }
    }

    /// Hands over a message where there is room for it; else it comes back.
    pub(crate) fn try_send(&self, frame: Frame) -> Result<(), Frame> {
        let size = size(&frame);
        match self.room.try_acquire_many(size) {
            Ok(room) => {
                room.forget();
                let _ = self.items.send(Item::Message(frame, size));
                Ok(())
            }
            Err(tokio::sync::TryAcquireError::NoPermits) => Err(frame),
            Err(tokio::sync::TryAcquireError::Closed) => Ok(()),
        }
    }

    /// Has messages wait for those that follow them at once.
    pub(crate) fn hold(&self) -> Held {
        self.hold.is_on.store(true, Ordering::Release);
        Held(Arc::clone(&self.hold))
    }

    /// Waits until there is room for a message.
    pub(crate) async fn ready(&self, frame: Option<&Frame>) {
        if let Some(frame) = frame {
            let _ = self.room.acquire_many(size(frame)).await;
        }
    }

    /// Waits until everything handed over has been written, or cannot be.
    pub(crate) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.items.send(Item::Flush(done)).is_ok() {
            let _ = written.await;
        }
    }

    /// Waits until the client is gone.
    pub(crate) async fn closed(&self) {
        self.items.closed().await;
    }
}

/// Writes on a thread of its own until the client or the last sender is gone.
pub(crate) fn write_on_thread(output: impl Write + Send + 'static) -> std::io::Result<Writer> {
    let (items, receiver) = unbounded_channel();
    let room = Arc::new(Semaphore::new(MOST_WAITING as usize));
    let given = Arc::clone(&room);
    let hold = Arc::new(Hold::default());
    let held = Arc::clone(&hold);
    let thread = std::thread::Builder::new().name("mcp-stdout".to_owned()).spawn(move || {
        write_all(output, receiver, &given, &held);
        given.close();
    })?;
    // Nothing else sets it.
    let _ = hold.thread.set(thread.thread().clone());
    Ok(Writer { items, room, hold })
}

/// Hands over each message within the process, until the client or the last sender is gone.
#[cfg(feature = "client")]
pub(crate) fn write_to(
    client: tokio::sync::mpsc::Sender<bytes::Bytes>,
) -> (Writer, impl Future<Output = ()> + Send) {
    let (items, mut receiver) = unbounded_channel();
    let room = Arc::new(Semaphore::new(MOST_WAITING as usize));
    let given = Arc::clone(&room);
    let writing = async move {
        while let Some(item) = receiver.recv().await {
            match item {
                Item::Message(frame, size) => {
                    let line = if frame.tail.is_empty() {
                        frame.head
                    } else {
                        [frame.head, frame.tail].concat().into()
                    };
                    if client.send(line).await.is_err() {
                        break;
                    }
                    given.add_permits(size as usize);
                }
                Item::Flush(done) => drop(done.send(())),
            }
        }
        given.close();
    };
    (Writer { items, room, hold: Arc::default() }, writing)
}

fn write_all(mut output: impl Write, mut items: UnboundedReceiver<Item>, room: &Semaphore, hold: &Hold) {
    let mut bytes = Vec::new();
    let mut flushed = Vec::new();
    while let Some(first) = items.blocking_recv() {
        hold.wait();
        let mut next = Some(first);
        let mut taken = 0;
        while let Some(item) = next {
            match item {
                Item::Message(frame, size) => {
                    bytes.extend_from_slice(&frame.head);
                    bytes.extend_from_slice(&frame.tail);
                    bytes.push(b'\n');
                    taken += size as usize;
                }
                Item::Flush(done) => flushed.push(done),
            }
            next = items.try_recv().ok();
        }
        // A client that is gone ends the connection; there is nobody left to tell.
        if output.write_all(&bytes).and_then(|()| output.flush()).is_err() {
            return;
        }
        room.add_permits(taken);
        for done in flushed.drain(..) {
            let _ = done.send(());
        }
        bytes.clear();
        // One large list does not keep its memory for ever.
        bytes.shrink_to(1 << 20);
    }
}
