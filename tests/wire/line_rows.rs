//! The rows that go by lines. Ids are those of section S of the decision table that this server follows. Each writes
//! its lines to a connection of its own, ends it, and compares everything that came back.

use serde_json::{Value, json};

use crate::fixture::{Config, turn};
use mcp_runtime_tests::lines::{self, Lines};

/// One connection.
pub struct LineRow {
    id: &'static str,
    config: Config,
    lines: Vec<Vec<u8>>,
    answers: Vec<Expected>,
}

/// What is expected of one answer: its id, and a code, or a member of its result.
enum Expected {
    Error(Option<Value>, i64),
    ErrorWith(Option<Value>, i64, &'static str, Value),
    Result(Value, &'static str),
}

fn row(id: &'static str) -> LineRow {
    LineRow { id, config: Config::Default, lines: Vec::new(), answers: Vec::new() }
}

impl LineRow {
    fn to(mut self, config: Config) -> Self {
        self.config = config;
        self
    }

    /// A line that is not answered.
    fn silent(mut self, line: impl AsRef<[u8]>) -> Self {
        self.lines.push(line.as_ref().to_vec());
        self
    }

    /// A line that is answered by an error.
    fn error(mut self, line: impl AsRef<[u8]>, id: impl Into<Option<Value>>, code: i64) -> Self {
        self.answers.push(Expected::Error(id.into(), code));
        self.silent(line)
    }

    /// The same, with a value at a pointer into the error.
    fn error_with(
        mut self,
        line: impl AsRef<[u8]>,
        id: Value,
        code: i64,
        pointer: &'static str,
        value: Value,
    ) -> Self {
        self.answers.push(Expected::ErrorWith(Some(id), code, pointer, value));
        self.silent(line)
    }

    /// A line that is answered by a result with something at that pointer.
    fn result(mut self, line: impl AsRef<[u8]>, id: Value, pointer: &'static str) -> Self {
        self.answers.push(Expected::Result(id, pointer));
        self.silent(line)
    }

    fn run(&self) -> Vec<Value> {
        let mut lines = serve(self.config);
        for line in &self.lines {
            lines.send_bytes(line);
            lines.send_bytes(b"\n");
        }
        lines.end();
        lines.rest()
    }

    fn judge(&self, came: &[Value]) -> Option<String> {
        let mut wrong = Vec::new();
        if came.len() != self.answers.len() {
            wrong.push(format!("{} answers came, not {}", came.len(), self.answers.len()));
        }
        for (at, (expected, answer)) in self.answers.iter().zip(came).enumerate() {
            if !expected.fits(answer) {
                wrong.push(format!("answer {at} is {answer}"));
            }
        }
        (!wrong.is_empty()).then(|| format!("{}: {}", self.id, wrong.join("; ")))
    }
}

impl Expected {
    fn fits(&self, answer: &Value) -> bool {
        match self {
            Self::Error(id, code) => answer.get("id") == id.as_ref() && answer["error"]["code"] == *code,
            Self::ErrorWith(id, code, pointer, value) => {
                answer.get("id") == id.as_ref()
                    && answer["error"]["code"] == *code
                    && answer["error"].pointer(pointer) == Some(value)
            }
            Self::Result(id, pointer) => answer["id"] == *id && answer["result"].pointer(pointer).is_some(),
        }
    }
}

/// A connection to a server on a thread of its own.
pub fn serve(config: Config) -> Lines {
    lines::serve(move || config.server())
}

/// Runs every row, and tells all that are wrong at once.
pub fn check_all(rows: Vec<LineRow>) {
    let _turn = turn();
    let wrong: Vec<String> = rows.iter().filter_map(|row| row.judge(&row.run())).collect();
    assert!(wrong.is_empty(), "{} of {} rows are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn bare(id: Value, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn claiming(version: Value, id: Value, method: &str, params: Value) -> String {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    bare(id, method, params)
}

fn modern(id: i64, method: &str, params: Value) -> String {
    claiming(json!("2026-07-28"), json!(id), method, params)
}

fn initialize(id: i64) -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "rows", "version": "1"}});
    bare(json!(id), "initialize", params)
}

