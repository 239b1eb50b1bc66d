//! Every message that comes back, however the server is served.

use std::net::SocketAddr;
use std::sync::OnceLock;

use mcp_runtime::{Library, Server, Sessions};
use mcp_runtime_tests::events::Events;
use mcp_runtime_tests::lines;
use mcp_runtime_tests::listen::listen;
use serde_json::Value;

use crate::asked::{self, Asked};
use crate::{HANDSHAKE, MODERN, fixture};

/// How the server is reached.
pub const LINES: &str = "by lines";
pub const HTTP: &str = "over HTTP";
pub const SESSION: &str = "in a session";

/// One message of the server.
#[derive(Debug)]
pub struct Seen {
    pub revision: &'static str,
    /// How the server was reached.
    pub way: &'static str,
    /// What was asked, and by which method.
    pub what: &'static str,
    pub method: &'static str,
    pub message: Value,
}

impl Seen {
    /// Where it is from, for a report.
    pub fn place(&self) -> String {
        format!("{} {} `{}`", self.revision, self.way, self.what)
    }
}

/// Everything that the server says, in every revision and every way, asked once.
pub fn all() -> &'static [Seen] {
    static ALL: OnceLock<Vec<Seen>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        let http = listen(fixture::server);
        let sessions = listen(|| fixture::server().sessions(Sessions::default()));
        for revision in HANDSHAKE {
            all.extend(by_lines(revision, fixture::server));
            all.extend(over_http(http, revision));
            all.extend(in_a_session(sessions, revision));
        }
        all.extend(by_lines(MODERN, fixture::server));
        all.extend(over_http(http, MODERN));
        all.extend(made_by_hand());
        all.extend(at_the_edge(http));
        all
    })
}

/// Every message that came for what was asked, in one way, as a list: the answer is the last.
pub fn messages(revision: &str, way: &str, what: &str) -> Value {
    let asked = |seen: &&Seen| seen.revision == revision && seen.way == way && seen.what == what;
    let messages: Vec<Value> = all().iter().filter(asked).map(|seen| seen.message.clone()).collect();
    assert!(!messages.is_empty(), "nobody asked for `{what}` {way} in {revision}");
    messages.into()
}

/// What is at a place: a JSON pointer, which finds what is in a list by its name too.
pub fn find<'v>(value: &'v Value, at: &str) -> Option<&'v Value> {
    at.split('/').skip(1).try_fold(value, |value, part| match (value, part.parse::<usize>()) {
        (Value::Array(items), Ok(at)) => items.get(at),
        (Value::Array(items), Err(_)) => items.iter().find(|item| item["name"] == part),
        (value, _) => value.get(part.replace("~1", "/")),
    })
}

fn by_lines(revision: &'static str, server: fn() -> Server<Library>) -> Vec<Seen> {
    let mut connection = lines::serve(server);
    let mut all = Vec::new();
    for (id, asked) in requests(revision).iter().enumerate() {
        connection.send(&asked.message(id, revision).to_string());
        loop {
            let message = connection.message().expect("the connection stays");
            let last = message["method"].is_null();
            all.push(asked.seen(revision, LINES, message));
            if last {
                break;
            }
        }
        if asked.method == "initialize" && revision != MODERN {
            connection.send(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#);
        }
    }
    connection.send("{");
    let message = connection.message().expect("the connection stays");
    all.push(asked::nothing().seen(revision, LINES, message));
    connection.end();
    assert!(connection.rest().is_empty(), "nothing is said unasked");
    all
}

fn over_http(address: SocketAddr, revision: &'static str) -> Vec<Seen> {
    let version = [("MCP-Protocol-Version", revision)];
    let ask = |(id, asked): (usize, &Asked)| posted(address, asked, id, revision, HTTP, &version).1;
    let mut all: Vec<Seen> = requests(revision).iter().enumerate().flat_map(ask).collect();
    let unreadable = Events::open(address, "POST", &version, "{").text();
    let message = serde_json::from_str(&unreadable).expect("a message");
    all.push(asked::nothing().seen(revision, HTTP, message));
    all
}

/// The session knows its revision: no header names it.
fn in_a_session(address: SocketAddr, revision: &'static str) -> Vec<Seen> {
    let (session, mut all) = posted(address, &asked::initialize(revision), 0, revision, SESSION, &[]);
    let session = session.expect("the session has an id");
    let session = [("Mcp-Session-Id", session.as_str())];
    for (id, asked) in asked::handshake().iter().enumerate() {
        all.extend(posted(address, asked, id, revision, SESSION, &session).1);
    }
    all
}

fn made_by_hand() -> Vec<Seen> {
    let discover = asked::modern().swap_remove(0);
    let mut connection = lines::serve(fixture::discovering);
    connection.send(&discover.message(0, MODERN).to_string());
    let message = connection.message().expect("an answer");
    vec![Asked { what: "discover, by hand", ..discover }.seen(MODERN, LINES, message)]
}

/// What is refused before anything is asked.
fn at_the_edge(address: SocketAddr) -> Vec<Seen> {
    let discover = asked::modern().swap_remove(0);
    let unknown = Asked { what: "unknown revision", ..discover };
    let mut all =
        posted(address, &unknown, 1, "2025-11-25", HTTP, &[("MCP-Protocol-Version", "1999-01-01")]).1;
    let mismatch = Asked { what: "header mismatch", params: unknown.params.clone(), ..unknown };
    all.extend(posted(address, &mismatch, 1, MODERN, HTTP, &[("MCP-Protocol-Version", "2025-11-25")]).1);
    all
}

fn requests(revision: &str) -> Vec<Asked> {
    if revision == MODERN {
        return asked::modern();
    }
    std::iter::once(asked::initialize(revision)).chain(asked::handshake()).collect()
}

/// Posts one request, and gives the id of the session that it opened and every message of the answer.
fn posted(
    address: SocketAddr,
    asked: &Asked,
    id: usize,
    revision: &'static str,
    way: &'static str,
    headers: &[(&str, &str)],
) -> (Option<String>, Vec<Seen>) {
    let mut headers = headers.to_vec();
    headers.push(("Accept", "application/json, text/event-stream"));
    if revision == MODERN {
        headers.push(("Mcp-Method", asked.method));
        headers.extend(asked.name().map(|name| ("Mcp-Name", name)));
    }
    let mut answer = Events::open(address, "POST", &headers, &asked.message(id, revision).to_string());
    let streamed = answer.header("content-type") == Some("text/event-stream");
    let messages: Vec<Value> = if streamed {
        let events = answer.rest().into_iter();
        events
            .filter(|event| event.data.as_deref().is_some_and(|data| !data.is_empty()))
            .map(|event| event.message())
            .collect()
    } else {
        let text = answer.text();
        vec![serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"))]
    };
    let session = answer.header("mcp-session-id").map(str::to_owned);
    (session, messages.into_iter().map(|message| asked.seen(revision, way, message)).collect())
}

impl Asked {
    fn seen(&self, revision: &'static str, way: &'static str, message: Value) -> Seen {
        Seen { revision, way, what: self.what, method: self.method, message }
    }
}
