//! HTTP as bytes on a socket, so that a test can send what no client library would.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// One answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its HTTP status.
    pub status: u16,
    /// Its headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body, without chunking.
    pub body: Vec<u8>,
}

impl Answer {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The messages of the body: one JSON text, or the data of each event.
    pub fn messages(&self) -> Vec<Value> {
        let text = self.text();
        let json =
            |text: &str| serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
        if self.header("content-type") == Some("text/event-stream") {
            // An event that only begins a stream has no message.
            let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
            data.filter(|data| !data.is_empty()).map(json).collect()
        } else if text.is_empty() {
            Vec::new()
        } else {
            vec![json(&text)]
        }
    }

    /// The last message: the answer to the request.
    pub fn message(&self) -> Value {
        self.messages().pop().unwrap_or_default()
    }
}

/// Sends one request and reads its answer to the end. `Host` and `Content-Length` are as given, or not there.
pub fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Answer {
    let mut request = format!("{method} {path} HTTP/1.1\r\n").into_bytes();
    for (name, value) in headers {
        request.extend_from_slice(format!("{name}: ").as_bytes());
        // A header value is bytes: what is written as a character up to U+00FF is that byte.
        request.extend(value.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')));
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"Connection: close\r\n\r\n");
    request.extend_from_slice(body);
    exchange(address, &request)
}

/// Posts a message to `/mcp` over a connection that is left open, with its answer still to be read.
pub fn open(address: SocketAddr, body: &[u8], headers: &[(String, String)]) -> TcpStream {
    let mut socket = TcpStream::connect(address).expect("the server listens");
    let mut request = "POST /mcp HTTP/1.1\r\n".to_owned();
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    socket.write_all(request.as_bytes()).and_then(|()| socket.write_all(body)).expect("it can be written");
    socket
}

/// Sends bytes and reads the answer to them until the server closes the connection.
pub fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut socket = TcpStream::connect(address).expect("the server listens");
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    // A server that refuses early may close before everything is written; its answer is there all the same.
    let _ = socket.write_all(request);
    let mut bytes = Vec::new();
    if let Err(error) = socket.read_to_end(&mut bytes)
        && bytes.is_empty()
    {
        panic!("no answer: {error}");
    }
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("the answer has headers");
    let head = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let rest = &bytes[end + 4..];
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { unchunk(rest) } else { rest.to_vec() };
    Answer { status: status.expect("the answer has a status"), headers, body }
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end])
            .ok()
            .and_then(|size| usize::from_str_radix(size.trim(), 16).ok());
        let Some(size) = size.filter(|size| *size > 0) else { break };
        let start = end + 2;
        body.extend_from_slice(&rest[start..(start + size).min(rest.len())]);
        rest = rest.get(start + size + 2..).unwrap_or_default();
    }
    body
}