fn list(id: i64) -> String {
    bare(json!(id), "tools/list", json!({}))
}

/// Every row.
pub fn rows() -> Vec<LineRow> {
    let handshake = || json!(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    let modern_list = || json!(["2026-07-28"]);
    let note = json!({"jsonrpc": "2.0", "method": "notifications/unknown"}).to_string();
    vec![
        row("S-1").result(modern(1, "server/discover", json!({})), json!(1), "/supportedVersions"),
        row("S-1 unknown").error(modern(1, "foo/bar", json!({})), json!(1), -32601).result(
            modern(2, "tools/list", json!({})),
            json!(2),
            "/resultType",
        ),
        row("S-2")
            .error(bare(json!(1), "tools/list", json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}})), json!(1), -32602)
            .error(initialize(2), json!(2), -32022),
        row("S-3")
            .error_with(claiming(json!("2030-01-01"), json!(1), "server/discover", json!({})), json!(1), -32022, "/data/supported", modern_list())
            .result(initialize(2), json!(2), "/protocolVersion"),
        row("S-3 then modern")
            .error(claiming(json!("2030-01-01"), json!(1), "server/discover", json!({})), json!(1), -32022)
            .result(modern(2, "tools/list", json!({})), json!(2), "/resultType"),
        row("S-4 number").error(claiming(json!(5), json!(1), "tools/list", json!({})), json!(1), -32602).result(initialize(2), json!(2), "/capabilities"),
        row("S-4 empty").error(claiming(json!(""), json!(1), "tools/list", json!({})), json!(1), -32602),
        row("S-4 null").error(claiming(Value::Null, json!(1), "tools/list", json!({})), json!(1), -32602),
        row("S-5")
            .result(
                claiming(json!("2025-11-25"), json!(1), "initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})),
                json!(1),
                "/protocolVersion",
            )
            .result(list(2), json!(2), "/tools"),
        row("S-6").result(initialize(1), json!(1), "/protocolVersion").result(list(2), json!(2), "/tools"),
        row("S-7")
            .error(list(1), json!(1), -32600)
            .error(bare(json!(2), "server/discover", json!({})), json!(2), -32601)
            .result(bare(json!(3), "ping", json!({})), json!(3), "")
            .result(initialize(4), json!(4), "/protocolVersion"),
        row("S-7 era").error(list(1), json!(1), -32600).error(modern(2, "tools/list", json!({})), json!(2), -32600),
        row("S-8").silent(&note).result(modern(1, "tools/list", json!({})), json!(1), "/tools"),
        row("S-9").error("{bad", None, -32700).error([0xff, 0xfe], None, -32700).result(initialize(1), json!(1), "/serverInfo"),
        row("S-10").error("[]", None, -32600).error(format!("[{}]", initialize(1)), None, -32600).result(initialize(1), json!(1), "/serverInfo"),
        row("S-11").silent("").silent("  \r").result(initialize(1), json!(1), "/serverInfo"),
        row("S-12").to(Config::Small).error(vec![b'x'; 2000], None, -32600).result(initialize(1), json!(1), "/serverInfo"),
        row("S-13")
            .error("7", None, -32600)
            .error(r#"{"jsonrpc":"2.0","id":5}"#, json!(5), -32600)
            .error(r#"{"jsonrpc":"2.0","id":6,"method":7}"#, json!(6), -32600)
            .error(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, json!(7), -32600)
            .error(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, None, -32600),
        row("S-13 half a pair")
            .error(r#"{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}"#, None, -32600)
            .error(r#"{"jsonrpc":"2.0","id":"\ud83d"}"#, None, -32600),
        row("S-14").error(bare(Value::Null, "ping", json!({})), None, -32600),
        row("S-15")
            .result(modern(1, "tools/list", json!({})), json!(1), "/tools")
            .error_with(initialize(2), json!(2), -32022, "/data", json!({"supported": ["2026-07-28"], "requested": "2025-11-25"}))
            .error_with(bare(json!(3), "initialize", json!({})), json!(3), -32022, "/data/requested", json!("")),
        row("S-16").result(modern(1, "tools/list", json!({})), json!(1), "/tools").error(modern(2, "initialize", json!({})), json!(2), -32601),
        row("S-17").result(modern(1, "tools/list", json!({})), json!(1), "/tools").error(list(2), json!(2), -32602),
        row("S-18")
            .result(modern(1, "tools/list", json!({})), json!(1), "/tools")
            .error_with(claiming(json!("2025-11-25"), json!(2), "tools/list", json!({})), json!(2), -32022, "/data/supported", modern_list()),
        row("S-19")
            .result(modern(1, "tools/list", json!({})), json!(1), "/tools")
            .error(claiming(json!("2030-01-01"), json!(2), "tools/list", json!({})), json!(2), -32022),
        row("S-27")
            .result(modern(1, "tools/list", json!({})), json!(1), "/tools")
            .silent(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#)
            .silent(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#)
            .silent(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#)
            .result(modern(2, "tools/list", json!({})), json!(2), "/tools"),
        row("S-31")
            .result(modern(1, "tools/list", json!({})), json!(1), "/tools")
            .silent(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        row("S-32")
            .result(modern(1, "tools/list", json!({})), json!(1), "/tools")
            .silent(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        row("S-34").result(initialize(1), json!(1), "/serverInfo").error(modern(2, "tools/list", json!({})), json!(2), -32600).error(
            claiming(json!("2030-01-01"), json!(3), "tools/list", json!({})),
            json!(3),
            -32600,
        ),
        row("S-35").result(initialize(1), json!(1), "/serverInfo").error(modern(2, "initialize", json!({})), json!(2), -32600),
        row("S-36")
            .result(initialize(1), json!(1), "/serverInfo")
            .result(claiming(json!("2025-06-18"), json!(2), "tools/list", json!({})), json!(2), "/tools"),
        row("S-37").result(initialize(1), json!(1), "/serverInfo").error(initialize(2), json!(2), -32600),
        row("S-39, S-40")
            .to(Config::HandshakeOnly)
            .error_with(modern(1, "server/discover", json!({})), json!(1), -32022, "/data/supported", handshake())
            .result(initialize(2), json!(2), "/serverInfo"),
        row("S-41").to(Config::HandshakeOnly).result(initialize(1), json!(1), "/serverInfo").error(modern(2, "tools/list", json!({})), json!(2), -32600),
        row("S-42")
            .to(Config::ModernOnly)
            .error_with(initialize(1), json!(1), -32022, "/data/supported", modern_list())
            .error(list(2), json!(2), -32602)
            .result(modern(3, "tools/list", json!({})), json!(3), "/tools"),
        row("MP-41").result(
            modern(1, "tools/call", json!({"name": "mirrored", "arguments": {"region": "a", "count": 9_007_199_254_740_992_i64}})),
            json!(1),
            "/content/0/text",
        ),
        row("notifications are not answered")
            .silent(r#"{"jsonrpc":"2.0","method":"initialize"}"#)
            .silent(r#"{"jsonrpc":"2.0","method":"foo/bar","params":[]}"#)
            .silent(r#"{"jsonrpc":"2.0","method":"notifications/acme/note","params":{"text":"bad"}}"#)
            .silent(r#"{"jsonrpc":"2.0","method":"notifications/acme/note","params":{}}"#)
            .result(initialize(7), json!(7), "/serverInfo"),
        row("byte order mark, method")
            .result(initialize(1), json!(1), "/serverInfo")
            .result(format!("\u{feff}{}", bare(json!(2), "acme/sum", json!({"a": 1, "b": 2}))), json!(2), "/sum"),
        row("a line as long as it may be")
            .to(Config::Small)
            .result(format!("{:<1000}\r", initialize(1)), json!(1), "/serverInfo")
            .error(format!("{:<1001}\r", bare(json!(2), "ping", json!({}))), None, -32600),
        row("byte order mark").result([b"\xef\xbb\xbf".as_slice(), initialize(1).as_bytes()].concat(), json!(1), "/serverInfo"),
        row("carriage return").result(format!("{}\r", initialize(1)), json!(1), "/serverInfo"),
        row("more behind").error(format!("{}xyz", initialize(1)), None, -32700).error(
            format!("{}{}", initialize(2), initialize(3)),
            None,
            -32700,
        ),
    ]
}
