//! Section S: connections by lines. Each row has a connection of its own; what HTTP has beside a body is not sent.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{Request, bare, bare_call, bytes, call, initialize, list, modern, note, posted};
use crate::row::{Level, Row, line};

fn bare_list() -> Request {
    bare("tools/list", json!({}))
}

fn claiming(version: Value) -> Request {
    list().meta("protocolVersion", version)
}

fn cancel(params: Value) -> Request {
    note("notifications/cancelled").change(|message| message["params"] = params)
}

/// A request of that many bytes.
fn filled(length: usize) -> Request {
    let short = call("echo", json!({"text": ""})).text().len();
    call("echo", json!({"text": "x".repeat(length - short)}))
}

/// Connections by lines.
pub fn rows() -> Vec<Row> {
    let mut rows = openings();
    rows.extend(messages());
    rows.extend(modern_connections());
    rows.extend(handshake_connections());
    rows.extend(one_era());
    rows
}

/// How a first request decides the era.
fn openings() -> Vec<Row> {
    let modern_list = || json!(["2026-07-28"]);
    vec![
        line("S-1, R-50", modern("server/discover", json!({})))
            .something_at("/result/supportedVersions")
            .then(initialize())
            .error(400, -32022),
        line("S-1 unknown", modern("foo/bar", json!({})))
            .error(404, -32601)
            .then(list())
            .at("/result/resultType", "complete"),
        line("S-1 initialize", modern("initialize", json!({})))
            .error(404, -32601)
            .then(bare_list())
            .error(400, -32602),
        line("S-2", list().without_meta("clientCapabilities"))
            .error(400, -32602)
            .then(initialize())
            .error(400, -32022),
        line("S-2 malformed", list().meta("clientCapabilities", json!([])))
            .error(400, -32602)
            .then(initialize())
            .error(400, -32022),
        line("S-3", modern("server/discover", json!({})).version("2030-01-01"))
            .error(400, -32022)
            .at("/error/data", json!({"supported": modern_list(), "requested": "2030-01-01"}))
            .then(initialize())
            .something_at("/result/protocolVersion"),
        line("S-3 then modern", claiming(json!("2030-01-01")))
            .error(400, -32022)
            .then(list())
            .at("/result/resultType", "complete")
            .then(initialize())
            .error(400, -32022),
        line("S-4 number", claiming(json!(5)))
            .error(400, -32602)
            .says("protocolVersion")
            .then(initialize())
            .something_at("/result/capabilities"),
        line("S-4 empty", claiming(json!("")))
            .error(400, -32602)
            .then(list())
            .at("/result/resultType", "complete"),
        line("S-4 null", claiming(Value::Null)).error(400, -32602).then(initialize()).something_at("/result"),
        line("S-5, R-50", initialize().meta("protocolVersion", json!("2025-11-25")))
            .at("/result/protocolVersion", "2025-11-25")
            .then(bare_list())
            .nothing_at("/result/resultType")
            .then(list())
            .error(400, -32600),
        line("S-6, R-50", initialize())
            .at("/result/protocolVersion", "2025-11-25")
            .nothing_at("/result/resultType")
            .then(bare_list())
            .something_at("/result/tools"),
        line("S-7", bare_list())
            .error(200, -32600)
            .then(bare("server/discover", json!({})))
            .error(200, -32601)
            .then(bare("foo/bar", json!({})))
            .error(200, -32601)
            .then(bare("ping", json!({})))
            .at("/result", json!({}))
            .then(initialize())
            .something_at("/result/protocolVersion"),
        line("S-7 era", bare_list()).error(200, -32600).then(list()).error(400, -32600),
        line("S-7 call", bare_call("echo", json!({"text": "a"}))).error(400, -32600).runs(0),
        line("S-8", note("notifications/unknown")).empty().then(list()).something_at("/result/tools"),
        line("S-8 enveloped", modern("notifications/unknown", json!({})).notify())
            .empty()
            .then(initialize())
            .something_at("/result/serverInfo"),
    ]
}

