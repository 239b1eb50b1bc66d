//! The rows that go over HTTP. Ids beginning with one letter and a number are those of the decision table that this
//! server follows: H the edge, C routing, M the modern leg, N notifications, SH standard headers, MP mirrored
//! arguments, L the handshake leg, E servers of one era.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{Request, bare, bytes, call, modern, of_method, posted};
use crate::row::{Row, row};

fn list() -> Request {
    modern("tools/list", json!({}))
}

fn initialize() -> Request {
    bare(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "rows", "version": "1"}}),
    )
}

/// The same behind a byte order mark.
fn marked(request: &Request) -> Request {
    bytes(["\u{feff}".as_bytes(), &request.bytes()].concat())
}

/// Before any era is known.
pub fn edge() -> Vec<Row> {
    let text = |length: usize| {
        let before = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": ""}}})
        .to_string()
        .len();
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": "x".repeat(length - before)}}})
        .to_string()
    };
    vec![
        row("H-1", list().header("Origin", "https://evil.example")).error_without_id(403, -32600).says("--allow-origin"),
        row("H-1 GET", of_method("GET").header("Origin", "https://evil.example")).status(403),
        row("H-1 DELETE", of_method("DELETE").header("Origin", "https://evil.example")).status(403),
        row("H-1 OPTIONS", of_method("OPTIONS").header("Origin", "https://evil.example")).status(403),
        row("H-1 look-alike", list().header("Origin", "http://localhost.evil.example")).status(403),
        row("H-1 user", list().header("Origin", "http://127.0.0.1:1@evil")).status(403),
        row("H-1 bytes", list().header("Origin", "http://l\u{f6}calhost")).status(403),
        row("H-2", list().header("Origin", "http://localhost:3000").set("Host", "any.example"))
            .has("access-control-allow-origin", "http://localhost:3000")
            .has("access-control-expose-headers", "Mcp-Session-Id, WWW-Authenticate")
            .has("vary", "Origin"),
        row("H-3", list().header("Origin", "null")).status(403),
        row("H-4", list().set("Host", "evil.example")).error_without_id(403, -32600).says("--allow-host"),
        row("H-4 port", list().set("Host", "evil.example:8000")).status(403),
        row("H-4 unspecified", list().set("Host", "0.0.0.0")).status(403),
        row("H-4 twice", list().header("Host", "127.0.0.1")).status(403),
        row("H-5", list().without("Host")).status(403),
        row("H-6", list().set("Host", "evil.example").header("Origin", "https://evil.example")).to(Config::Unguarded),
        row("H-7", of_method("OPTIONS").header("Origin", "http://localhost:3000"))
            .status(204)
            .empty()
            .has("access-control-allow-methods", "POST, OPTIONS")
            .lists("access-control-allow-headers", "Mcp-Method")
            .lists("access-control-allow-headers", "Mcp-Name")
            .lists("access-control-allow-headers", "MCP-Protocol-Version")
            .lists("access-control-allow-headers", "Mcp-Session-Id")
            .lists("access-control-allow-headers", "Last-Event-ID")
            .lists("access-control-allow-headers", "Authorization")
            .lists("access-control-allow-headers", "Mcp-Param-Region")
            .lists("access-control-allow-headers", "Mcp-Param-Zone"),
        row("H-7 no origin", of_method("OPTIONS")).status(204).empty().without("access-control"),
        row("H-8 PUT", of_method("PUT")).error_without_id(405, -32600).has("allow", "POST, OPTIONS"),
        row("H-8 PATCH", of_method("PATCH")).status(405).has("allow", "POST, OPTIONS"),
        row("H-8 TRACE", of_method("TRACE")).status(405).has("allow", "POST, OPTIONS"),
        row("H-9 GET", of_method("GET")).error_without_id(405, -32600).has("allow", "POST, OPTIONS").says("POST"),
        row("H-9 modern GET", of_method("GET").header("MCP-Protocol-Version", "2026-07-28")).status(405),
        row("H-9 DELETE", of_method("DELETE")).status(405).has("allow", "POST, OPTIONS"),
        row("H-10 text", list().set("Content-Type", "text/plain")).error_without_id(415, -32600),
        row("H-10 parameter", list().set("Content-Type", "text/plain; x=application/json")).status(415),
        row("H-10 missing", list().without("Content-Type")).status(415),
        row("H-10 similar", list().set("Content-Type", "application/jsonp")).status(415),
        row("H-10 suffix", list().set("Content-Type", "application/vnd.x+json")).status(415),
        row("H-10 charset", list().set("Content-Type", "application/json; charset=utf-8")),
        row("H-10 case", list().set("Content-Type", "APPLICATION/JSON")),
        row("H-10 quoted", list().set("Content-Type", "application/json;charset=\"utf-8\"")),
        row("H-11", list().header("Content-Encoding", "gzip")).status(415),
        row("H-11 identity", list().header("Content-Encoding", "identity")),
        row("H-12 exact", bytes(text(4 * 1024 * 1024))),
        row("H-12 one more", bytes(text(4 * 1024 * 1024 + 1))).error_without_id(413, -32600).says("4194304 bytes"),
        row("H-12 small", bytes(text(1001))).to(Config::Small).status(413),
        row("H-13", bytes("")).error_without_id(400, -32700),
        row("H-13 blank", bytes("  \n")).error_without_id(400, -32700),
        row("H-14 invalid", bytes("{bad")).error_without_id(400, -32700),
        row("H-14 UTF-8", bytes([b'{', 0xff, b'}'])).error_without_id(400, -32700),
        row("H-14 truncated", bytes(r#"{"jsonrpc":"2.0","id":1"#)).error_without_id(400, -32700),
        row("H-14 two", bytes("{}{}")).error_without_id(400, -32700),
        row("H-14 method twice", bytes(r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#))
            .error_without_id(400, -32700),
        row("byte order mark", marked(&bare("tools/call", json!({"name": "tells_meta", "_meta": {"own": 7}}))))
            .at("/result/content/0/text", "7"),
        row("byte order mark, method", marked(&bare("acme/sum", json!({"a": 1, "b": 2})))).at("/result/sum", 3),
        row("byte order mark, twice", marked(&marked(&list()))).error_without_id(400, -32700),
        row("byte order mark alone", bytes("\u{feff}")).error_without_id(400, -32700),
        row("H-15 deep", bytes(format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":{}{}}}}}}}"#,
            "[".repeat(100_000), "]".repeat(100_000))))
            .error(400, -32700),
        row("H-16 text", bytes("\"a string\"")).error_without_id(400, -32600),
        row("H-16 number", bytes("7")).error_without_id(400, -32600),
        row("H-16 null", bytes("null")).error_without_id(400, -32600),
        row("H-17 empty", bytes("[]")).error_without_id(400, -32600),
        row("H-17 one", bytes(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)).error_without_id(400, -32600),
        row("H-17 positional", bytes(r#"["2.0",1,"ping",null]"#)).error_without_id(400, -32600),
        row("H-17 before headers", bytes("[]").header("MCP-Protocol-Version", "2026-07-28")).error_without_id(400, -32600),
        row("H-19", posted(json!({}))).error_without_id(400, -32600),
        row("H-19 id", posted(json!({"jsonrpc": "2.0", "id": 7}))).error_for(400, -32600, Some(json!(7))),
        row("H-20 missing", posted(json!({"id": 1, "method": "ping"}))).error(400, -32600),
        row("H-20 old", posted(json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}))).error(400, -32600),
        row("H-20 number", posted(json!({"jsonrpc": 2.0, "id": 1, "method": "ping"}))).error(400, -32600),
        row("H-20 modern", list().change(|message| message["jsonrpc"] = json!("1.0"))).error(400, -32600),
        row("id of half a pair", bytes(r#"{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}"#))
            .error_without_id(400, -32600),
        row("progress token of half a pair", bytes(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":"\ude00"}}}"#))
            .error(200, -32602)
            .says("progressToken"),
        row("H-21 number", posted(json!({"jsonrpc": "2.0", "id": 1, "method": 5}))).error(400, -32600),
        row("H-21 empty", posted(json!({"jsonrpc": "2.0", "id": 1, "method": ""}))).error(400, -32600),
        row("H-21 with result", posted(json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "result": {}}))).error(400, -32600),
        row("H-22 array", bare("tools/list", json!([]))).error(400, -32602),
        row("H-22 text", bare("tools/list", json!("x"))).error(400, -32602),
        row("H-22 null", bare("tools/list", Value::Null)),
        row("H-22 modern", bare("tools/list", json!([])).header("MCP-Protocol-Version", "2026-07-28")).error(400, -32602),
        row("slash at the end", list().at("/mcp/")),
        row("query", list().at("/mcp?x=1")),
        row("another path", list().at("/mcp/more")).status(404),
        row("two slashes", list().at("//evil.example/mcp")).status(404).without("evil"),
    ]
}

/// Which era answers, by claim and header.
pub fn routing() -> Vec<Row> {
    let version = |request: Request, claim: Option<Value>, header: Option<&str>| {
        let request = match claim {
            Some(claim) => request.meta("protocolVersion", claim),
            None => request.without_meta("protocolVersion"),
        };
        match header {
            Some(header) => request.set("MCP-Protocol-Version", header),
            None => request.without("MCP-Protocol-Version"),
        }
    };
    let claims = |claim: &str| Some(json!(claim));
    let handshake_list = json!(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    let message = |method: &str| posted(json!({"jsonrpc": "2.0", "method": method}));
    vec![
        row("C-1", list()).at("/result/resultType", "complete"),
        row("C-2", version(list(), claims("2026-07-28"), None)).error(400, -32020),
        row("C-3 handshake", version(list(), claims("2026-07-28"), Some("2025-11-25"))).error(400, -32020),
        row("C-3 unknown", version(list(), claims("2026-07-28"), Some("2030-01-01"))).error(400, -32020),
        row("C-3 notification", version(list().notify(), claims("2026-07-28"), Some("2025-11-25")))
            .error_without_id(400, -32020),
        row("C-5", version(list(), claims("2030-01-01"), Some("2030-01-01")))
            .error(400, -32022)
            .at("/error/data/supported", json!(["2026-07-28"]))
            .at("/error/data/requested", "2030-01-01"),
        row("C-5 word", version(list(), claims("v999.0.0"), Some("v999.0.0"))).error(400, -32022),
        row("C-6", version(list(), claims("2030-01-01"), None)).error(400, -32020),
        row("C-7", version(list(), claims("v999.0.0"), Some("2026-07-28"))).error(400, -32020),
        row("C-8", version(list(), claims("2025-11-25"), None)).nothing_at("/result/resultType").at("/id", 1),
        row("C-8 header", version(list(), claims("2025-11-25"), Some("2025-11-25")))
            .nothing_at("/result/resultType"),
        row("C-9", version(list(), claims("2025-11-25"), Some("2025-06-18"))).error(400, -32020),
        row("C-10", version(list(), claims("2025-11-25"), Some("2026-07-28"))).error(400, -32020),
        row("C-11", version(list(), claims("2025-11-25"), Some("2030-01-01"))).error(400, -32020),
        row("C-12", bare("tools/list", json!({}))).nothing_at("/result/resultType"),
        row("C-12 initialize", initialize()).at("/result/protocolVersion", "2025-11-25"),
        row("C-12 discover", bare("server/discover", json!({}))).error(200, -32601),
        row("C-13", bare("tools/list", json!({})).header("MCP-Protocol-Version", "2025-06-18"))
            .nothing_at("/result/resultType"),
        row("C-14", bare("tools/list", json!({})).header("MCP-Protocol-Version", "2026-07-28"))
            .error(400, -32602)
            .says("io.modelcontextprotocol/protocolVersion"),
        row("C-14 initialize", initialize().header("MCP-Protocol-Version", "2026-07-28")).error(400, -32602),
        row("C-15", bare("tools/list", json!({})).header("MCP-Protocol-Version", "2030-01-01"))
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone())
            .at("/error/data/requested", "2030-01-01"),
        row("C-16", message("notifications/other").header("MCP-Protocol-Version", "2026-07-28"))
            .status(202)
            .empty(),
        row("C-17", message("notifications/initialized")).status(202).empty(),
        row("C-18", message("notifications/other").header("MCP-Protocol-Version", "2030-01-01"))
            .error_without_id(400, -32022),
        row(
            "C-19",
            list().notify().change(|m| m["method"] = json!("notifications/other")).without("Mcp-Method"),
        )
        .status(202)
        .empty(),
        row("C-20 number", list().meta("protocolVersion", json!(1)))
            .error(400, -32602)
            .says("protocolVersion"),
        row("C-20 object", list().meta("protocolVersion", json!({}))).error(400, -32602),
        row("C-21", list().meta("protocolVersion", json!(""))).error(400, -32602),
        row("C-22", list().meta("protocolVersion", Value::Null)).error(400, -32602),
        row("C-23", list().change(|message| message["params"]["_meta"] = json!("x")))
            .error(400, -32602)
            .says("_meta"),
        row("C-23 array", list().change(|message| message["params"]["_meta"] = json!([])))
            .error(400, -32602)
            .says("_meta"),
        row("C-24", bare("tools/list", json!({"_meta": "x"}))).error(400, -32602),
        row("C-25", list().meta("protocolVersion", json!(" 2026-07-28"))).error(400, -32020),
        row("C-26", list().header("MCP-Protocol-Version", "2026-07-28")).error(400, -32020),
        row(
            "C-26 no claim",
            bare("ping", json!({}))
                .header("MCP-Protocol-Version", "2025-06-18")
                .header("MCP-Protocol-Version", "2025-06-18"),
        )
        .error(400, -32020),
        row("C-27", list().set("MCP-Protocol-Version", "2026\u{e9}")).error(400, -32020),
        row(
            "C-28",
            bare(
                "tools/call",
                json!({"name": "echo", "protocolVersion": "2026-07-28",
            "arguments": {"text": "a", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}),
            ),
        )
        .nothing_at("/result/resultType"),
        row("C-29", bare("tools/list", json!({"_meta": {"progressToken": 1}})))
            .nothing_at("/result/resultType"),
        row("C-30", list().without_meta("protocolVersion")).error(400, -32602).says("protocolVersion"),
        row("narrow list", bare("ping", json!({})).header("MCP-Protocol-Version", "2025-11-25"))
            .to(Config::Narrow)
            .error(400, -32022)
            .at("/error/data/supported", json!(["2025-06-18"])),
    ]
}

/// Requests and notifications of the modern era.
pub fn modern_era() -> Vec<Row> {
    let removed = |method: &'static str| modern(method, json!({}));
    let note = |text: &str| modern("notifications/acme/note", json!({"text": text})).notify();
    vec![
        row("M-1", list().without_meta("clientCapabilities")).error(400, -32602).says("clientCapabilities"),
        row("M-2 null", list().meta("clientCapabilities", Value::Null)).error(400, -32602),
        row("M-2 array", list().meta("clientCapabilities", json!([]))).error(400, -32602),
        row("M-3", list().without_meta("clientCapabilities").without_meta("protocolVersion"))
            .error(400, -32602),
        row("M-4", list().without_meta("clientInfo")),
        row("M-5", list().meta("clientInfo", json!("x"))),
        row("M-8", list().meta("logLevel", json!("loud"))).error(400, -32602).says("emergency"),
        row("M-8 number", list().meta("logLevel", json!(1))).error(400, -32602),
        row("M-9 fraction", list().meta("progressToken", json!(1.5))).error(400, -32602),
        row("M-9 object", list().meta("progressToken", json!({}))).error(400, -32602),
        row("M-11", list().meta("somethingElse", json!({"a": 1}))),
        row("M-12 text", list().id(json!("a"))).at("/id", "a"),
        row("M-12 empty", list().id(json!(""))).at("/id", ""),
        row("M-12 zero", list().id(json!(0))).at("/id", 0),
        row("M-12 negative", list().id(json!(-5))).at("/id", -5),
        row("M-13 fraction", list().id(json!(1.5))).error_without_id(400, -32600),
        row("M-13 integral fraction", list().id(json!(1.0))).error_without_id(400, -32600),
        row("M-14 boolean", list().id(json!(true))).error_without_id(400, -32600),
        row("M-14 object", list().id(json!({}))).error_without_id(400, -32600),
        row("M-15", call("echo", json!({"text": "a"})).id(Value::Null)).error_without_id(400, -32600),
        row("M-17", list().id(json!(9_007_199_254_740_993_u64))).at("/id", 9_007_199_254_740_993_u64),
        row("M-19", list().header("Mcp-Session-Id", "anything")).without("mcp-session-id"),
        row("M-20", list().header("Last-Event-ID", "5")),
        row("M-21", removed("foo/bar")).error(404, -32601),
        row("M-22", modern("tasks/get", json!({"taskId": "t"})))
            .error(404, -32601)
            .says("io.modelcontextprotocol/tasks"),
        row("M-23", removed("initialize")).error(404, -32601),
        row("M-24 ping", removed("ping")).error(404, -32601),
        row("M-24 level", removed("logging/setLevel")).error(404, -32601),
        row("M-24 subscribe", removed("resources/subscribe")).error(404, -32601),
        row("M-24 unsubscribe", removed("resources/unsubscribe")).error(404, -32601),
        row("M-24 roots", removed("roots/list")).error(404, -32601),
        row("M-24 sampling", removed("sampling/createMessage")).error(404, -32601),
        row("M-24 tasks", removed("tasks/list")).error(404, -32601),
        row("M-25", modern("tasks/get", json!({"taskId": "t"})).without("Mcp-Name")).error(400, -32020),
        row("M-26", list()).to(Config::Empty).error(404, -32601),
        row("M-27", call("unknown", json!({}))).error(400, -32602).says("Unknown tool: unknown"),
        row("M-28", modern("tools/call", json!({"arguments": {}}))).error(400, -32602).says("params.name"),
        row("M-28 header", modern("tools/call", json!({})).header("Mcp-Name", "echo")).error(400, -32020),
        row("M-29", call("echo", json!({"text": 5})))
            .at("/result/isError", true)
            .at("/result/resultType", "complete"),
        row("M-29 missing", call("echo", json!({}))).at("/result/isError", true),
        row("M-29 not an object", call("echo", json!([]))).error(400, -32602),
        row("M-29 null", call("numbers", Value::Null)).at("/result/structuredContent", json!([1, 2])),
        row("M-29 absent", modern("tools/call", json!({"name": "numbers"})))
            .at("/result/structuredContent", json!([1, 2])),
        row("M-30 unknown", modern("prompts/get", json!({"name": "none"})))
            .error(400, -32602)
            .says("Unknown prompt"),
        row("M-30 missing", modern("prompts/get", json!({"name": "review"})))
            .error(400, -32602)
            .says("`code`: missing"),
        row("M-30 kind", modern("prompts/get", json!({"name": "review", "arguments": {"code": 5}})))
            .error(400, -32602),
        row(
            "M-30 value",
            modern("prompts/get", json!({"name": "review", "arguments": {"code": "", "lines": "x"}})),
        )
        .error(400, -32602)
        .says("a whole number from 0 to 255"),
        row("M-30 name", modern("prompts/get", json!({"name": "review", "arguments": {"cod": ""}})))
            .error(400, -32602)
            .says("did you mean `code`?"),
        row("M-31", modern("resources/read", json!({"uri": "none://x"})))
            .error(400, -32602)
            .at("/error/data/uri", "none://x"),
        row("M-31 member", modern("resources/read", json!({"uri": "item://200"})))
            .error(400, -32602)
            .at("/error/data/uri", "item://200"),
        row("M-31 value", modern("resources/read", json!({"uri": "item://x"}))).error(400, -32602),
        row("M-31 bad", modern("resources/read", json!({"uri": "item://%E0%A4"}))).error(400, -32602),
        row("M-32", modern("tools/list", json!({"cursor": "x"}))).error(400, -32602),
        row("M-32 empty", modern("tools/list", json!({"cursor": ""})))
            .error(400, -32602)
            .says("params.cursor"),
        row("M-32 handshake", bare("prompts/list", json!({"cursor": ""})))
            .error(200, -32602)
            .says("params.cursor"),
        row("M-32 null", modern("tools/list", json!({"cursor": null}))),
        row("M-35", call("panics", json!({}))).error(500, -32603).without("1234"),
        row("M-35 misfit", call("misfit", json!({}))).error(500, -32603),
        row("M-35 reserved", call("refuses", json!({"code": -32020}))).error(500, -32603),
        row("M-35 own", call("refuses", json!({"code": 7}))).error(200, 7),
        row("M-38 cache", list()).at("/result/ttlMs", 0).at("/result/cacheScope", "private"),
        row("M-38 server", list()).at(
            "/result/_meta/io.modelcontextprotocol~1serverInfo",
            json!({"name": "fixture", "version": "1.2.3"}),
        ),
        row("M-38 resource", modern("resources/read", json!({"uri": "config://app"})))
            .at("/result/ttlMs", 60_000)
            .at("/result/cacheScope", "public")
            .at(
                "/result/contents/0",
                json!({"uri": "config://app", "mimeType": "text/plain", "text": "debug = false"}),
            ),
        row("M-38 call", call("echo", json!({"text": "a"}))).nothing_at("/result/ttlMs"),
        row("M-39", call("echo", json!({"text": "a"}))).has("content-type", "application/json"),
        row("M-40", call("progress", json!({})).meta("progressToken", json!("t")))
            .has("content-type", "text/event-stream")
            .has("x-accel-buffering", "no")
            .has("cache-control", "no-store, no-transform")
            .at("/result/content/0/text", "done")
            .without("id: ")
            .without("event: "),
        row(
            "M-41",
            call("progress", json!({})).meta("progressToken", json!("t")).set("Accept", "application/json"),
        )
        .has("content-type", "application/json")
        .at("/result/content/0/text", "done"),
        row("M-42", list().without("Accept")).has("content-type", "application/json"),
        row("M-42 any", list().set("Accept", "*/*")).has("content-type", "application/json"),
        row("M-42 events", list().set("Accept", "text/event-stream"))
            .has("content-type", "text/event-stream"),
        row("M-42 empty", list().set("Accept", "")).has("content-type", "application/json"),
        row("M-43", list().set("Accept", "text/html")).error(406, -32600),
        row("M-43 refused", list().set("Accept", "application/json;q=0")).status(406),
        row("N-1", note("good")).status(202).empty(),
        row("N-1 error", note("bad")).status(202).empty(),
        row("N-1 unknown", modern("notifications/unknown", json!({})).notify()).status(202).empty(),
        row("N-2", modern("notifications/initialized", json!({})).notify()).status(400).empty(),
        row("N-2 roots", modern("notifications/roots/list_changed", json!({})).notify()).status(400).empty(),
        row("N-3", modern("notifications/cancelled", json!({"requestId": 1})).notify()).status(202).empty(),
        row(
            "N-4",
            note("x").meta("protocolVersion", json!("2030-01-01")).set("MCP-Protocol-Version", "2030-01-01"),
        )
        .error_without_id(400, -32022),
        row("N-5 missing", note("x").without("Mcp-Method")).status(202).empty(),
        row("N-5 different", note("x").set("Mcp-Method", "other")).error_without_id(400, -32020),
        row(
            "N-7",
            posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
                .header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error_without_id(400, -32600),
        row("discover", modern("server/discover", json!({})))
            .at("/result/supportedVersions", json!(["2026-07-28"]))
            .at(
                "/result/capabilities",
                json!({"tools": {}, "prompts": {}, "resources": {}, "completions": {}, "logging": {}}),
            )
            .at("/result/instructions", "Use it well."),
        row("discover nothing", modern("server/discover", json!({})))
            .to(Config::Empty)
            .at("/result/capabilities", json!({})),
        row("method", modern("acme/sum", json!({"a": 1, "b": 2})))
            .at("/result/sum", 3)
            .at("/result/resultType", "complete"),
        row("method, stamped", modern("acme/stamped", json!({})))
            .at("/result/resultType", "own")
            .at("/result/ttlMs", 5)
            .at("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "own"),
        row("R-40 method", bare("acme/stamped", json!({})))
            .at("/result", json!({"kept": true, "_meta": {"own": 1}})),
        row("method, bad", modern("acme/sum", json!({"a": 1}))).error(400, -32602).says("`b`: missing"),
        row(
            "completion",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "review"},
            "argument": {"name": "lines", "value": "1"}, "context": {"arguments": {"code": "c"}}}),
            ),
        )
        .at("/result/completion/values", json!(["1", "c"])),
        row(
            "completion, none",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "review"},
            "argument": {"name": "code", "value": "1"}}),
            ),
        )
        .at("/result/completion/values", json!([])),
        row("completion of an enum", complete("poem", "form", "H"))
            .at("/result/completion/values", json!(["haiku", "heroic-couplet"])),
        row("completion of a boolean", complete("poem", "rhymes", ""))
            .at("/result/completion/values", json!(["true", "false"])),
        row("prompts, words", modern("prompts/list", json!({})))
            .at("/result/prompts/0/arguments/0/description", "One of: haiku, heroic-couplet, sonnet."),
        row(
            "prompt, no such word",
            modern("prompts/get", json!({"name": "poem", "arguments": {"form": "ode"}})),
        )
        .error(400, -32602)
        .says("`form`: expected one of \"haiku\", \"heroic-couplet\", \"sonnet\", got \"ode\""),
        row(
            "completion, plain",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": "config://app"},
            "argument": {"name": "x", "value": "1"}}),
            ),
        )
        .at("/result/completion/values", json!([])),
        row(
            "completion, unknown",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "none"},
            "argument": {"name": "x", "value": ""}}),
            ),
        )
        .error(400, -32602),
        row("completion, bad", modern("completion/complete", json!({})))
            .error(400, -32602)
            .says("params.ref"),
    ]
}

