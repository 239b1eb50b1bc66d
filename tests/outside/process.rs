//! One program, run to its end or to the end of its time.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A program that has ended by itself.
pub struct Ended {
    /// Its exit status was 0.
    pub success: bool,
    /// What it wrote to stdout and stderr.
    pub output: String,
}

impl Ended {
    /// What it wrote, if it succeeded.
    pub fn successful(self, what: &str) -> Result<String, String> {
        if self.success { Ok(self.output) } else { Err(format!("{what} failed:\n{}", self.output)) }
    }
}

/// Ends the program when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program until it has closed its output and ended; a program that takes longer than `time` is ended.
///
/// What it starts in turn shares its output, so that the end of the output is the end of those too.
pub fn run(mut command: Command, time: Duration) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let told = |error: io::Error| format!("`{name}` cannot be run: {error}");
    let (reader, writer) = io::pipe().map_err(told)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(told)?).stderr(writer);
    let mut running = Running(command.spawn().map_err(told)?);
    // It holds the ends that are written to; the output would never end.
    drop(command);

    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
            line.clear();
        }
    });

    let deadline = Instant::now() + time;
    let mut output = String::new();
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => output.push_str(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("`{name}` did not end within {time:?}; it wrote:\n{output}"));
            }
        }
    }
    let status = running.0.wait().map_err(told)?;
    Ok(Ended { success: status.success(), output })
}
