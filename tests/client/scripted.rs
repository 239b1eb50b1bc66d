//! Servers that say what a test wants: by lines as shell scripts, and over HTTP.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::process::Command;

/// A program that answers each line by the next of these, and ends with its input. An empty one is silence.
pub fn lines(answers: &[&str]) -> Command {
    let mut script = String::new();
    for answer in answers {
        script.push_str("read line || exit 0\n");
        if !answer.is_empty() {
            script.push_str(&format!("printf '%s\\n' '{answer}'\n"));
        }
    }
    script.push_str("cat > /dev/null\n");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]);
    shell
}

/// What `initialize` is answered by, under that id.
pub fn initialized(id: u64, revision: &str) -> String {
    let result = json!({
        "protocolVersion": revision,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "old", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: Method,
    pub headers: HeaderMap,
    pub message: Value,
}

impl Asked {
    /// The method of the message; of what carries none, that of HTTP.
    pub fn name(&self) -> &str {
        self.message["method"].as_str().unwrap_or(self.method.as_str())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("it is text"))
    }

    /// The result of this request, in JSON.
    pub fn result(&self, result: Value) -> Response {
        json_of(json!({ "jsonrpc": "2.0", "id": self.message["id"], "result": result }))
    }

    /// An error of this request, with that status.
    pub fn error(&self, status: u16, code: i64, data: Value) -> Response {
        let error = json!({ "code": code, "message": "refused", "data": data });
        let body = json_of(json!({ "jsonrpc": "2.0", "id": self.message["id"], "error": error }));
        (StatusCode::from_u16(status).expect("a status"), body).into_response()
    }
}

pub fn json_of(message: Value) -> Response {
    ([("content-type", "application/json")], message.to_string()).into_response()
}

/// Events as they are written, and then the end of the stream.
pub fn events(text: impl Into<String>) -> Response {
    ([("content-type", "text/event-stream")], text.into()).into_response()
}

/// A server over HTTP: its URL, and what it was asked so far.
pub async fn http(
    answer: impl Fn(&Asked) -> Response + Send + Sync + 'static,
) -> (String, Arc<Mutex<Vec<Asked>>>) {
    let all: Arc<Mutex<Vec<Asked>>> = Arc::default();
    let noted = Arc::clone(&all);
    let answer = Arc::new(answer);
    let router = Router::new().fallback(move |request: Request| {
        let (answer, noted) = (Arc::clone(&answer), Arc::clone(&noted));
        async move {
            let (parts, body) = request.into_parts();
            let body: Bytes = axum::body::to_bytes(body, 1 << 20).await.expect("the body arrives");
            let message = serde_json::from_slice(&body).unwrap_or_default();
            let asked = Asked { method: parts.method, headers: parts.headers, message };
            noted.lock().unwrap().push(asked.clone());
            answer(&asked)
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    tokio::spawn(async move { axum::serve(listener, router).await.expect("it serves") });
    (url, all)
}

/// What a modern server says of itself.
pub fn discovered(asked: &Asked) -> Response {
    asked.result(json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": { "tools": {}, "resources": {} },
        "ttlMs": 0,
        "cacheScope": "private",
    }))
}

/// What a server of the handshake era says to `initialize` and `notifications/initialized`; none for anything else.
pub fn greeted(asked: &Asked) -> Option<Response> {
    match asked.name() {
        "initialize" => {
            let id = asked.message["id"].as_u64().expect("an id");
            Some(json_of(serde_json::from_str(&initialized(id, "2025-11-25")).expect("it is JSON")))
        }
        "notifications/initialized" => Some(StatusCode::ACCEPTED.into_response()),
        _ => None,
    }
}
