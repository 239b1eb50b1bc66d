//! Section H: before any era is known.

use mcp_runtime_tests::raw::exchange;
use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{Body, Request, bare, bytes, call, initialize, list, of_method, posted};
use crate::row::{Row, edge, row, socket};

/// The same behind a byte order mark.
fn marked(request: &Request) -> Request {
    bytes(["\u{feff}".as_bytes(), &request.bytes()].concat())
}

/// Which test shows which row.
pub const SHOWN: &[(&str, fn())] = &[("H-5", http_1_0_without_a_host_is_refused)];

#[test]
fn http_1_0_without_a_host_is_refused() {
    let body = list().text();
    let head =
        format!("POST /mcp HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
    let sent =
        |more: &str| exchange(Config::Default.listen(), format!("{head}{more}\r\n\r\n{body}").as_bytes());
    assert_eq!(sent("").status, 403);
    assert_ne!(sent("\r\nHost: localhost").status, 403, "what is wrong with it is the host alone");
}

/// The same request, its body in one chunk, under that transfer coding.
fn chunked(coding: &str, request: Request) -> Request {
    let body = request.bytes();
    let mut chunk = format!("{:x}\r\n", body.len()).into_bytes();
    chunk.extend_from_slice(&body);
    chunk.extend_from_slice(b"\r\n0\r\n\r\n");
    Request { body: Body::Bytes(chunk), ..request.header("Transfer-Encoding", coding) }
}

/// Before any era is known.
pub fn rows() -> Vec<Row> {
    let text = |length: usize| {
        let before = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": ""}}})
        .to_string()
        .len();
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": "x".repeat(length - before)}}})
        .to_string()
    };
    let digits = |length| "7".repeat(length);
    let long = call("echo", json!({"text": 5})).written(":5}", &format!(":{}}}", digits(5000)));
    let lists = format!("{}5{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = call("echo", json!({"text": 5})).written(":5}", &format!(":{lists}}}"));
    vec![
        edge("H-1", list().header("Origin", "https://evil.example"))
            .error_without_id(403, -32600)
            .says("--allow-origin"),
        edge("H-1 GET", of_method("GET").header("Origin", "https://evil.example")).status(403),
        edge("H-1 DELETE", of_method("DELETE").header("Origin", "https://evil.example")).status(403),
        edge("H-1 OPTIONS", of_method("OPTIONS").header("Origin", "https://evil.example")).status(403),
        edge("H-1 look-alike", list().header("Origin", "http://localhost.evil.example")).status(403),
        edge("H-1 user", list().header("Origin", "http://127.0.0.1:1@evil")).status(403),
        edge("H-1 bytes", list().header("Origin", "http://l\u{f6}calhost")).status(403),
        edge("H-2", list().header("Origin", "http://localhost:3000").set("Host", "any.example"))
            .has("access-control-allow-origin", "http://localhost:3000")
            .has("access-control-expose-headers", "Mcp-Session-Id, WWW-Authenticate")
            .has("vary", "Origin"),
        edge("H-2 address", list().header("Origin", "https://127.0.0.1:8443").set("Host", "any.example"))
            .something_at("/result/tools"),
        edge("H-2 IPv6", list().header("Origin", "http://[::1]")).something_at("/result/tools"),
        edge("H-2 handshake", bare("ping", json!({})).header("Origin", "http://localhost"))
            .at("/result", json!({})),
        edge("H-3", list().header("Origin", "null")).status(403),
        edge("H-4", list().set("Host", "evil.example")).error_without_id(403, -32600).says("--allow-host"),
        edge("H-4 port", list().set("Host", "evil.example:8000")).status(403),
        edge("H-4 unspecified", list().set("Host", "0.0.0.0")).status(403),
        edge("H-4 twice", list().header("Host", "127.0.0.1")).status(403),
        edge("H-4 target", list().at("http://evil.example/mcp"))
            .error_without_id(403, -32600)
            .says("evil.example"),
        edge("H-4 target with a user", list().at("http://localhost@evil.example/mcp")).status(403),
        edge("H-4 target, allowed", list().at("http://localhost:8000/mcp").set("Host", "evil.example"))
            .at("/id", 1),
        edge("H-5", list().without("Host")).status(403),
        edge("H-6", list().set("Host", "evil.example").header("Origin", "https://evil.example"))
            .to(Config::Unguarded),
        edge("H-7", of_method("OPTIONS").header("Origin", "http://localhost:3000"))
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
        edge("H-7 no origin", of_method("OPTIONS")).status(204).empty().without("access-control"),
        edge("H-8 PUT", of_method("PUT")).error_without_id(405, -32600).has("allow", "POST, OPTIONS"),
        edge("H-8 PATCH", of_method("PATCH")).status(405).has("allow", "POST, OPTIONS"),
        edge("H-8 HEAD", of_method("HEAD")).status(405).has("allow", "POST, OPTIONS"),
        edge("H-8 unknown", of_method("BREW")).status(405).has("allow", "POST, OPTIONS"),
        edge("H-8 TRACE", of_method("TRACE")).status(405).has("allow", "POST, OPTIONS"),
        edge("H-9 GET", of_method("GET"))
            .error_without_id(405, -32600)
            .has("allow", "POST, OPTIONS")
            .says("POST"),
        edge("H-9 modern GET", of_method("GET").header("MCP-Protocol-Version", "2026-07-28")).status(405),
        edge("H-9 DELETE", of_method("DELETE")).status(405).has("allow", "POST, OPTIONS"),
        edge("H-9 DELETE with a session", of_method("DELETE").header("Mcp-Session-Id", "x")).status(405),
        edge("H-10 text", list().set("Content-Type", "text/plain")).error_without_id(415, -32600),
        edge("H-10 parameter", list().set("Content-Type", "text/plain; x=application/json")).status(415),
        edge("H-10 handshake", bare("ping", json!({})).set("Content-Type", "text/plain"))
            .error_without_id(415, -32600),
        edge("H-10 twice", list().header("Content-Type", "application/json")).status(415),
        edge("H-10 missing", list().without("Content-Type")).status(415),
        edge("H-10 similar", list().set("Content-Type", "application/jsonp")).status(415),
        edge("H-10 suffix", list().set("Content-Type", "application/vnd.x+json")).status(415),
        edge("H-10 charset", list().set("Content-Type", "application/json; charset=utf-8")),
        edge("H-10 case", list().set("Content-Type", "APPLICATION/JSON")),
        edge("H-10 quoted", list().set("Content-Type", "application/json;charset=\"utf-8\"")),
        edge("H-11", list().header("Content-Encoding", "gzip")).status(415),
        edge("H-11 identity", list().header("Content-Encoding", "identity")),
        edge(
            "H-11 twice",
            list().header("Content-Encoding", "identity").header("Content-Encoding", "identity"),
        )
        .status(415),
        socket("H-11 transfer coding", chunked("gzip, chunked", list()))
            .error_without_id(415, -32600)
            .says("Transfer-Encoding"),
        socket("H-11 transfer codings", chunked("gzip", list()).header("Transfer-Encoding", "chunked"))
            .status(415),
        socket("H-11 chunked", chunked("chunked", list())).at("/id", 1),
        socket("H-11 chunked, case", chunked("Chunked", list())).at("/id", 1),
        socket("H-12 unadvertised", chunked("chunked", bytes(text(1001)))).to(Config::Small).status(413),
        edge("H-12 exact", bytes(text(4 * 1024 * 1024))),
        edge("H-12 one more", bytes(text(4 * 1024 * 1024 + 1)))
            .error_without_id(413, -32600)
            .says("4194304 bytes"),
        edge("H-12 small", bytes(text(1001))).to(Config::Small).status(413),
        row("H-13", bytes("")).error_without_id(400, -32700),
        row("H-13 blank", bytes("  \n")).error_without_id(400, -32700),
        row("H-14 invalid", bytes("{bad")).error_without_id(400, -32700),
        row("H-14 UTF-8", bytes([b'{', 0xff, b'}'])).error_without_id(400, -32700),
        row("H-14 truncated", bytes(r#"{"jsonrpc":"2.0","id":1"#)).error_without_id(400, -32700),
        row("H-14 two", bytes("{}{}")).error_without_id(400, -32700),
        row("H-14 method twice", bytes(r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#))
            .error_without_id(400, -32700),
        edge(
            "byte order mark",
            marked(&bare("tools/call", json!({"name": "tells_meta", "_meta": {"own": 7}}))),
        )
        .at("/result/content/0/text", "7"),
        edge("byte order mark, method", marked(&bare("acme/sum", json!({"a": 1, "b": 2}))))
            .at("/result/sum", 3),
        edge("byte order mark, twice", marked(&marked(&list()))).error_without_id(400, -32700),
        edge("byte order mark alone", bytes("\u{feff}")).error_without_id(400, -32700),
        row("H-15 deep", deep).error(400, -32700),
        row("H-15 long id", list().written(r#""id":1"#, &format!(r#""id":{}"#, digits(300))))
            .contains("77777"),
        row("H-15 long integer", long).at("/result/isError", true).runs(0),
        row("H-16 true", bytes("true")).error_without_id(400, -32600),
        row("H-16 text", bytes("\"a string\"")).error_without_id(400, -32600),
        row("H-16 number", bytes("7")).error_without_id(400, -32600),
        row("H-16 null", bytes("null")).error_without_id(400, -32600),
        row("H-17 empty", bytes("[]")).error_without_id(400, -32600),
        row("H-17 mixed", bytes(format!("[{},{}]", initialize().text(), list().text())))
            .error_without_id(400, -32600),
        row("H-17 notifications", bytes(r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#))
            .error_without_id(400, -32600),
        row("H-17 responses", bytes(r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#))
            .error_without_id(400, -32600),
        row("H-17 a call", bytes(format!("[{}]", call("echo", json!({"text": "a"})).text())))
            .error_without_id(400, -32600),
        row("H-18, L-41", posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}}))).status(202).empty(),
        row(
            "H-18 error, L-41",
            posted(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}})),
        )
        .status(202)
        .empty(),
        row("H-17 one", bytes(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)).error_without_id(400, -32600),
        row("H-17 positional", bytes(r#"["2.0",1,"ping",null]"#)).error_without_id(400, -32600),
        row("H-17 before headers", bytes("[]").header("MCP-Protocol-Version", "2026-07-28"))
            .error_without_id(400, -32600),
        row("H-19", posted(json!({}))).error_without_id(400, -32600),
        row("H-19 id", posted(json!({"jsonrpc": "2.0", "id": 7}))).error_for(400, -32600, Some(json!(7))),
        row("H-20 missing", posted(json!({"id": 1, "method": "ping"}))).error(400, -32600),
        row("H-20 old", posted(json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}))).error(400, -32600),
        row("H-20 number", posted(json!({"jsonrpc": 2.0, "id": 1, "method": "ping"}))).error(400, -32600),
        row("H-20 modern", list().change(|message| message["jsonrpc"] = json!("1.0"))).error(400, -32600),
        row("id of half a pair", bare("ping", json!({})).written(r#""id":1"#, r#""id":"\ud83d""#))
            .error_without_id(400, -32600),
        row(
            "progress token of half a pair",
            bare("ping", json!({"_meta": {"progressToken": 5}})).written(":5", r#":"\ude00""#),
        )
        .error(200, -32602)
        .says("progressToken"),
        row("H-21 number", posted(json!({"jsonrpc": "2.0", "id": 1, "method": 5}))).error(400, -32600),
        row("H-21 empty", posted(json!({"jsonrpc": "2.0", "id": 1, "method": ""}))).error(400, -32600),
        row("H-21 with result", posted(json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "result": {}})))
            .error(400, -32600),
        row("H-22 array", bare("tools/list", json!([]))).error(400, -32602),
        row("H-22 text", bare("tools/list", json!("x"))).error(400, -32602),
        row("H-22 null", bare("tools/list", Value::Null)),
        row("H-22 modern", bare("tools/list", json!([])).header("MCP-Protocol-Version", "2026-07-28"))
            .error(400, -32602),
        row("H-22 handshake", bare("tools/list", json!(7)).header("MCP-Protocol-Version", "2025-11-25"))
            .error(400, -32602),
        edge("order: origin before method", of_method("PUT").header("Origin", "https://evil.example"))
            .status(403),
        edge("order: method before type", of_method("PUT").set("Content-Type", "text/plain")).status(405),
        edge("order: type before size", bytes(text(1001)).set("Content-Type", "text/plain"))
            .to(Config::Small)
            .status(415),
        edge("order: size before JSON", bytes(vec![b'['; 1001])).to(Config::Small).status(413),
        row("order: array before version", bytes("[]").header("MCP-Protocol-Version", "2030-01-01"))
            .error_without_id(400, -32600),
        edge("slash at the end", list().at("/mcp/")),
        edge("query", list().at("/mcp?x=1")),
        edge("another path", list().at("/mcp/more")).status(404),
        edge("two slashes", list().at("//evil.example/mcp")).status(404).without("evil"),
    ]
}
