//! The thread that reads: it hands over all the whole lines of one read at a time.

use std::io::{ErrorKind, Read};

use tokio::sync::mpsc::{Receiver, channel};

use super::lines::{Block, Cutter};

/// How many blocks may wait before no more is read.
const MOST_WAITING: usize = 16;

/// How much is read at once.
const READ: usize = 64 * 1024;

/// Reads on a thread of its own until the input ends. The thread does not keep the process alive.
pub(crate) fn read_on_thread(
    mut input: impl Read + Send + 'static,
    max_line: usize,
) -> std::io::Result<Receiver<Block>> {
    let (sender, receiver) = channel(MOST_WAITING);
    std::thread::Builder::new().name("mcp-stdin".to_owned()).spawn(move || {
        let mut cutter = Cutter::new(max_line);
        let mut bytes = vec![0; READ];
        loop {
            match input.read(&mut bytes) {
                Ok(0) => break,
                Ok(read) => {
                    let mut open = true;
                    cutter.push(&bytes[..read], |block| open &= sender.blocking_send(block).is_ok());
                    if !open {
                        return;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    crate::log::warn(&format!("reading from the client failed: {error}"));
                    break;
                }
            }
        }
        if let Some(last) = cutter.end() {
            let _ = sender.blocking_send(last);
        }
    })?;
    Ok(receiver)
}
