//! One client of each era over each transport, which sends one message and reads what comes of it.

use std::net::SocketAddr;

use mcp_runtime::{Library, Server};
use mcp_runtime_tests::events::Events;
use mcp_runtime_tests::lines::{self, Lines};
use mcp_runtime_tests::listen::listen;
use serde_json::{Value, json};

/// How a client is connected, and what it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    ModernHttp,
    ModernLines,
    /// In a session.
    HandshakeHttp,
    HandshakeLines,
}

impl Kind {
    pub const ALL: [Self; 4] =
        [Self::ModernHttp, Self::ModernLines, Self::HandshakeHttp, Self::HandshakeLines];

    pub fn is_modern(self) -> bool {
        matches!(self, Self::ModernHttp | Self::ModernLines)
    }
}

pub struct Wire {
    kind: Kind,
    over: Over,
    id: u64,
}

enum Over {
    Lines(Box<Lines>),
    Http { address: SocketAddr, session: Option<String> },
}

/// What a client has for what a handler asks.
const CAPABILITIES: &str = r#"{"elicitation": {"form": {}}}"#;

impl Wire {
    /// A client of a server of its own; one of the handshake era has shaken hands.
    pub fn new(kind: Kind, server: impl FnOnce() -> Server<Library> + Send + 'static) -> Self {
        let mut wire = Self::silent(kind, server);
        if !kind.is_modern() {
            let answer = wire.initialize();
            assert!(answer["result"].is_object(), "{answer}");
        }
        wire
    }

    /// A client that has sent nothing.
    pub fn silent(kind: Kind, server: impl FnOnce() -> Server<Library> + Send + 'static) -> Self {
        let over = match kind {
            Kind::ModernHttp | Kind::HandshakeHttp => Over::Http { address: listen(server), session: None },
            Kind::ModernLines | Kind::HandshakeLines => Over::Lines(Box::new(lines::serve(server))),
        };
        Self { kind, over, id: 0 }
    }

    pub fn address(&self) -> SocketAddr {
        match &self.over {
            Over::Http { address, .. } => *address,
            Over::Lines(_) => panic!("over HTTP alone"),
        }
    }

    pub fn session(&self) -> Option<&str> {
        match &self.over {
            Over::Http { session, .. } => session.as_deref(),
            Over::Lines(_) => None,
        }
    }

    pub fn initialize(&mut self) -> Value {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities(),
            "clientInfo": {"name": "wire", "version": "1"}});
        self.request("initialize", params)
    }

    fn message(&self, method: &str, mut params: Value) -> Value {
        if self.kind.is_modern() {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities();
        }
        json!({"jsonrpc": "2.0", "method": method, "params": params})
    }

    /// The answer to a call of a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The answer to a request. What a handshake server asks on the way is answered.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.exchange(method, params).pop().unwrap_or_default()
    }

    /// Everything that a request is answered by.
    pub fn exchange(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.id += 1;
        let id = self.id;
        let mut message = self.message(method, params);
        message["id"] = id.into();
        let mut came = Vec::new();
        match &mut self.over {
            Over::Lines(lines) => {
                lines.send(&message.to_string());
                loop {
                    let message = lines.message().expect("an answer");
                    if let Some(reply) = reply(&message) {
                        lines.send(&reply.to_string());
                    }
                    let is_last = message["id"] == id && message["method"].is_null();
                    came.push(message);
                    if is_last {
                        return came;
                    }
                }
            }
            Over::Http { .. } => {
                let mut answer = self.post(&message);
                if answer.header("content-type") == Some("application/json") {
                    let text = answer.text();
                    came.push(serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")));
                    return came;
                }
                while let Some(event) = answer.next_event() {
                    if event.data.as_deref().is_some_and(|data| !data.is_empty()) {
                        let message = event.message();
                        if let Some(reply) = reply(&message) {
                            assert_eq!(self.post(&reply).status, 202);
                        }
                        came.push(message);
                    }
                }
                came
            }
        }
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let message = self.message(method, params);
        match &mut self.over {
            Over::Lines(lines) => lines.send(&message.to_string()),
            Over::Http { .. } => assert_eq!(self.post(&message).status, 202),
        }
    }

    /// The next message by lines.
    pub fn next(&mut self) -> Value {
        match &mut self.over {
            Over::Lines(lines) => lines.message().expect("a message"),
            Over::Http { .. } => panic!("by lines alone"),
        }
    }

    /// Sends a request by lines without waiting for anything; its id.
    pub fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        let mut message = self.message(method, params);
        message["id"] = self.id.into();
        match &self.over {
            Over::Lines(lines) => lines.send(&message.to_string()),
            Over::Http { .. } => panic!("by lines alone"),
        }
        self.id
    }

    /// Posts a request, with the answer still to be read.
    pub fn post_request(&mut self, method: &str, params: Value) -> Events {
        self.id += 1;
        let mut message = self.message(method, params);
        message["id"] = self.id.into();
        self.post(&message)
    }

    fn post(&mut self, message: &Value) -> Events {
        let Over::Http { address, session } = &mut self.over else { panic!("over HTTP alone") };
        let method = message["method"].as_str().unwrap_or_default();
        let params = &message["params"];
        let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default();
        let mut headers = vec![("Accept", "application/json, text/event-stream")];
        if self.kind.is_modern() {
            headers.extend([("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)]);
            if !name.is_empty() {
                headers.push(("Mcp-Name", name));
            }
        }
        let own = session.clone();
        headers.extend(own.iter().map(|id| ("Mcp-Session-Id", id.as_str())));
        let answer = Events::open(*address, "POST", &headers, &message.to_string());
        if let Some(id) = answer.header("mcp-session-id") {
            *session = Some(id.to_owned());
        }
        answer
    }
}

fn capabilities() -> Value {
    serde_json::from_str(CAPABILITIES).expect("JSON")
}

/// What a person says to what a server asks.
fn reply(message: &Value) -> Option<Value> {
    (message["method"] == "elicitation/create").then(|| {
        json!({"jsonrpc": "2.0", "id": message["id"],
            "result": {"action": "accept", "content": {"name": "Ada"}}})
    })
}