/// Parameters of `completion/complete` that are not what they have to be.
pub fn completion_params() -> Vec<Row> {
    let bad = |member: &'static str, value: Value, says: &'static str| {
        let request = complete("review", "lines", "1").change(|message| message["params"][member] = value);
        row(says, request).error(400, -32602).says(says).without("struct").without("enum")
    };
    vec![
        bad("ref", json!(["ref/prompt", "review"]), "`params.ref` has to be an object"),
        bad("ref", Value::Null, "`params.ref` has to be an object"),
        bad(
            "ref",
            json!({"name": "review"}),
            "`params.ref.type` has to be \"ref/prompt\" or \"ref/resource\"",
        ),
        bad("ref", json!({"type": ["ref/prompt"]}), "`params.ref.type` has to be"),
        bad("ref", json!({"type": "ref/prompt"}), "`params.ref.name` has to be a text"),
        bad("ref", json!({"type": "ref/resource", "uri": 5}), "`params.ref.uri` has to be a text"),
        bad("argument", json!(["lines", "1"]), "`params.argument` has to be an object"),
        bad("argument", json!("lines"), "`params.argument` has to be an object"),
        bad("argument", json!({"name": "lines"}), "`params.argument.value` has to be a text"),
        bad("argument", json!({"name": 1, "value": "1"}), "`params.argument.name` has to be a text"),
        bad("context", json!([{"code": "c"}]), "`params.context` has to be an object"),
        bad("context", json!(7), "`params.context` has to be an object"),
        bad("context", json!({"arguments": ["c"]}), "params.context.arguments"),
        row(
            "no context",
            complete("review", "lines", "1").change(|message| message["params"]["context"] = Value::Null),
        )
        .at("/result/completion/values", json!(["1", ""])),
    ]
}

