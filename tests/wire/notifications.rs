//! Section N: notifications of the modern era.

use serde_json::json;

use crate::request::{modern, posted};
use crate::row::{Row, row};

/// Notifications of the modern era.
pub fn rows() -> Vec<Row> {
    let note = |text: &str| modern("notifications/acme/note", json!({"text": text})).notify();
    vec![
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
        row(
            "N-1 version",
            note("x").without("Mcp-Method").change(|message| message["params"] = json!({"text": "x"})),
        )
        .status(202)
        .empty(),
        row(
            "N-1 request method",
            modern("tools/call", json!({"name": "echo", "arguments": {"text": "a"}})).notify(),
        )
        .status(202)
        .empty()
        .runs(0)
        .and_lines(),
        row(
            "N-2 without a claim",
            crate::request::note("notifications/initialized").header("MCP-Protocol-Version", "2026-07-28"),
        )
        .status(400)
        .empty(),
        row(
            "N-4 absent header",
            note("x").meta("protocolVersion", json!("2030-01-01")).without("MCP-Protocol-Version"),
        )
        .error_without_id(400, -32022)
        .at("/error/data/supported", json!(["2026-07-28"])),
        row("N-5 case", note("x").set("Mcp-Method", "NOTIFICATIONS/ACME/NOTE")).error_without_id(400, -32020),
        row("N-6", note("x").set("MCP-Protocol-Version", "2025-11-25")).error_without_id(400, -32020),
        row("N-6 unknown", note("x").set("MCP-Protocol-Version", "2030-01-01")).error_without_id(400, -32020),
        row(
            "N-7 error",
            posted(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}))
                .header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error_without_id(400, -32600),
    ]
}
