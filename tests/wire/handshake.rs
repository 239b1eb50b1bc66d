//! Section L: the handshake era over HTTP, where each request stands alone.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{bare, bare_call, bytes, call, initialize, list, note, of_method, posted};
use crate::row::{Row, edge, row};

/// The handshake era, where each request stands alone.
pub fn rows() -> Vec<Row> {
    let asks = |version: Value| initialize().change(|message| message["params"]["protocolVersion"] = version);
    let all = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    let from_info = json!(["info", "notice", "warning", "error", "critical", "alert", "emergency"]);
    let tells = || bare("tools/call", json!({"name": "progress", "_meta": {"progressToken": 7}}));
    let error_of =
        |id: Value| posted(json!({"jsonrpc": "2.0", "id": id, "error": {"code": 1, "message": ""}}));
    let call_numbers = || bare("tools/call", json!({"name": "numbers"}));
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
        row(
            "L-4 long",
            initialize()
                .change(|message| message["params"]["clientInfo"]["title"] = json!("a".repeat(70_000))),
        )
        .error(200, -32602)
        .says("65536"),
        row("L-5", initialize().header("MCP-Protocol-Version", "2025-11-25"))
            .at("/result/protocolVersion", "2025-11-25"),
        row("L-6", initialize().header("MCP-Protocol-Version", "2025-06-18"))
            .at("/result/protocolVersion", "2025-11-25"),
        row("L-7", initialize().header("Mcp-Session-Id", "anything")),
        row("L-9", bare("tools/list", json!({}))),
        row("L-10", bare("tools/list", json!({})).header("Mcp-Session-Id", "unknown")),
        row("L-14", bare_call("echo", json!({"text": "a"}))).at("/result/content/0/text", "a"),
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
        row("L-24", bare_call("echo", json!({"text": 5}))).at("/result/isError", true),
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
        edge("L-27", bare("ping", json!({})).set("Accept", "application/json")),
        edge("L-27 neither", bare("ping", json!({})).set("Accept", "text/html"))
            .error_without_id(406, -32600),
        edge("L-28", tells()).has("content-type", "text/event-stream").at("/result/content/0/text", "done"),
        row("L-30", bare("logging/setLevel", json!({"level": "info"})))
            .body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        row("L-30 bad", bare("logging/setLevel", json!({"level": "loud"}))).error(200, -32602),
        row("L-31", bare("resources/subscribe", json!({"uri": "config://app"}))).error(200, -32601),
        edge("L-32", of_method("GET").set("Accept", "text/event-stream"))
            .status(405)
            .has("allow", "POST, OPTIONS"),
        edge("L-36", of_method("DELETE").header("Mcp-Session-Id", "x")).status(405),
        row("L-39", bytes(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)).error_without_id(400, -32600),
        row("L-42", posted(json!({"jsonrpc": "2.0", "id": null, "result": {}})))
            .error_without_id(400, -32600),
        row("L-42 both", posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}})))
            .error_without_id(400, -32600),
        row("a panic", bare("tools/call", json!({"name": "panics"}))).error(200, -32603).without("1234"),
        row(
            "L-46",
            list()
                .meta("protocolVersion", json!("2025-06-18"))
                .without("MCP-Protocol-Version")
                .without("Mcp-Method"),
        )
        .nothing_at("/result/resultType"),
        row("a cursor", bare("prompts/list", json!({"cursor": ""}))).error(200, -32602).says("params.cursor"),
        row("L-1 each", asks(json!("2025-06-18"))).at("/result/protocolVersion", "2025-06-18"),
        row("L-1 each, older", asks(json!("2025-03-26"))).at("/result/protocolVersion", "2025-03-26"),
        row("L-2 draft", asks(json!("DRAFT"))).at("/result/protocolVersion", "2025-11-25"),
        row("L-2 empty", asks(json!(""))).at("/result/protocolVersion", "2025-11-25"),
        row("L-2 newer", asks(json!("2099-01-01"))).at("/result/protocolVersion", "2025-11-25"),
        row("L-2 narrow, R-24", initialize()).to(Config::Narrow).at("/result/protocolVersion", "2025-06-18"),
        row("L-3 number", asks(json!(5))).error(200, -32602).says("protocolVersion"),
        row("L-3 nothing", bare("initialize", json!({}))).error(200, -32602),
        row(
            "L-4 absent",
            initialize().change(|message| {
                message["params"] = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
            }),
        )
        .error(200, -32602)
        .says("clientInfo"),
        row("L-7 answer", initialize().header("Mcp-Session-Id", "anything")).without("mcp-session-id"),
        row("L-11", bare("ping", json!({})).header("Mcp-Session-Id", "not an id")).at("/result", json!({})),
        row("L-12", bare("ping", json!({})).header("Mcp-Session-Id", "a").header("Mcp-Session-Id", "a"))
            .error(400, -32600)
            .says("Mcp-Session-Id"),
        row("L-12 initialize", initialize().header("Mcp-Session-Id", "a").header("Mcp-Session-Id", "b"))
            .error(400, -32600),
        row(
            "L-12 call",
            bare_call("echo", json!({"text": "a"}))
                .header("Mcp-Session-Id", "a")
                .header("Mcp-Session-Id", "b"),
        )
        .error(400, -32600),
        row(
            "L-12 notification",
            note("notifications/x").header("Mcp-Session-Id", "a").header("Mcp-Session-Id", "a"),
        )
        .error_without_id(400, -32600),
        row("L-16", call_numbers().header("MCP-Protocol-Version", "2025-03-26"))
            .nothing_at("/result/structuredContent"),
        row("L-16 newest", call_numbers().header("MCP-Protocol-Version", "2025-11-25"))
            .at("/result/structuredContent", json!({"result": [1, 2]})),
        row("L-17 list", bare("ping", json!({})).header("MCP-Protocol-Version", "yesterday"))
            .error(400, -32022)
            .at("/error/data", json!({"supported": all, "requested": "yesterday"})),
        row(
            "L-18 mirrors",
            bare_call("mirrored", json!({"region": "a"}))
                .header("Mcp-Method", "\u{e9}")
                .header("Mcp-Name", "a")
                .header("Mcp-Name", "b")
                .header("Mcp-Param-Region", "b"),
        )
        .nothing_at("/result/isError")
        .runs(1),
        row("L-21 removed later", bare("tasks/get", json!({"taskId": "t"}))).error(200, -32601),
        row("L-22 no name", bare("tools/call", json!({}))).error(200, -32602).says("params.name"),
        row("L-24 older", bare_call("echo", json!({"text": 5})).header("MCP-Protocol-Version", "2024-11-05"))
            .at("/result/isError", true)
            .runs(0),
        row("L-25 initialized", note("notifications/initialized")).status(202).empty(),
        row("L-25 request method", bare_call("echo", json!({"text": "a"})).notify())
            .status(202)
            .empty()
            .runs(0),
        edge("L-27 events", bare("ping", json!({})).set("Accept", "text/event-stream"))
            .has("content-type", "text/event-stream"),
        edge("L-27 progress", tells().set("Accept", "application/json"))
            .has("content-type", "application/json")
            .told("", json!([])),
        row("L-28 progress", tells()).told("/params/progress", json!([1, 2, 3])),
        row("L-28 logs", bare("tools/call", json!({"name": "logs"})))
            .told("/params/level", from_info.clone()),
        row("L-30 forgotten", bare("logging/setLevel", json!({"level": "emergency"})))
            .then(bare("tools/call", json!({"name": "logs"})))
            .told("/params/level", from_info),
        row("L-31 unsubscribe", bare("resources/unsubscribe", json!({"uri": "config://app"})))
            .error(200, -32601),
        row("L-31 advertised", initialize()).nothing_at("/result/capabilities/resources/subscribe"),
        edge("L-34, L-35", of_method("GET").set("Accept", "text/event-stream").header("Last-Event-ID", "1"))
            .status(405)
            .has("allow", "POST, OPTIONS"),
        row(
            "L-39 handshake revision",
            bytes(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)
                .header("MCP-Protocol-Version", "2025-03-26"),
        )
        .error_without_id(400, -32600),
        row("L-41 unknown", posted(json!({"jsonrpc": "2.0", "id": 99, "result": {}}))).status(202).empty(),
        row("L-42 no id", posted(json!({"jsonrpc": "2.0", "result": {}}))).error_without_id(400, -32600),
        row("L-42 kind", posted(json!({"jsonrpc": "2.0", "id": {}, "result": {}})))
            .error_without_id(400, -32600),
        row("L-42 null error", error_of(Value::Null)).error_without_id(400, -32600),
        row(
            "L-46 keys",
            call("echo", json!({"text": "a"}))
                .version("2025-11-25")
                .meta("clientCapabilities", json!("x"))
                .meta("logLevel", json!("loud")),
        )
        .at("/result/content/0/text", "a"),
    ]
}
