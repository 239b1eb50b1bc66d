//! Messages by lines over a pipe (2026-07-28, "stdio").
//!
//! A thread reads, a thread writes, and one task in between takes lines in order. It never waits for the client to
//! read: whatever is not read, cancellations, the end of the input and the order to stop are noticed.

mod connection;
mod lines;
mod reader;
mod writer;

#[cfg(feature = "client")]
pub(crate) use self::lines::{Cutter, Line, lines};
#[cfg(feature = "client")]
pub(crate) use self::writer::write_to;

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;

use self::connection::Connection;
pub(crate) use self::lines::Block;
use self::reader::read_on_thread;
use self::writer::{Writer, write_on_thread};
use crate::dispatch::Dispatcher;

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

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Everything that was called has ended.
    Quiet,
    /// Calls were given up. Those that block a thread still do.
    Abandoned,
}

/// Serves one connection until its input ends or the token is cancelled.
pub(crate) async fn serve(
    dispatcher: Arc<Dispatcher>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    settings: Settings,
    stop: CancellationToken,
) -> std::io::Result<End> {
    let blocks = read_on_thread(input, settings.max_line)?;
    let writer = write_on_thread(output)?;
    Ok(converse(dispatcher, blocks, writer, settings, stop).await)
}

/// Serves one connection, wherever its lines come from and go to.
pub(crate) async fn converse(
    dispatcher: Arc<Dispatcher>,
    mut blocks: Receiver<Block>,
    writer: Writer,
    settings: Settings,
    stop: CancellationToken,
) -> End {
    let mut connection = Connection::new(dispatcher, writer.clone(), settings);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            () = writer.closed() => return connection.end(),
            () = connection.progress() => {}
            block = blocks.recv(), if connection.takes_more() => match block {
                Some(block) => connection.block(block),
                None => break,
            },
        }
    }
    connection.finish().await
}
