//! An HTTP answer that comes as server-sent events, read as they come.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// What names it.
    pub id: Option<String>,
    /// Its data; `Some("")` where there is a line of it with nothing in it.
    pub data: Option<String>,
    /// After which time to come back, in milliseconds.
    pub retry: Option<u64>,
}

impl Event {
    /// The message that it carries.
    pub fn message(&self) -> Value {
        let data = self.data.as_deref().unwrap_or_default();
        serde_json::from_str(data).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

/// An answer whose body has not been read yet.
pub struct Events {
    socket: BufReader<TcpStream>,
    /// The HTTP status.
    pub status: u16,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// What is left of the chunk that is being read.
    chunk: usize,
    ended: bool,
}

impl Events {
    /// Sends a request and reads as far as the headers of its answer.
    pub fn open(address: SocketAddr, method: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let mut request = format!("{method} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if method == "POST" {
            request
                .push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
        }
        request.push_str("Connection: close\r\n\r\n");
        request.push_str(body);
        let mut socket = TcpStream::connect(address).expect("the server listens");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
        socket.write_all(request.as_bytes()).expect("it can be written");
        let mut socket = BufReader::new(socket);
        let status = line(&mut socket);
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let mut headers = Vec::new();
        loop {
            let line = line(&mut socket);
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Self { socket, status, headers, chunk: 0, ended: false }
    }

    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The next event that is no comment; none at the end. Panics after 20 seconds of silence.
    pub fn next_event(&mut self) -> Option<Event> {
        loop {
            let mut event = Event::default();
            let mut empty = true;
            loop {
                let line = self.body_line()?;
                if line.is_empty() {
                    break;
                }
                if let Some(id) = line.strip_prefix("id: ") {
                    event.id = Some(id.to_owned());
                } else if let Some(data) = line.strip_prefix("data: ") {
                    event.data = Some(data.to_owned());
                } else if let Some(retry) = line.strip_prefix("retry: ") {
                    event.retry = Some(retry.parse().expect("a number"));
                } else {
                    assert!(line.starts_with(':'), "{line}");
                    continue;
                }
                empty = false;
            }
            if !empty {
                return Some(event);
            }
        }
    }

    /// Every event that is still to come, up to the end.
    pub fn rest(&mut self) -> Vec<Event> {
        std::iter::from_fn(|| self.next_event()).collect()
    }

    /// What is left of the body, as text.
    pub fn text(&mut self) -> String {
        if self.header("transfer-encoding").is_some() {
            return std::iter::from_fn(|| self.body_line()).collect::<Vec<_>>().join("\n");
        }
        let mut text = String::new();
        self.socket.read_to_string(&mut text).expect("the body is text");
        text
    }

    fn body_line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        while !self.ended {
            if self.chunk == 0 {
                let size = chunk_size(&mut self.socket)?;
                if size == 0 {
                    self.ended = true;
                    break;
                }
                self.chunk = size;
            }
            let mut byte = [0];
            self.socket.read_exact(&mut byte).expect("the chunk is whole");
            self.chunk -= 1;
            if self.chunk == 0 {
                crate::events::line(&mut self.socket);
            }
            if byte[0] == b'\n' {
                return Some(String::from_utf8(line).expect("events are UTF-8"));
            }
            line.push(byte[0]);
        }
        None
    }
}

/// The size of the next chunk; none where the connection ended without another.
fn chunk_size(socket: &mut BufReader<TcpStream>) -> Option<usize> {
    let line = line(socket);
    if line.is_empty() { None } else { usize::from_str_radix(&line, 16).ok() }
}

fn line(socket: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    socket.read_line(&mut line).expect("the answer arrives");
    line.trim_end().to_owned()
}