fn complete(prompt: &str, argument: &str, typed: &str) -> Request {
    modern(
        "completion/complete",
        json!({"ref": {"type": "ref/prompt", "name": prompt}, "argument": {"name": argument, "value": typed}}),
    )
}

/// `Mcp-Method` and `Mcp-Name`.
pub fn standard_headers() -> Vec<Row> {
    let echo = || call("echo", json!({"text": "a"}));
    vec![
        row("SH-1", echo().without("Mcp-Method")).error(400, -32020).says("Mcp-Method"),
        row("SH-2", echo().set("Mcp-Method", "tools/list")).error(400, -32020),
        row("SH-2 case", echo().set("Mcp-Method", "TOOLS/CALL")).error(400, -32020),
        row("SH-3", echo().without("Mcp-Method").header("MCP-METHOD", "tools/call")),
        row("SH-4", echo().set("Mcp-Method", "\t tools/call  ").set("Mcp-Name", "  echo\t")),
        row("SH-5", echo().set("Mcp-Method", "")).error(400, -32020),
        row("SH-6", echo().set("Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?=")).error(400, -32020),
        row("SH-7", echo().without("Mcp-Name")).error(400, -32020).says("Mcp-Name"),
        row("SH-7 prompt", modern("prompts/get", json!({"name": "review"})).without("Mcp-Name"))
            .error(400, -32020),
        row("SH-7 resource", modern("resources/read", json!({"uri": "config://app"})).without("Mcp-Name"))
            .error(400, -32020),
        row("SH-8", echo().set("Mcp-Name", "progress")).error(400, -32020),
        row(
            "SH-8 uri",
            modern("resources/read", json!({"uri": "config://app"})).set("Mcp-Name", "config://other"),
        )
        .error(400, -32020),
        row("SH-9", modern("tasks/cancel", json!({"taskId": "t"})).set("Mcp-Name", "u")).error(400, -32020),
        row("SH-10", list().header("Mcp-Name", "anything")),
        row("SH-11", echo().set("Mcp-Name", "=?base64?ZWNobw==?=")),
        row("SH-12 alphabet", echo().set("Mcp-Name", "=?base64?ZWN!bw==?=")).error(400, -32020),
        row("SH-12 padding", echo().set("Mcp-Name", "=?base64?ZWNobw?=")).error(400, -32020),
        row("SH-12 trailing bits", echo().set("Mcp-Name", "=?base64?ZWNobx==?=")).error(400, -32020),
        row("SH-12 UTF-8", echo().set("Mcp-Name", "=?base64?/w==?=")).error(400, -32020),
        row("SH-13", echo().set("Mcp-Name", "=?BASE64?ZWNobw==?=")).error(400, -32020),
        row("SH-14", echo().set("Mcp-Name", "\u{e9}cho")).error(400, -32020),
        row("SH-15", call("numbers", json!({})).set("Mcp-Name", "=?base64?bnVtYmVycw==?=")),
        row("SH-16", call("=?base64?ZWNobw==?=", json!({}))).error(400, -32020),
        row("SH-17", echo().header("Mcp-Name", "echo")).error(400, -32020),
        row("SH-17 method", echo().header("Mcp-Method", "tools/call")).error(400, -32020),
        row("SH-18", call("unknown", json!({})).set("Mcp-Name", "other")).error(400, -32020),
        row("SH-18 method", modern("foo/bar", json!({})).set("Mcp-Method", "foo/baz")).error(400, -32020),
        row("SH-19", modern("server/discover", json!({})).without("Mcp-Method")).error(400, -32020),
    ]
}

