//! A connection by lines within one process: what is written to it, and what comes back.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use mcp_runtime::{Library, Server};
use serde_json::Value;

/// The client's end of a connection by lines.
pub struct Lines {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    kept: Vec<u8>,
}

/// The server's end: what it reads.
pub struct Input {
    bytes: Receiver<Vec<u8>>,
    kept: Vec<u8>,
}

/// The server's end: what it writes.
pub struct Output(Sender<Vec<u8>>);

/// Two ends of one connection.
pub fn connection() -> (Lines, Input, Output) {
    let (to_server, from_client) = channel();
    let (to_client, from_server) = channel();
    let lines = Lines { input: Some(to_server), output: from_server, kept: Vec::new() };
    (lines, Input { bytes: from_client, kept: Vec::new() }, Output(to_client))
}

/// The client's end of a connection to a server on a thread of its own.
pub fn serve(server: impl FnOnce() -> Server<Library> + Send + 'static) -> Lines {
    let (lines, input, output) = connection();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(server().lines(input, output)).expect("it serves");
    });
    lines
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.kept.is_empty() {
            self.kept = self.bytes.recv().unwrap_or_default();
        }
        let length = self.kept.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.kept[..length]);
        self.kept.drain(..length);
        Ok(length)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| std::io::Error::from(std::io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    /// Writes one line.
    pub fn send(&self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    pub fn send_bytes(&self, bytes: &[u8]) {
        // To read nothing is to read the end.
        if bytes.is_empty() {
            return;
        }
        let input = self.input.as_ref().expect("the input is open");
        input.send(bytes.to_vec()).expect("the server reads");
    }

    /// Ends the input.
    pub fn end(&mut self) {
        self.input = None;
    }

    /// The next message; none once the server has ended its output. Panics after 20 seconds of silence.
    pub fn message(&mut self) -> Option<Value> {
        let text = self.line()?;
        Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}")))
    }

    /// The next line, as it is written.
    pub fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.kept.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.kept.drain(..=end).collect();
                return Some(String::from_utf8(line).expect("output is UTF-8"));
            }
            match self.output.recv_timeout(Duration::from_secs(20)) {
                Ok(bytes) => self.kept.extend_from_slice(&bytes),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                    assert!(
                        self.kept.is_empty(),
                        "output ends within a line: {:?}",
                        String::from_utf8_lossy(&self.kept)
                    );
                    return None;
                }
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("the server is silent"),
            }
        }
    }

    /// Every line that is still to come, up to the end of the output.
    pub fn rest_of_lines(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Every message that is still to come, up to the end of the output.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.message()).collect()
    }
}
