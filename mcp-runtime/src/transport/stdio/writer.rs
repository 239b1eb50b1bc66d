//! The thread that writes: it puts all that waits into one write.

use std::io::Write;

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

use crate::engine::Frame;

/// How many messages may wait before senders have to.
const MOST_WAITING: usize = 256;

/// Sends messages to the client, each as a line.
#[derive(Clone)]
pub(crate) struct Writer(Sender<Item>);

enum Item {
    Message(Frame),
    /// Everything before this is to be written.
    Flush(oneshot::Sender<()>),
}

impl Writer {
    /// Hands over a message; waits while too many do.
    pub(crate) async fn send(&self, frame: Frame) {
        // An error says that the client is gone, which `closed` tells.
        let _ = self.0.send(Item::Message(frame)).await;
    }

    /// Waits until everything handed over has been written, or cannot be.
    pub(crate) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.0.send(Item::Flush(done)).await.is_ok() {
            let _ = written.await;
        }
    }

    /// Waits until the client is gone.
    pub(crate) async fn closed(&self) {
        self.0.closed().await;
    }
}

/// Writes on a thread of its own until the client or the last sender is gone.
pub(crate) fn write_on_thread(output: impl Write + Send + 'static) -> std::io::Result<Writer> {
    let (sender, receiver) = channel(MOST_WAITING);
    std::thread::Builder::new().name("mcp-stdout".to_owned()).spawn(move || write_all(output, receiver))?;
    Ok(Writer(sender))
}

fn write_all(mut output: impl Write, mut receiver: Receiver<Item>) {
    let mut bytes = Vec::new();
    let mut flushed = Vec::new();
    while let Some(first) = receiver.blocking_recv() {
        let mut next = Some(first);
        while let Some(item) = next {
            match item {
                Item::Message(frame) => {
                    bytes.extend_from_slice(&frame.head);
                    bytes.extend_from_slice(&frame.tail);
                    bytes.push(b'\n');
                }
                Item::Flush(done) => flushed.push(done),
            }
            next = receiver.try_recv().ok();
        }
        // A client that is gone ends the connection; there is nobody left to tell.
        if output.write_all(&bytes).and_then(|()| output.flush()).is_err() {
            return;
        }
        for done in flushed.drain(..) {
            let _ = done.send(());
        }
        bytes.clear();
        // One large list does not keep its memory for ever.
        bytes.shrink_to(1 << 20);
    }
}
