//! What is asked of the server, in every revision.

use serde_json::{Value, json};

/// One request.
pub struct Asked {
    /// What tests call it.
    pub what: &'static str,
    pub method: &'static str,
    pub params: Value,
}

fn asked(what: &'static str, method: &'static str, params: Value) -> Asked {
    Asked { what, method, params }
}

fn called(tool: &'static str, arguments: Value) -> Asked {
    asked(tool, "tools/call", json!({"name": tool, "arguments": arguments}))
}

/// Everything that both eras know.
pub fn everything() -> Vec<Asked> {
    let mut all = vec![
        asked("tools", "tools/list", json!({})),
        asked("prompts", "prompts/list", json!({})),
        asked("resources", "resources/list", json!({})),
        asked("templates", "resources/templates/list", json!({})),
        asked("talk", "prompts/get", json!({"name": "talk", "arguments": {"topic": "rain"}})),
        asked("text", "resources/read", json!({"uri": "spec://text"})),
        asked("blob", "resources/read", json!({"uri": "spec://blob"})),
        asked("item", "resources/read", json!({"uri": "spec://items/7"})),
        asked(
            "topics",
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "talk"}, "argument": {"name": "topic", "value": "r"}}),
        ),
        asked(
            "ids",
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "spec://items/{id}"}, "argument": {"name": "id", "value": ""}}),
        ),
        asked("stamped", "acme/stamped", json!({})),
    ];
    all.extend(
        [
            "everything",
            "object",
            "list",
            "number",
            "data_alone",
            "undeclared",
            "beyond",
            "nothing",
            "loose",
            "says_nothing",
            "tells",
            "fails",
            "breaks",
        ]
        .map(|tool| called(tool, json!({}))),
    );
    all.extend(refused());
    all
}

/// What is answered by an error, or by a result that is one.
fn refused() -> Vec<Asked> {
    vec![
        called("refuses", json!({"code": 7})),
        asked(
            "refuses by a reserved code",
            "tools/call",
            json!({"name": "refuses", "arguments": {"code": -32042}}),
        ),
        asked("unknown method", "acme/none", json!({})),
        asked("unknown tool", "tools/call", json!({"name": "none"})),
        asked("unfit arguments", "tools/call", json!({"name": "refuses", "arguments": {"code": "a"}})),
        asked("unfit params", "tools/call", json!({"name": "refuses", "arguments": 1})),
        asked("unknown prompt", "prompts/get", json!({"name": "none"})),
        asked("missing argument", "prompts/get", json!({"name": "talk"})),
        asked("unknown resource", "resources/read", json!({"uri": "spec://none"})),
        asked("gone", "resources/read", json!({"uri": "spec://gone"})),
        asked("unfit item", "resources/read", json!({"uri": "spec://items/none"})),
        asked(
            "unknown template",
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "spec://none/{id}"}, "argument": {"name": "id", "value": ""}}),
        ),
    ]
}

/// What only the handshake era knows, behind its opening.
pub fn handshake() -> Vec<Asked> {
    let mut all = vec![
        asked("ping", "ping", json!({})),
        asked("level", "logging/setLevel", json!({"level": "error"})),
        asked("unknown level", "logging/setLevel", json!({"level": "loud"})),
        asked("discover", "server/discover", json!({})),
    ];
    all.extend(everything());
    all
}

/// What is no message, so that its answer has no id.
pub fn nothing() -> Asked {
    asked("what is no message", "", Value::Null)
}

/// The opening of the handshake era.
pub fn initialize(revision: &str) -> Asked {
    let client = json!({"name": "spec", "version": "1"});
    asked(
        "initialize",
        "initialize",
        json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client}),
    )
}

/// What the modern era knows.
pub fn modern() -> Vec<Asked> {
    let mut all = vec![
        asked("discover", "server/discover", json!({})),
        asked("initialize", "initialize", json!({})),
        asked("ping", "ping", json!({})),
    ];
    all.extend(everything());
    all
}

impl Asked {
    /// The message; the client wants progress.
    pub fn message(&self, id: usize, revision: &str) -> Value {
        let mut params = self.params.clone();
        params["_meta"] = if revision == super::MODERN {
            json!({
                "io.modelcontextprotocol/protocolVersion": revision,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "spec", "version": "1"},
                "io.modelcontextprotocol/logLevel": "debug",
                "progressToken": "token",
            })
        } else {
            json!({"progressToken": id})
        };
        json!({"jsonrpc": "2.0", "id": id, "method": self.method, "params": params})
    }

    /// What the `Mcp-Name` header mirrors.
    pub fn name(&self) -> Option<&str> {
        ["name", "uri"].iter().find_map(|key| self.params[*key].as_str())
    }
}
