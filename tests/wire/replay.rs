//! The runner: replays each row on each of its levels, and tells everything that is wrong at once.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use mcp_runtime::__private::alone::{self, Alone};
use mcp_runtime::prelude::mcp;
use mcp_runtime::{Library, Server};
use mcp_runtime_tests::lines;
use mcp_runtime_tests::listen::listen;
use mcp_runtime_tests::raw::{Answer, send};
use serde_json::Value;

use crate::fixture::{Config, RUNS, turn};
use crate::request::Request;
use crate::row::{Exchange, Level, Row, Said};

/// What stands around the servers that rows are replayed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    Nothing,
    /// Middleware in both stacks, which lets everything pass.
    Stacks,
}

/// The servers that rows are replayed on, each started when it is first needed.
pub struct Servers {
    around: Around,
    runtime: tokio::runtime::Runtime,
    engines: HashMap<Config, Alone>,
    routers: HashMap<Config, axum::Router>,
    sockets: HashMap<Config, SocketAddr>,
}

/// Replays rows, and tells everything that is wrong with them at once.
pub fn check_all(rows: Vec<Row>) {
    check_around(Around::Nothing, rows);
}

/// The same on servers with something around them.
pub fn check_around(around: Around, rows: Vec<Row>) {
    let _turn = turn();
    let mut servers = Servers { around, ..Servers::default() };
    let mut wrong = Vec::new();
    for row in &rows {
        for level in &row.levels {
            let before = RUNS.load(Ordering::SeqCst);
            match servers.replay(row, *level) {
                Ok(came) => {
                    wrong.extend(row.judge(*level, &came, RUNS.load(Ordering::SeqCst) - before));
                }
                Err(text) => wrong.push(format!("{} ({level:?}): {text}", row.id)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults in {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

impl Default for Servers {
    fn default() -> Self {
        Self {
            around: Around::Nothing,
            runtime: tokio::runtime::Runtime::new().expect("a runtime"),
            engines: HashMap::new(),
            routers: HashMap::new(),
            sockets: HashMap::new(),
        }
    }
}

impl Around {
    fn of(self, config: Config) -> Server<Library> {
        async fn pass(call: mcp::Call, next: mcp::Next) -> mcp::Reply {
            next.run(call).await
        }
        match self {
            Self::Nothing => config.server(),
            Self::Stacks => config.server().receive_middleware(pass).send_middleware(pass),
        }
    }
}

impl Servers {
    /// What came of each exchange of a row.
    pub fn replay(&mut self, row: &Row, level: Level) -> Result<Vec<Said>, String> {
        let each = row.exchanges.iter();
        match level {
            Level::Engine => {
                let engine = self.engine(row.config);
                each.map(|exchange| by_hand(engine, &exchange.request)).collect()
            }
            Level::Router => {
                let router = self.routers.entry(row.config).or_insert_with(|| {
                    self.around.of(row.config).into_router().expect("the fixture is in order")
                });
                let runtime = &self.runtime;
                in_turn(&row.exchanges, |request| runtime.block_on(through_router(router.clone(), request)))
            }
            Level::Socket => {
                let address = *self.sockets.entry(row.config).or_insert_with(|| {
                    let (around, config) = (self.around, row.config);
                    listen(move || around.of(config))
                });
                in_turn(&row.exchanges, |request| Ok(over_socket(address, request).into()))
            }
            Level::EngineByLines => {
                let mut connection = self.engine(row.config).connect();
                each.map(|exchange| said(connection.line(&exchange.request.bytes()), false)).collect()
            }
            Level::Stdio => by_lines(self.around, row.config, &row.exchanges),
        }
    }

    fn engine(&mut self, config: Config) -> &Alone {
        self.engines
            .entry(config)
            .or_insert_with(|| Alone::of(self.around.of(config)).expect("the fixture is in order"))
    }
}

/// Sends one request after the other, each in the session that was opened last.
fn in_turn(
    exchanges: &[Exchange],
    mut send: impl FnMut(&Request) -> Result<Said, String>,
) -> Result<Vec<Said>, String> {
    let mut session: Option<String> = None;
    let answered = exchanges.iter().map(|exchange| {
        let said = send(&exchange.request.of_session(session.as_deref()))?;
        if let Some(id) = said.header("mcp-session-id") {
            session = Some(id.to_owned());
        }
        Ok(said)
    });
    answered.collect()
}

fn by_hand(engine: &Alone, request: &Request) -> Result<Said, String> {
    let headers: Vec<(String, Vec<u8>)> =
        request.headers.iter().map(|(name, value)| (name.clone(), latin(value))).collect();
    said(engine.post(&headers, &request.bytes()), true)
}

fn said(came: Option<alone::Said>, has_status: bool) -> Result<Said, String> {
    let Some(came) = came else { return Err("a handler waits: this level has nothing to wait with".into()) };
    let texts: Vec<String> =
        came.messages.iter().map(|message| String::from_utf8_lossy(message).into_owned()).collect();
    Ok(Said {
        status: has_status.then_some(came.status),
        headers: Vec::new(),
        messages: texts.iter().map(|text| json(text)).collect(),
        text: texts.join("\n"),
    })
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// A header value is bytes: what is written as a character up to U+00FF is that byte.
fn latin(value: &str) -> Vec<u8> {
    value.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect()
}

async fn through_router(mut router: axum::Router, request: &Request) -> Result<Said, String> {
    use tower_service::Service as _;

    let mut built = http::Request::builder().method(request.method).uri(request.path);
    for (name, value) in &request.headers {
        built = built.header(name.as_str(), latin(value));
    }
    let built = built.body(axum::body::Body::from(request.bytes()));
    let built = built.map_err(|error| format!("no such request exists on this level: {error}"))?;
    let response = router.call(built).await.expect("a router does not fail");
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("the body can be read").to_vec();
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    Ok(Answer { status: parts.status.as_u16(), headers, body }.into())
}

/// Sends one request over a connection of its own.
pub fn over_socket(address: SocketAddr, request: &Request) -> Answer {
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

/// Writes every line to one connection, ends it, and gives each exchange what answers it.
fn by_lines(around: Around, config: Config, exchanges: &[Exchange]) -> Result<Vec<Said>, String> {
    let mut connection = lines::serve(move || around.of(config));
    for exchange in exchanges {
        connection.send_bytes(&exchange.request.bytes());
        connection.send_bytes(b"\n");
    }
    connection.end();
    let came = connection.rest_of_lines();
    let told = |texts: &[String]| Said {
        messages: texts.iter().map(|text| json(text)).collect(),
        text: texts.join("\n"),
        ..Said::default()
    };
    if let [one] = exchanges
        && !one.silent
    {
        return Ok(vec![told(&came)]);
    }
    let answered = exchanges.iter().filter(|exchange| !exchange.silent).count();
    if came.len() != answered {
        return Err(format!("{} lines came, not {answered}: {came:#?}", came.len()));
    }
    let mut came = came.chunks(1);
    Ok(exchanges
        .iter()
        .map(
            |exchange| {
                if exchange.silent { Said::default() } else { came.next().map(told).unwrap_or_default() }
            },
        )
        .collect())
}

impl From<Answer> for Said {
    fn from(answer: Answer) -> Self {
        // What is wrong with a path is told as plain text.
        let kind = answer.header("content-type").unwrap_or_default();
        let messages = match kind {
            "application/json" | "text/event-stream" => answer.messages(),
            _ => Vec::new(),
        };
        let text = answer.text();
        Self { status: Some(answer.status), headers: answer.headers, messages, text }
    }
}
