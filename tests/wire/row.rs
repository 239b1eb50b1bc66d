//! One row: a request to a configuration of the server, and everything that is expected of the answer. Each is sent
//! over a socket to the accept loop, and to the mounted router.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use serde_json::Value;

use crate::fixture::{Config, RUNS, turn};
use crate::request::Request;
use mcp_runtime_tests::raw::{Answer, send};

/// One row.
pub struct Row {
    id: &'static str,
    config: Config,
    request: Request,
    status: u16,
    checks: Vec<Check>,
}

type Check = Box<dyn Fn(&Answer) -> Result<(), String>>;

/// A row of that id.
pub fn row(id: &'static str, request: Request) -> Row {
    Row { id, config: Config::Default, request, status: 200, checks: Vec::new() }
}

impl Row {
    /// The server is configured like this.
    pub fn to(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// The HTTP status.
    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    fn check(mut self, check: impl Fn(&Answer) -> Result<(), String> + 'static) -> Self {
        self.checks.push(Box::new(check));
        self
    }

    /// An error of that status and code, for the id of the request, which is 1 unless it says otherwise.
    pub fn error(self, status: u16, code: i64) -> Self {
        self.error_for(status, code, Some(Value::from(1)))
    }

    /// An error without an id; no handler ran.
    pub fn error_without_id(self, status: u16, code: i64) -> Self {
        self.error_for(status, code, None)
    }

    /// An error for that id, or for none.
    pub fn error_for(self, status: u16, code: i64, id: Option<Value>) -> Self {
        self.status(status).check(move |answer| {
            let message = answer.message();
            if message["error"]["code"] != code {
                return Err(format!("the code is not {code}"));
            }
            if message.get("id") != id.as_ref() {
                return Err(format!("the id is not {id:?}"));
            }
            Ok(())
        })
    }

    /// The error's message says this.
    pub fn says(self, text: &'static str) -> Self {
        self.check(move |answer| {
            let message = answer.message();
            let said = message["error"]["message"].as_str().unwrap_or_default();
            if said.contains(text) { Ok(()) } else { Err(format!("{text:?} is not said")) }
        })
    }

    /// The value at a pointer into the message.
    pub fn at(self, pointer: &'static str, expected: impl Into<Value>) -> Self {
        let expected = expected.into();
        self.check(move |answer| {
            let message = answer.message();
            match message.pointer(pointer) {
                Some(value) if *value == expected => Ok(()),
                other => Err(format!("{pointer} is {other:?}, not {expected}")),
            }
        })
    }

    /// Nothing is at a pointer into the message.
    pub fn nothing_at(self, pointer: &'static str) -> Self {
        self.check(move |answer| match answer.message().pointer(pointer) {
            None => Ok(()),
            Some(value) => Err(format!("{pointer} is {value}")),
        })
    }

    /// The answer has no body, and no type of one.
    pub fn empty(self) -> Self {
        self.check(|answer| {
            if !answer.body.is_empty() || answer.header("content-type").is_some() {
                return Err("there is a body".to_owned());
            }
            Ok(())
        })
    }

    /// The answer has a header of that value.
    pub fn has(self, name: &'static str, value: &'static str) -> Self {
        self.check(move |answer| match answer.header(name) {
            Some(sent) if sent == value => Ok(()),
            other => Err(format!("{name} is {other:?}, not {value}")),
        })
    }

    /// The answer has a header that contains this.
    pub fn lists(self, name: &'static str, value: &'static str) -> Self {
        self.check(move |answer| match answer.header(name) {
            Some(sent) if sent.split(", ").any(|one| one == value) => Ok(()),
            other => Err(format!("{name} is {other:?}, without {value}")),
        })
    }

    /// The answer does not contain this anywhere.
    pub fn without(self, text: &'static str) -> Self {
        self.check(move |answer| {
            let headers = format!("{:?}", answer.headers);
            if answer.text().contains(text) || headers.contains(text) {
                Err(format!("it contains {text}"))
            } else {
                Ok(())
            }
        })
    }

    /// The body is exactly this.
    pub fn body(self, text: &'static str) -> Self {
        self.check(
            move |answer| if answer.text() == text { Ok(()) } else { Err(format!("the body is not {text}")) },
        )
    }

    fn judge(&self, level: &str, answer: &Answer, ran: usize) -> Option<String> {
        let mut wrong: Vec<String> = self.checks.iter().filter_map(|check| check(answer).err()).collect();
        if answer.status != self.status {
            wrong.push(format!("the status is not {}", self.status));
        }
        if answer.status >= 400 && ran > 0 {
            wrong.push("a handler ran".to_owned());
        }
        if wrong.is_empty() {
            return None;
        }
        let headers = &answer.headers;
        let id = self.id;
        Some(format!(
            "{id} ({level}): {}\n    {} {headers:?}\n    {}",
            wrong.join("; "),
            answer.status,
            answer.text()
        ))
    }
}

/// Sends every row on each of its levels, and tells all that are wrong at once.
pub fn check_all(rows: Vec<Row>) {
    let _turn = turn();
    let mut sockets: HashMap<Config, SocketAddr> = HashMap::new();
    let mut wrong = Vec::new();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for row in &rows {
        let address = *sockets.entry(row.config).or_insert_with(|| row.config.listen());
        let before = RUNS.load(Ordering::SeqCst);
        let answer = over_socket(address, &row.request);
        wrong.extend(row.judge("socket", &answer, RUNS.load(Ordering::SeqCst) - before));

        let before = RUNS.load(Ordering::SeqCst);
        if let Some(answer) = runtime.block_on(through_router(row)) {
            wrong.extend(row.judge("router", &answer, RUNS.load(Ordering::SeqCst) - before));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn over_socket(address: SocketAddr, request: &Request) -> Answer {
    let body = request.bytes();
    let mut headers = request.headers.clone();
    let framed = headers.iter().any(|(name, _)| {
        name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("transfer-encoding")
    });
    if request.method == "POST" && !framed {
        headers.push(("Content-Length".to_owned(), body.len().to_string()));
    }
    send(address, request.method, request.path, &headers, &body)
}

/// The same through the mounted router; none where the request cannot be one there.
async fn through_router(row: &Row) -> Option<Answer> {
    use tower_service::Service as _;

    let mut request = http::Request::builder().method(row.request.method).uri(row.request.path);
    for (name, value) in &row.request.headers {
        let bytes: Vec<u8> =
            value.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect();
        request = request.header(name.as_str(), http::HeaderValue::from_bytes(&bytes).ok()?);
    }
    let request = request.body(axum::body::Body::from(row.request.bytes())).ok()?;
    let mut router = row.config.server().into_router().expect("the fixture is in order");
    let response = router.call(request).await.expect("a router does not fail");
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the body can be read").to_vec();
    let headers = parts
        .headers
        .iter()
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect();
    Some(Answer { status: parts.status.as_u16(), headers, body })
}
