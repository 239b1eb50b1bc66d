//! Clients that answer what they are asked: of both eras, over both transports.

use std::fmt;
use std::net::SocketAddr;

use mcp_runtime::{Library, Server, Sessions};
use mcp_runtime_tests::events::Events;
use mcp_runtime_tests::lines::{self, Lines};
use mcp_runtime_tests::listen::listen;
use serde_json::{Value, json};

/// Answers a request of the server's.
pub type Person = fn(&Value) -> Value;

/// One client.
pub struct Client {
    wire: Wire,
    modern: bool,
    person: Person,
    capabilities: Value,
    id: u64,
    rounds: usize,
    most_rounds: usize,
    asked: Vec<Value>,
}

enum Wire {
    Lines(Box<Lines>),
    Http { address: SocketAddr, session: Option<String> },
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wire = match self.wire {
            Wire::Lines(_) => "lines",
            Wire::Http { .. } => "HTTP",
        };
        write!(f, "{} by {wire}", if self.modern { "modern" } else { "handshake" })
    }
}

/// The server that all of them ask.
pub fn server() -> Server<Library> {
    mcp_runtime::server().server_info("asks", "1").sessions(Sessions::default()).state_keys([KEY])
}

pub const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/// One of each kind, behind each the same person.
pub fn clients(person: Person) -> Vec<Client> {
    let address = listen(server);
    let http = || Wire::Http { address, session: None };
    let by_lines = || Wire::Lines(Box::new(lines::serve(server)));
    vec![
        Client::new(by_lines(), false, person),
        Client::new(by_lines(), true, person),
        Client::new(http(), false, person),
        Client::new(http(), true, person),
    ]
}

impl Client {
    fn new(wire: Wire, modern: bool, person: Person) -> Self {
        let capabilities = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        let (id, rounds, most_rounds) = (0, 0, 40);
        let mut client =
            Self { wire, modern, person, capabilities, id, rounds, most_rounds, asked: Vec::new() };
        client.begin();
        client
    }

    /// A modern client of a server somewhere.
    pub fn modern(address: SocketAddr, person: Person) -> Self {
        Self::new(Wire::Http { address, session: None }, true, person)
    }

    /// A handshake client of a server somewhere.
    pub fn handshake(address: SocketAddr, person: Person) -> Self {
        Self::new(Wire::Http { address, session: None }, false, person)
    }

    /// A handshake client of a server that keeps no sessions.
    pub fn without_session(person: Person) -> Self {
        let address = listen(|| mcp_runtime::server().server_info("asks", "1"));
        Self::new(Wire::Http { address, session: None }, false, person)
    }

    pub fn is_modern(&self) -> bool {
        self.modern
    }

    /// The session that it has over HTTP.
    pub fn session(&self) -> Option<&str> {
        match &self.wire {
            Wire::Http { session, .. } => session.as_deref(),
            Wire::Lines(_) => None,
        }
    }

    /// How many rounds the last call took, beside the one that ended it.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Gives up after so many rounds.
    pub fn stop_after(&mut self, rounds: usize) {
        self.most_rounds = rounds;
    }

    /// Everything that the last call asked.
    pub fn asked(&self) -> &[Value] {
        &self.asked
    }

    /// What the client can do from now on; a handshake client begins anew.
    pub fn declare(&mut self, capabilities: Value) {
        self.capabilities = capabilities;
        if !self.modern {
            if let Wire::Lines(_) = self.wire {
                self.wire = Wire::Lines(Box::new(lines::serve(server)));
            }
            self.begin();
        }
    }

    fn begin(&mut self) {
        if self.modern {
            return;
        }
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": self.capabilities,
            "clientInfo": {"name": "asks", "version": "1"}});
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        match &mut self.wire {
            Wire::Lines(lines) => {
                lines.send(&initialize.to_string());
                lines.message().expect("an answer");
            }
            Wire::Http { address, session } => {
                let answer = Events::open(*address, "POST", &[], &initialize.to_string());
                *session = answer.header("mcp-session-id").map(str::to_owned);
            }
        }
    }

    /// The result of a call of a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["result"].is_object(), "{self:?}: {answer}");
        answer["result"].clone()
    }

    /// The last answer to a request, once everything that it asked is answered.
    pub fn answer(&mut self, method: &str, params: Value) -> Value {
        self.rounds = 0;
        self.asked.clear();
        let mut with = json!({});
        loop {
            let mut params = params.clone();
            if let (Some(params), Some(with)) = (params.as_object_mut(), with.as_object()) {
                params.extend(with.clone());
            }
            let answer = self.exchange(method, params);
            if answer["result"]["resultType"] != "input_required" || self.rounds == self.most_rounds {
                return answer;
            }
            self.rounds += 1;
            with = self.answers(&answer["result"]);
        }
    }

    /// The answers to what a result wants to know, with its state.
    pub fn answers(&mut self, result: &Value) -> Value {
        let requests = result["inputRequests"].as_object().expect("something is asked");
        let mut answers = json!({});
        for (key, request) in requests {
            self.asked.push(request.clone());
            answers[key] = (self.person)(request);
        }
        json!({"inputResponses": answers, "requestState": result["requestState"]})
    }

    /// One request and its answer. What a handshake server asks on the way is answered.
    pub fn exchange(&mut self, method: &str, mut params: Value) -> Value {
        self.id += 1;
        if self.modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
        }
        let message =
            json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).to_string();
        match &mut self.wire {
            Wire::Lines(lines) => {
                lines.send(&message);
                loop {
                    let message = lines.message().expect("an answer");
                    if message["method"].is_string() && message["id"].is_u64() {
                        self.asked.push(message.clone());
                        let result = (self.person)(&message);
                        lines.send(
                            &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string(),
                        );
                    } else if message["id"] == self.id {
                        return message;
                    }
                }
            }
            Wire::Http { address, session } => {
                let address = *address;
                let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
                let mut headers = vec![("Accept", "application/json, text/event-stream")];
                if self.modern {
                    headers.push(("MCP-Protocol-Version", "2026-07-28"));
                    headers.push(("Mcp-Method", method));
                    headers.push(("Mcp-Name", &name));
                }
                let session: Vec<_> = session.iter().map(|id| ("Mcp-Session-Id", id.as_str())).collect();
                headers.extend(&session);
                let mut answer = Events::open(address, "POST", &headers, &message);
                if answer.header("content-type") != Some("text/event-stream") {
                    return serde_json::from_str(&answer.text()).expect("JSON");
                }
                loop {
                    let event = answer.next_event().expect("an answer");
                    if event.data.as_deref() == Some("") {
                        continue;
                    }
                    let message = event.message();
                    if message["method"].is_string() && message["id"].is_u64() {
                        self.asked.push(message.clone());
                        let result = (self.person)(&message);
                        let reply = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
                        let taken = Events::open(address, "POST", &session, &reply.to_string());
                        assert_eq!(taken.status, 202);
                    } else if message["id"] == self.id {
                        return message;
                    }
                }
            }
        }
    }
}