/// Lines that are no messages, and messages that are none.
fn messages() -> Vec<Row> {
    let unfinished = [initialize().text(), "xyz".to_owned()].concat();
    vec![
        line("S-9", bytes("{bad"))
            .error_without_id(400, -32700)
            .then(bytes([0xff, 0xfe]))
            .error_without_id(400, -32700)
            .then(initialize())
            .something_at("/result/serverInfo"),
        line("S-9 handshake", initialize())
            .something_at("/result/serverInfo")
            .then(bytes("{bad"))
            .error_without_id(400, -32700)
            .then(bare_list())
            .something_at("/result/tools"),
        line("S-9 more behind", bytes(unfinished))
            .error_without_id(400, -32700)
            .then(bytes([initialize().text(), initialize().text()].concat()))
            .error_without_id(400, -32700),
        line("S-10", bytes("[]"))
            .error_without_id(400, -32600)
            .then(bytes(format!("[{}]", initialize().text())))
            .error_without_id(400, -32600)
            .then(initialize())
            .something_at("/result/serverInfo"),
        line("S-11", bytes(""))
            .not_on(Level::EngineByLines)
            .empty()
            .then(bytes("  \r"))
            .empty()
            .then(initialize())
            .something_at("/result/serverInfo"),
        line("S-12", bytes(vec![b'x'; 2000]))
            .to(Config::Small)
            .not_on(Level::EngineByLines)
            .error_without_id(413, -32600)
            .then(initialize())
            .something_at("/result/serverInfo"),
        line("S-12 unfinished", bytes(vec![b'['; 100_000]))
            .to(Config::Small)
            .not_on(Level::EngineByLines)
            .error_without_id(413, -32600)
            .then(list())
            .something_at("/result/tools"),
        line("S-13", bytes("7"))
            .error_without_id(400, -32600)
            .then(posted(json!({"jsonrpc": "2.0", "id": 5})))
            .error_for(400, -32600, Some(json!(5)))
            .then(posted(json!({"jsonrpc": "2.0", "id": 6, "method": 7})))
            .error_for(400, -32600, Some(json!(6)))
            .then(posted(json!({"jsonrpc": "1.0", "id": 7, "method": "ping"})))
            .error_for(400, -32600, Some(json!(7)))
            .then(posted(json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})))
            .error_without_id(400, -32600)
            .then(posted(json!({"jsonrpc": "2.0", "id": {}, "method": "ping"})))
            .error_without_id(400, -32600)
            .then(bytes("null"))
            .error_without_id(400, -32600)
            .then(bytes("{}"))
            .error_without_id(400, -32600)
            .then(list())
            .at("/result/resultType", "complete"),
        line("S-14", bare("ping", json!({})).id(Value::Null)).error_without_id(400, -32600),
        line("S-14 call", call("echo", json!({"text": "a"})).id(Value::Null)).error_without_id(400, -32600),
        line("byte order mark", bytes(format!("\u{feff}{}", initialize().text())))
            .not_on(Level::EngineByLines)
            .something_at("/result/serverInfo"),
        line("carriage return at the limit", bytes(format!("{:<1000}\r", initialize().text())))
            .to(Config::Small)
            .not_on(Level::EngineByLines)
            .something_at("/result/serverInfo")
            .then(bytes(format!("{:<1001}\r", bare("ping", json!({})).text())))
            .error_without_id(413, -32600),
        line("byte order mark, method", initialize())
            .not_on(Level::EngineByLines)
            .something_at("/result/serverInfo")
            .then(bytes(format!("\u{feff}{}", bare("acme/sum", json!({"a": 1, "b": 2})).text())))
            .at("/result/sum", 3),
        line("S-13 half a pair", bare("ping", json!({})).written(r#""id":1"#, r#""id":"\ud83d""#))
            .error_without_id(400, -32600)
            .then(bytes(r#"{"jsonrpc":"2.0","id":"\ud83d"}"#))
            .error_without_id(400, -32600),
        line("at the limit", filled(1000))
            .to(Config::Small)
            .not_on(Level::EngineByLines)
            .something_at("/result")
            .then(filled(1001))
            .error_without_id(413, -32600),
        line("carriage return", bytes(format!("{}\r", initialize().text())))
            .something_at("/result/serverInfo"),
        line("notifications are not answered", note("initialize"))
            .empty()
            .then(posted(json!({"jsonrpc": "2.0", "method": "foo/bar", "params": []})))
            .empty()
            .then(note("notifications/acme/note").change(|message| message["params"]["text"] = json!("bad")))
            .empty()
            .then(note("notifications/acme/note").change(|message| message["params"] = json!({})))
            .empty()
            .then(initialize())
            .something_at("/result/serverInfo"),
    ]
}

/// Connections that have begun in the modern era.
fn modern_connections() -> Vec<Row> {
    let begun = |id| line(id, list()).something_at("/result/tools");
    let beyond = json!({"region": "a", "count": 9_007_199_254_740_992_i64});
    vec![
        begun("S-15, R-50")
            .then(initialize())
            .error(400, -32022)
            .at("/error/data", json!({"supported": ["2026-07-28"], "requested": "2025-11-25"}))
            .then(bare("initialize", json!({})))
            .error(400, -32022)
            .at("/error/data/requested", "")
            .then(list())
            .something_at("/result/tools"),
        begun("S-16").then(modern("initialize", json!({}))).error(404, -32601),
        begun("S-17").then(bare_list()).error(400, -32602).says("io.modelcontextprotocol/protocolVersion"),
        begun("S-17 call").then(bare_call("echo", json!({"text": "a"}))).error(400, -32602).runs(0),
        begun("S-18")
            .then(claiming(json!("2025-11-25")))
            .error(400, -32022)
            .at("/error/data/supported", json!(["2026-07-28"])),
        begun("S-19")
            .then(claiming(json!("2030-01-01")))
            .error(400, -32022)
            .at("/error/data", json!({"supported": ["2026-07-28"], "requested": "2030-01-01"})),
        begun("S-27")
            .then(cancel(json!({"requestId": 99})))
            .empty()
            .then(cancel(json!({"requestId": 1})))
            .empty()
            .then(cancel(json!({"requestId": {}})))
            .empty()
            .then(cancel(json!({"requestId": null})))
            .empty()
            .then(cancel(json!([])))
            .empty()
            .then(note("notifications/cancelled"))
            .empty()
            .then(list())
            .something_at("/result/tools"),
        begun("S-31")
            .then(posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}})))
            .empty()
            .then(posted(json!({"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": ""}})))
            .empty()
            .then(list())
            .something_at("/result/tools"),
        begun("S-32")
            .then(note("notifications/initialized"))
            .empty()
            .then(modern("notifications/roots/list_changed", json!({})).notify())
            .empty()
            .then(list())
            .something_at("/result/tools"),
        line("MP-41, R-53", call("mirrored", beyond)).something_at("/result/content/0/text").runs(1),
        begun("R-54")
            .then(initialize())
            .error(400, -32022)
            .then(bare_list())
            .error(400, -32602)
            .then(call("echo", json!({"text": "a"})))
            .at("/result/content/0/text", "a"),
    ]
}

