//! Requests as rows write them: a whole one of either era, and what is changed about it.

use serde_json::{Value, json};

/// One HTTP request.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: &'static str,
    pub path: &'static str,
    pub headers: Vec<(String, String)>,
    pub body: Body,
}

/// The body of a request.
#[derive(Clone, Debug)]
pub enum Body {
    Message(Value),
    Bytes(Vec<u8>),
}

/// What a row writes for an id that it cannot know.
const SESSION: &str = "the session";

const PREFIX: &str = "io.modelcontextprotocol/";

/// A modern request of that method, with everything that belongs to one.
pub fn modern(method: &str, params: Value) -> Request {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "rows", "version": "1"},
    });
    let name = ["name", "uri", "taskId"].iter().find_map(|key| params[*key].as_str()).map(str::to_owned);
    let mut request =
        bare(method, params).header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
    if let Some(name) = name {
        request = request.header("Mcp-Name", &name);
    }
    request
}

/// A request of that method, without anything of the modern era.
pub fn bare(method: &str, params: Value) -> Request {
    posted(json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
}

/// The list of tools, in the modern era.
pub fn list() -> Request {
    modern("tools/list", json!({}))
}

/// The opening of the handshake era.
pub fn initialize() -> Request {
    let client = json!({"name": "rows", "version": "1"});
    bare("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}))
}

/// A notification, without anything of the modern era.
pub fn note(method: &str) -> Request {
    posted(json!({"jsonrpc": "2.0", "method": method}))
}

/// A call of a tool, in the modern era.
pub fn call(tool: &str, arguments: Value) -> Request {
    modern("tools/call", json!({"name": tool, "arguments": arguments}))
}

/// A call of a tool, without anything of the modern era.
pub fn bare_call(tool: &str, arguments: Value) -> Request {
    bare("tools/call", json!({"name": tool, "arguments": arguments}))
}

/// A posted message.
pub fn posted(message: Value) -> Request {
    Request {
        method: "POST",
        path: "/mcp",
        headers: vec![
            ("Host".to_owned(), "127.0.0.1".to_owned()),
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
        ],
        body: Body::Message(message),
    }
}

/// A posted body of any bytes.
pub fn bytes(body: impl AsRef<[u8]>) -> Request {
    Request { body: Body::Bytes(body.as_ref().to_vec()), ..posted(Value::Null) }
}

/// A request of another HTTP method, without a body.
pub fn of_method(method: &'static str) -> Request {
    Request { method, body: Body::Bytes(Vec::new()), ..posted(Value::Null) }
}

impl Request {
    /// Adds a header, beside those of that name that are there.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a header away.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Puts a header in the place of those of that name.
    pub fn set(self, name: &str, value: &str) -> Self {
        self.without(name).header(name, value)
    }

    /// Belongs to the session that the row's last `initialize` has opened.
    pub fn in_session(self) -> Self {
        self.header("Mcp-Session-Id", SESSION)
    }

    /// The same with the id of that session.
    pub fn of_session(&self, id: Option<&str>) -> Self {
        let mut request = self.clone();
        for (_, value) in request.headers.iter_mut().filter(|(_, value)| value == SESSION) {
            *value = id.unwrap_or_default().to_owned();
        }
        request
    }

    /// Sends to another path.
    pub fn at(mut self, path: &'static str) -> Self {
        self.path = path;
        self
    }

    /// Names the revision in body and header alike.
    pub fn version(self, version: &str) -> Self {
        self.meta("protocolVersion", json!(version)).set("MCP-Protocol-Version", version)
    }

    /// Puts a text in the place of another, for what no JSON value keeps as it is written.
    pub fn written(mut self, from: &str, to: &str) -> Self {
        let text = self.text();
        assert!(text.contains(from), "{from} is not in {text}");
        self.body = Body::Bytes(text.replace(from, to).into_bytes());
        self
    }

    /// Changes the message.
    pub fn change(mut self, change: impl FnOnce(&mut Value)) -> Self {
        if let Body::Message(message) = &mut self.body {
            change(message);
        }
        self
    }

    /// Puts a member of `_meta` of that short name.
    pub fn meta(self, name: &str, value: Value) -> Self {
        let name = if name == "progressToken" { name.to_owned() } else { format!("{PREFIX}{name}") };
        self.change(|message| message["params"]["_meta"][name] = value)
    }

    /// Takes a member of `_meta` away.
    pub fn without_meta(self, name: &str) -> Self {
        self.change(|message| {
            if let Some(meta) = message["params"]["_meta"].as_object_mut() {
                meta.remove(&format!("{PREFIX}{name}"));
            }
        })
    }

    /// Puts another id.
    pub fn id(self, id: Value) -> Self {
        self.change(|message| message["id"] = id)
    }

    /// Makes it a notification.
    pub fn notify(self) -> Self {
        self.change(|message| {
            if let Some(message) = message.as_object_mut() {
                message.remove("id");
            }
        })
    }

    /// The body as a text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// The bytes of the body.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.body {
            Body::Message(message) => message.to_string().into_bytes(),
            Body::Bytes(bytes) => bytes.clone(),
        }
    }
}
