//! Section E: servers of one era.

use serde_json::json;

use crate::fixture::Config;
use crate::request::{
    Request, bare, bare_call, bytes, call, initialize, list, modern, note, of_method, posted,
};
use crate::row::{Row, edge, row};

/// Servers of one era.
pub fn rows() -> Vec<Row> {
    let handshake_list = json!(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    let modern_list = json!(["2026-07-28"]);
    let handshake = |id, request| row(id, request).to(Config::HandshakeOnly);
    let only = |id, request| row(id, request).to(Config::ModernOnly);
    let only_edge = |id, request: Request| edge(id, request).to(Config::ModernOnly);
    vec![
        handshake("E-1", list())
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone())
            .at("/error/data/requested", "2026-07-28"),
        handshake("E-1 unknown", list().version("2030-01-01"))
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
        .at("/error/data/supported", modern_list.clone()),
        only("E-12", posted(json!({"jsonrpc": "2.0", "method": "notifications/x"}))).status(202).empty(),
        only_edge("E-13", of_method("GET")).status(405).has("allow", "POST, OPTIONS"),
        only_edge("E-13 DELETE", of_method("DELETE")).status(405).has("allow", "POST, OPTIONS"),
        only_edge("E-14", of_method("OPTIONS")).status(204).empty(),
        only("E-16", posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}}))).error_without_id(400, -32600),
        only("E-16 array", bytes("[]")).error_without_id(400, -32600),
        only("E-17", list().header("Mcp-Session-Id", "x").header("Last-Event-ID", "1")),
        only("E-18", modern("initialize", json!({}))).error(404, -32601),
        handshake("E-1 older, R-21", list().version("1900-01-01"))
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone()),
        handshake("E-1 call", call("echo", json!({"text": "a"}))).error(400, -32022),
        handshake("E-2 unknown", list().meta("protocolVersion", json!("2030-01-01"))).error(400, -32020),
        handshake("E-3 initialize", initialize().header("MCP-Protocol-Version", "2026-07-28"))
            .error(400, -32602),
        handshake("E-4 claim", list().notify())
            .error_without_id(400, -32022)
            .at("/error/data/supported", handshake_list.clone()),
        handshake(
            "E-5 header",
            bare("server/discover", json!({})).header("MCP-Protocol-Version", "2025-11-25"),
        )
        .error(200, -32601),
        handshake(
            "R-21 counter-offer",
            initialize().change(|message| message["params"]["protocolVersion"] = json!("2026-07-28")),
        )
        .at("/result/protocolVersion", "2025-11-25"),
        row("E-6, R-20", modern("server/discover", json!({})))
            .to(Config::NarrowModern)
            .at("/result/supportedVersions", json!(["2026-07-28"])),
        row("E-6 others, R-20", list().version("2027-01-01"))
            .to(Config::NarrowModern)
            .error(400, -32022)
            .at("/error/data/supported", json!(["2026-07-28"])),
        row("E-6 handshake, R-20", initialize())
            .to(Config::NarrowModern)
            .at("/result/protocolVersion", "2025-11-25"),
        only("E-9 handshake header", initialize().header("MCP-Protocol-Version", "2025-11-25"))
            .error(400, -32022),
        only("E-9 number", bare("initialize", json!({"protocolVersion": 5})))
            .error(400, -32022)
            .at("/error/data/requested", ""),
        only(
            "E-10 modern header",
            bare("tools/list", json!({})).header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error(400, -32602),
        only("E-10 call", bare_call("echo", json!({"text": "a"}))).error(400, -32602),
        only(
            "E-10 unknown header",
            bare("tools/list", json!({})).header("MCP-Protocol-Version", "2030-01-01"),
        )
        .error(400, -32602),
        only("E-12 initialized", note("notifications/initialized")).status(202).empty(),
        only("E-12 header", note("notifications/initialized").header("MCP-Protocol-Version", "2025-06-18"))
            .status(202)
            .empty(),
        only("E-12 standard header", note("notifications/x").header("Mcp-Method", "other"))
            .status(202)
            .empty(),
        only("E-12 no message", posted(json!({"jsonrpc": "1.0", "method": "notifications/x"})))
            .error_without_id(400, -32600),
        only("N-4 header", note("notifications/x").header("MCP-Protocol-Version", "2030-01-01"))
            .error_without_id(400, -32022)
            .at("/error/data/supported", modern_list.clone()),
        only(
            "N-2 modern-only",
            note("notifications/initialized").header("MCP-Protocol-Version", "2026-07-28"),
        )
        .status(400)
        .empty(),
        only_edge("E-13 PUT, R-22", of_method("PUT")).status(405).has("allow", "POST, OPTIONS"),
        only_edge("E-13 PATCH", of_method("PATCH")).status(405).has("allow", "POST, OPTIONS"),
        only_edge("E-13 HEAD", of_method("HEAD")).status(405).has("allow", "POST, OPTIONS"),
        edge("E-15", bytes(vec![b' '; 1001])).to(Config::SmallModern).error_without_id(413, -32600),
        only("E-16 error", posted(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}})))
            .error_without_id(400, -32600),
        only("E-17 twice", list().header("Mcp-Session-Id", "x").header("Mcp-Session-Id", "y"))
            .something_at("/result/tools"),
        row("R-23 modern leg", list().version("2030-01-01"))
            .error(400, -32022)
            .at("/error/data/supported", json!(["2026-07-28"])),
        row("R-23 header alone", bare("ping", json!({})).header("MCP-Protocol-Version", "2030-01-01"))
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone()),
        handshake("R-23 without the modern era", list())
            .error(400, -32022)
            .at("/error/data/supported", handshake_list),
        only("R-23 modern only", initialize())
            .error(400, -32022)
            .at("/error/data/supported", json!(["2026-07-28"])),
    ]
}