/// Connections that have begun in the handshake era.
fn handshake_connections() -> Vec<Row> {
    let begun = |id| line(id, initialize()).something_at("/result/serverInfo");
    vec![
        begun("S-34, R-50, R-54")
            .then(list())
            .error(400, -32600)
            .then(claiming(json!("2030-01-01")))
            .error(400, -32600)
            .then(modern("server/discover", json!({})))
            .error(400, -32600)
            .then(call("echo", json!({"text": "a"})))
            .error(400, -32600)
            .runs(0)
            .then(bare_list())
            .something_at("/result/tools"),
        begun("S-35").then(modern("initialize", json!({}))).error(400, -32600),
        begun("S-36")
            .then(claiming(json!("2025-06-18")))
            .nothing_at("/result/resultType")
            .something_at("/result/tools"),
        begun("S-37").then(initialize()).error(400, -32600).then(bare_list()).something_at("/result/tools"),
    ]
}

/// Servers of one era.
fn one_era() -> Vec<Row> {
    let handshake_list = json!(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    vec![
        line("S-39, S-40, R-50", modern("server/discover", json!({})))
            .to(Config::HandshakeOnly)
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone())
            .then(initialize())
            .something_at("/result/serverInfo"),
        line("S-39 stays open", list())
            .to(Config::HandshakeOnly)
            .error(400, -32022)
            .then(claiming(json!("2030-01-01")))
            .error(400, -32022)
            .at("/error/data", json!({"supported": handshake_list, "requested": "2030-01-01"})),
        line("S-41, R-21", initialize())
            .to(Config::HandshakeOnly)
            .something_at("/result/serverInfo")
            .then(list())
            .error(400, -32600),
        line("S-42, R-22", initialize())
            .to(Config::ModernOnly)
            .error(400, -32022)
            .at("/error/data", json!({"supported": ["2026-07-28"], "requested": "2025-11-25"}))
            .then(bare_list())
            .error(400, -32602)
            .then(claiming(json!("2025-11-25")))
            .error(400, -32022)
            .then(list())
            .something_at("/result/tools"),
    ]
}