/// `Mcp-Param-*`.
pub fn mirrored() -> Vec<Row> {
    let mirrors = |arguments: Value, headers: &[(&str, &str)]| {
        headers.iter().fold(call("mirrored", arguments), |request, (name, value)| request.header(name, value))
    };
    let region =
        |value: Value, header: &str| mirrors(json!({"region": value}), &[("Mcp-Param-Region", header)]);
    let count = |value: Value, header: &str| mirrors(json!({"count": value}), &[("Mcp-Param-Count", header)]);
    let flag = |value: Value, header: &str| mirrors(json!({"flag": value}), &[("Mcp-Param-Flag", header)]);
    let raw = |arguments: &str, headers: &[(&str, &str)]| {
        let request = mirrors(json!({}), headers);
        let text = String::from_utf8(request.bytes()).expect("JSON is UTF-8");
        let mut request = request;
        request.body = crate::request::Body::Bytes(
            text.replace("\"arguments\":{}", &format!("\"arguments\":{arguments}")).into_bytes(),
        );
        request
    };
    let good =
        |id: &'static str, request| row(id, request).nothing_at("/result/isError").nothing_at("/error");
    let bad = |id: &'static str, request| row(id, request).error(400, -32020).says("Mcp-Param-");
    vec![
        good("MP-1", region(json!("us-west1"), "us-west1")),
        bad("MP-2", region(json!("us-west1"), "us-east1")),
        bad("MP-2 case", region(json!("us-west1"), "US-WEST1")),
        bad("MP-3", mirrors(json!({"region": "us-west1"}), &[])),
        bad("MP-4", mirrors(json!({}), &[("Mcp-Param-Region", "us-west1")])),
        good("MP-5", mirrors(json!({"region": null}), &[])),
        bad("MP-6", region(Value::Null, "null")),
        bad("MP-6 empty", region(Value::Null, "")),
        good("MP-7", modern("tools/call", json!({"name": "mirrored"}))),
        bad("MP-7 sent", modern("tools/call", json!({"name": "mirrored"})).header("Mcp-Param-Region", "x")),
        good("MP-8", region(json!(""), "")),
        bad("MP-9", mirrors(json!({"region": ""}), &[])),
        bad("MP-10", region(json!("042"), "42")),
        good("MP-11", region(json!("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=")),
        good("MP-12", region(json!(" padded "), "=?base64?IHBhZGRlZCA=?=")),
        bad("MP-12 raw", region(json!(" padded "), " padded ")),
        good("MP-13", region(json!("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")),
        bad("MP-13 raw", region(json!("=?base64?literal?="), "=?base64?literal?=")),
        bad("MP-14", region(json!("Hello"), "=?base64?SGVsbG8?=")),
        good("MP-15", region(json!("=?BASE64?eA==?="), "=?BASE64?eA==?=")),
        good("MP-16", count(json!(42), "42")),
        good("MP-17", count(json!(42), "42.00")),
        good("MP-18", count(json!(42.0), "42")),
        good("MP-19", raw("{\"count\":4.2e1}", &[("Mcp-Param-Count", "42")])),
        bad("MP-19 header", count(json!(42), "4.2e1")),
        good("MP-20", count(json!(42), "042")),
        bad("MP-20 plus", count(json!(42), "+42")),
        bad("MP-20 hex", count(json!(42), "0x2a")),
        bad("MP-20 more", count(json!(42), "42x")),
        bad("MP-20 empty", count(json!(42), "")),
        good("MP-21", raw("{\"count\":-0}", &[("Mcp-Param-Count", "0")])),
        good("MP-22", count(json!(9_007_199_254_740_991_i64), "9007199254740991")),
        bad("MP-23", count(json!(9_007_199_254_740_992_i64), "9007199254740992")),
        bad("MP-23 negative", count(json!(-9_007_199_254_740_992_i64), "-9007199254740992")),
        bad("MP-23 absent", mirrors(json!({"count": 9_007_199_254_740_992_i64}), &[])),
        bad("MP-24", count(json!(42), "9007199254740993")),
        bad("MP-25", count(json!(9_007_199_254_740_993_i64), "9007199254740992")),
        bad(
            "MP-25 fraction",
            raw("{\"count\":9007199254740993.0}", &[("Mcp-Param-Count", "9007199254740992")]),
        ),
        bad("MP-26", count(json!(42.5), "42.5")),
        row("MP-27", count(json!("42"), "42")).at("/result/isError", true),
        bad("MP-28", raw("{\"count\":1e400}", &[("Mcp-Param-Count", "1e400")])),
        bad("MP-28 absent", raw("{\"count\":1e400}", &[])),
        good("MP-29", flag(json!(true), "true")),
        bad("MP-29 case", flag(json!(true), "True")),
        bad("MP-29 number", flag(json!(true), "1")),
        good("MP-30", flag(json!(false), "false")),
        bad("MP-30 absent", mirrors(json!({"flag": false}), &[])),
        row("MP-31", mirrors(json!({"region": ["a"]}), &[])).at("/result/isError", true),
        bad("MP-31 sent", region(json!({"a": 1}), "a")),
        good("MP-32", mirrors(json!({"place": {"zone": "z"}}), &[("Mcp-Param-Zone", "z")])),
        bad("MP-32 absent", mirrors(json!({"place": {"zone": "z"}}), &[])),
        good("MP-33", mirrors(json!({"place": null}), &[])),
        bad("MP-33 sent", mirrors(json!({"place": null}), &[("Mcp-Param-Zone", "z")])),
        row("MP-33 no object", mirrors(json!({"place": 5}), &[])).at("/result/isError", true),
        good("MP-34", mirrors(json!({}), &[("Mcp-Param-Foo", "x")])),
        bad("MP-35", region(json!("a"), "a").header("Mcp-Param-Region", "a")),
        good("MP-36", mirrors(json!({"region": "a"}), &[("mcp-param-REGION", "a")])),
        row("MP-38", call("unknown", json!({})).header("Mcp-Param-Region", "x")).error(400, -32602),
        good("MP-40", list().header("Mcp-Param-Region", "x")),
        good(
            "MP-41",
            bare(
                "tools/call",
                json!({"name": "mirrored", "arguments": {"region": "a", "count": 9_007_199_254_740_992_i64}}),
            ),
        ),
    ]
}

/// The handshake era, where each request stands alone.
pub fn handshake() -> Vec<Row> {
    let asks = |version: Value| initialize().change(|message| message["params"]["protocolVersion"] = version);
    vec![
        row("L-1", initialize())
            .at("/result/protocolVersion", "2025-11-25")
            .at("/result/serverInfo", json!({"name": "fixture", "version": "1.2.3"}))
            .at("/result/instructions", "Use it well.")
            .nothing_at("/result/resultType")
            .without("mcp-session-id"),
        row("L-1 older", asks(json!("2024-11-05")))
            .at("/result/protocolVersion", "2024-11-05")
            .nothing_at("/result/capabilities/completions"),
        row("L-2 unknown", asks(json!("1999-01-01"))).at("/result/protocolVersion", "2025-11-25"),
        row("L-2 modern", asks(json!("2026-07-28"))).at("/result/protocolVersion", "2025-11-25"),
        row("L-3", asks(Value::Null)).error(200, -32602).says("protocolVersion"),
        row("L-4", initialize().change(|message| message["params"]["capabilities"] = Value::Null))
            .error(200, -32602)
            .says("capabilities"),
        row("L-4 info", initialize().change(|message| message["params"]["clientInfo"] = json!("x")))
            .error(200, -32602)
            .says("clientInfo"),
        row("L-5", initialize().header("MCP-Protocol-Version", "2025-11-25"))
            .at("/result/protocolVersion", "2025-11-25"),
        row("L-6", initialize().header("MCP-Protocol-Version", "2025-06-18"))
            .at("/result/protocolVersion", "2025-11-25"),
        row("L-7", initialize().header("Mcp-Session-Id", "anything")),
        row("L-9", bare("tools/list", json!({}))),
        row("L-10", bare("tools/list", json!({})).header("Mcp-Session-Id", "unknown")),
        row("L-14", bare("tools/call", json!({"name": "echo", "arguments": {"text": "a"}})))
            .at("/result/content/0/text", "a"),
        row("L-15", bare("tools/call", json!({"name": "numbers"}))).nothing_at("/result/structuredContent"),
        row(
            "L-15 named",
            bare("tools/call", json!({"name": "numbers"})).header("MCP-Protocol-Version", "2025-06-18"),
        )
        .at("/result/structuredContent", json!({"result": [1, 2]}))
        .at("/result/content/0/text", "[1,2]"),
        row("L-17", bare("ping", json!({})).header("MCP-Protocol-Version", "yesterday")).error(400, -32022),
        row("L-18", bare("tools/list", json!({})).header("Mcp-Method", "wrong").header("Mcp-Name", "wrong")),
        row("L-19", bare("ping", json!({}))).body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        row("L-20", bare("server/discover", json!({}))).error(200, -32601),
        row("L-20 listen", bare("subscriptions/listen", json!({}))).error(200, -32601),
        row("L-21", bare("foo/bar", json!({}))).error(200, -32601),
        row("L-22", bare("tools/call", json!({"name": "none"}))).error(200, -32602),
        row("L-22 prompt", bare("prompts/get", json!({"name": "none"}))).error(200, -32602),
        row("L-23", bare("resources/read", json!({"uri": "none://x"})))
            .error(200, -32002)
            .at("/error/data/uri", "none://x"),
        row("L-24", bare("tools/call", json!({"name": "echo", "arguments": {"text": 5}})))
            .at("/result/isError", true),
        row("L-25", posted(json!({"jsonrpc": "2.0", "method": "notifications/unknown"}))).status(202).empty(),
        row(
            "L-25 null params",
            posted(json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": null})),
        )
        .status(202),
        row(
            "L-26",
            posted(
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}),
            ),
        )
        .status(202),
        row("L-27", bare("ping", json!({})).set("Accept", "application/json")),
        row("L-27 neither", bare("ping", json!({})).set("Accept", "text/html")).status(406),
        row("L-28", bare("tools/call", json!({"name": "progress", "_meta": {"progressToken": 7}})))
            .has("content-type", "text/event-stream")
            .at("/result/content/0/text", "done"),
        row("L-30", bare("logging/setLevel", json!({"level": "info"})))
            .body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        row("L-30 bad", bare("logging/setLevel", json!({"level": "loud"}))).error(200, -32602),
        row("L-31", bare("resources/subscribe", json!({"uri": "config://app"}))).error(200, -32601),
        row("L-32", of_method("GET").set("Accept", "text/event-stream"))
            .status(405)
            .has("allow", "POST, OPTIONS"),
        row("L-36", of_method("DELETE").header("Mcp-Session-Id", "x")).status(405),
        row("L-39", bytes(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)).error_without_id(400, -32600),
        row("L-42", posted(json!({"jsonrpc": "2.0", "id": null, "result": {}})))
            .error_without_id(400, -32600),
        row("L-42 both", posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}})))
            .error_without_id(400, -32600),
        row("L-45 panic", bare("tools/call", json!({"name": "panics"}))).error(200, -32603).without("1234"),
        row(
            "L-46",
            list()
                .meta("protocolVersion", json!("2025-06-18"))
                .without("MCP-Protocol-Version")
                .without("Mcp-Method"),
        )
        .nothing_at("/result/resultType"),
    ]
}

