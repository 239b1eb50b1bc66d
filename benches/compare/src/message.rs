//! What is sent: fixed messages and headers.

use std::net::SocketAddr;

/// The protocol's two eras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    Modern,
    Handshake,
}

impl Era {
    pub fn name(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Handshake => "handshake",
        }
    }
}

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// `tools/call` of `add`.
    Add,
    /// The same with a token for progress, answered by a stream of events.
    AddTold,
    /// `tools/call` of `place`, with four arguments and the headers that mirror them.
    Place,
    /// `tools/list`.
    List,
    /// `subscriptions/listen`.
    Listen,
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"compare","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"compare","version":"1"}}}"#;
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// One message, and how it travels over HTTP.
#[derive(Clone)]
pub struct Message {
    pub body: String,
    headers: Vec<String>,
}

impl Message {
    pub fn new(era: Era, ask: Ask, id: usize) -> Self {
        let (method, name, own) = match ask {
            Ask::Add | Ask::AddTold => {
                ("tools/call", Some("add"), r#""name":"add","arguments":{"a":40,"b":2}"#)
            }
            Ask::Place => (
                "tools/call",
                Some("place"),
                r#""name":"place","arguments":{"region":"eu-central-1","tenant":"t-1042","zone":"b","shard":7}"#,
            ),
            Ask::List => ("tools/list", None, ""),
            Ask::Listen => ("subscriptions/listen", None, r#""notifications":{"toolsListChanged":true}"#),
        };
        let meta = match (era, ask) {
            (Era::Modern, _) => META,
            (Era::Handshake, Ask::AddTold) => r#""_meta":{"progressToken":1}"#,
            (Era::Handshake, _) => "",
        };
        let members: Vec<&str> = [meta, own].into_iter().filter(|text| !text.is_empty()).collect();
        let params = members.join(",");
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#);
        let mut headers = Self::common();
        match era {
            Era::Handshake => headers.push("MCP-Protocol-Version: 2025-11-25".to_owned()),
            Era::Modern => {
                headers.push("MCP-Protocol-Version: 2026-07-28".to_owned());
                headers.push(format!("Mcp-Method: {method}"));
                headers.extend(name.map(|name| format!("Mcp-Name: {name}")));
            }
        }
        if ask == Ask::Place {
            let mirrored = ["Region: eu-central-1", "Tenant: t-1042", "Zone: b", "Shard: 7"];
            headers.extend(mirrored.map(|line| format!("Mcp-Param-{line}")));
        }
        Self { body, headers }
    }

    /// A message that belongs to no method's rules: the opening of a session.
    pub fn plain(body: &str) -> Self {
        Self { body: body.to_owned(), headers: Self::common() }
    }

    pub fn within(mut self, session: &str) -> Self {
        self.headers.push(format!("Mcp-Session-Id: {session}"));
        self
    }

    /// The bytes of the whole request.
    pub fn request(&self, address: SocketAddr) -> Vec<u8> {
        let headers: String = self.headers.iter().flat_map(|line| [line, "\r\n"]).collect();
        let length = self.body.len();
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\n\r\n{}",
            self.body
        )
        .into_bytes()
    }

    fn common() -> Vec<String> {
        ["Content-Type: application/json", "Accept: application/json, text/event-stream"]
            .map(str::to_owned)
            .into()
    }
}
