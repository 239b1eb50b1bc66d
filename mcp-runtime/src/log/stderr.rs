//! Lines on stderr that nobody waits for. A full pipe that is not read blocks whoever writes to it, so that one thread
//! writes, and lines wait for it in a queue of a certain length.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many lines wait to be written. Those beyond are dropped and counted.
const MOST_WAITING: usize = 1024;

/// How long the end of a program waits for them.
const LAST_WRITE: Duration = Duration::from_millis(200);

static QUEUE: Queue = Queue::new();

/// Has a line written.
pub(super) fn write(line: &str) {
    if QUEUE.push(line) {
        let thread = std::thread::Builder::new().name("mcp-stderr".to_owned()).spawn(|| {
            loop {
                QUEUE.write_waiting();
            }
        });
        if thread.is_err() {
            QUEUE.write_waiting();
            QUEUE.lock().has_thread = false;
        }
    }
}

/// Waits until every line is written, as long as the end of a program may.
pub(super) fn flush() {
    QUEUE.flush(LAST_WRITE);
}

struct Queue {
    waiting: Mutex<Waiting>,
    filled: Condvar,
    emptied: Condvar,
}

struct Waiting {
    text: String,
    lines: usize,
    dropped: usize,
    /// Some lines were taken, and are on their way.
    writing: bool,
    has_thread: bool,
}

impl Queue {
    const fn new() -> Self {
        let waiting =
            Waiting { text: String::new(), lines: 0, dropped: 0, writing: false, has_thread: false };
        Self { waiting: Mutex::new(waiting), filled: Condvar::new(), emptied: Condvar::new() }
    }

    /// Adds a line where there is room; whether it is the first one, for which there is no thread yet.
    fn push(&self, line: &str) -> bool {
        let mut waiting = self.lock();
        if waiting.lines >= MOST_WAITING {
            waiting.dropped += 1;
            return false;
        }
        waiting.lines += 1;
        waiting.text.push_str(line);
        waiting.text.push('\n');
        self.filled.notify_one();
        !std::mem::replace(&mut waiting.has_thread, true)
    }

    /// Writes the lines that wait, once there are any. One that cannot be written is lost.
    fn write_waiting(&self) {
        let text = self.take();
        let _ = io::stderr().write_all(text.as_bytes());
        self.lock().writing = false;
        self.emptied.notify_all();
    }

    fn take(&self) -> String {
        let mut waiting = self
            .filled
            .wait_while(self.lock(), |waiting| waiting.lines == 0)
            .unwrap_or_else(PoisonError::into_inner);
        waiting.lines = 0;
        waiting.writing = true;
        let mut text = std::mem::take(&mut waiting.text);
        match std::mem::take(&mut waiting.dropped) {
            0 => {}
            1 => text.push_str("mcp-runtime: warning: 1 line was dropped: stderr was not read\n"),
            dropped => {
                let _ =
                    writeln!(text, "mcp-runtime: warning: {dropped} lines were dropped: stderr was not read");
            }
        }
        text
    }

    fn flush(&self, most: Duration) {
        let busy = |waiting: &mut Waiting| waiting.writing || waiting.lines > 0;
        drop(self.emptied.wait_timeout_while(self.lock(), most, busy));
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that holds the lock can panic half way through a change.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_no_room_is_counted_and_told_behind_what_did() {
        let queue = Queue::new();
        assert!(queue.push("line 0") && !queue.push("line 1"));
        (2..MOST_WAITING + 3).for_each(|n| assert!(!queue.push(&format!("line {n}"))));
        let text = queue.take();
        assert_eq!(text.lines().count(), MOST_WAITING + 1);
        assert!(text.starts_with("line 0\nline 1\n"));
        assert!(
            text.ends_with("line 1023\nmcp-runtime: warning: 3 lines were dropped: stderr was not read\n")
        );
        queue.push("there is room again");
        assert_eq!(queue.take(), "there is room again\n");
    }

    #[test]
    fn a_flush_waits_for_what_is_being_written_and_no_longer_than_it_may() {
        let queue = Queue::new();
        queue.flush(Duration::MAX);
        queue.push("line");
        let start = std::time::Instant::now();
        queue.flush(Duration::from_millis(20));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }
}