/// Servers of one era.
pub fn one_era() -> Vec<Row> {
    let handshake_list = json!(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    let modern_list = json!(["2026-07-28"]);
    let handshake = |id, request| row(id, request).to(Config::HandshakeOnly);
    let only = |id, request| row(id, request).to(Config::ModernOnly);
    let unknown = |request: Request| {
        request.meta("protocolVersion", json!("2030-01-01")).set("MCP-Protocol-Version", "2030-01-01")
    };
    vec![
        handshake("E-1", list())
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone())
            .at("/error/data/requested", "2026-07-28"),
        handshake("E-1 unknown", unknown(list()))
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone()),
        handshake("E-1 absent", list().without("MCP-Protocol-Version")).error(400, -32022),
        handshake("E-2", list().set("MCP-Protocol-Version", "2025-11-25")).error(400, -32020),
        handshake("E-3", bare("tools/list", json!({})).header("MCP-Protocol-Version", "2026-07-28"))
            .error(400, -32602),
        handshake(
            "E-4",
            posted(json!({"jsonrpc": "2.0", "method": "notifications/x"}))
                .header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error_without_id(400, -32022),
        handshake("E-5", bare("server/discover", json!({}))).error(200, -32601),
        handshake("E-5 initialize", initialize()).at("/result/protocolVersion", "2025-11-25"),
        only("E-9", initialize())
            .error(400, -32022)
            .at("/error/data/supported", modern_list.clone())
            .at("/error/data/requested", "2025-11-25"),
        only("E-9 header", bare("initialize", json!({})).header("MCP-Protocol-Version", "2025-06-18"))
            .error(400, -32022)
            .at("/error/data/requested", "2025-06-18"),
        only("E-9 neither", bare("initialize", json!({}))).error(400, -32022).at("/error/data/requested", ""),
        only("E-9 modern header", initialize().header("MCP-Protocol-Version", "2026-07-28"))
            .error(400, -32022),
        only("E-10", bare("tools/list", json!({}))).error(400, -32602).says("protocolVersion"),
        only("E-10 header", bare("tools/list", json!({})).header("MCP-Protocol-Version", "2025-06-18"))
            .error(400, -32602),
        only(
            "E-11",
            list().meta("protocolVersion", json!("2025-11-25")).set("MCP-Protocol-Version", "2025-11-25"),
        )
        .error(400, -32022)
        .at("/error/data/supported", modern_list),
        only("E-12", posted(json!({"jsonrpc": "2.0", "method": "notifications/x"}))).status(202).empty(),
        only("E-13", of_method("GET")).status(405).has("allow", "POST, OPTIONS"),
        only("E-13 DELETE", of_method("DELETE")).status(405).has("allow", "POST, OPTIONS"),
        only("E-14", of_method("OPTIONS")).status(204).empty(),
        only("E-16", posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}}))).error_without_id(400, -32600),
        only("E-16 array", bytes("[]")).error_without_id(400, -32600),
        only("E-17", list().header("Mcp-Session-Id", "x").header("Last-Event-ID", "1")),
        only("E-18", modern("initialize", json!({}))).error(404, -32601),
    ]
}
