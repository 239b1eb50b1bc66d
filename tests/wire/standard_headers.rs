//! Section SH: `Mcp-Method` and `Mcp-Name`.

use serde_json::json;

use crate::request::{call, initialize, list, modern};
use crate::row::{Row, row};

/// `Mcp-Method` and `Mcp-Name`.
pub fn rows() -> Vec<Row> {
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
        row("SH-1 list", list().without("Mcp-Method")).error(400, -32020),
        row("SH-1 unknown method", modern("foo/bar", json!({})).without("Mcp-Method")).error(400, -32020),
        row("SH-2 space within", echo().set("Mcp-Method", "tools/ call")).error(400, -32020),
        row("SH-3 lower", echo().without("Mcp-Name").header("mcp-name", "echo"))
            .at("/result/content/0/text", "a"),
        row("SH-4 no other space", echo().set("Mcp-Name", "\u{a0}echo")).error(400, -32020),
        row("SH-7 empty", echo().set("Mcp-Name", "")).error(400, -32020),
        row("SH-8 case", echo().set("Mcp-Name", "ECHO")).error(400, -32020),
        row("SH-8 prompt", modern("prompts/get", json!({"name": "review"})).set("Mcp-Name", "poem"))
            .error(400, -32020),
        row("SH-9 missing", modern("tasks/get", json!({"taskId": "t"})).without("Mcp-Name"))
            .error(400, -32020),
        row("SH-9 update", modern("tasks/update", json!({"taskId": "t"})).without("Mcp-Name"))
            .error(400, -32020),
        row("SH-9 equal", modern("tasks/cancel", json!({"taskId": "t"}))).error(404, -32601),
        row("SH-10 discover", modern("server/discover", json!({})).header("Mcp-Name", "\u{e9}"))
            .something_at("/result/supportedVersions"),
        row(
            "SH-11 resource",
            modern("resources/read", json!({"uri": "config://app"}))
                .set("Mcp-Name", "=?base64?Y29uZmlnOi8vYXBw?="),
        )
        .something_at("/result/contents"),
        row("SH-12 no text", echo().set("Mcp-Name", "=?base64??=")).error(400, -32020),
        row("SH-12 line break", echo().set("Mcp-Name", "=?base64?ZWNo bw==?=")).error(400, -32020),
        row("SH-13 unknown name", call("=?BASE64?ZWNobw==?=", json!({})))
            .error(400, -32602)
            .says("Unknown tool"),
        row("SH-13 no end", call("=?base64?ZWNobw==", json!({}))).error(400, -32602).says("Unknown tool"),
        row("SH-13 no beginning", call("ZWNobw==?=", json!({}))).error(400, -32602).says("Unknown tool"),
        row("SH-14 method", echo().set("Mcp-Method", "tools/c\u{e4}ll")).error(400, -32020),
        row(
            "SH-16 encoded",
            call("=?base64?ZWNobw==?=", json!({})).set("Mcp-Name", "=?base64?PT9iYXNlNjQ/WldOb2J3PT0/PQ==?="),
        )
        .error(400, -32602)
        .says("Unknown tool"),
        row("SH-17 different", echo().header("Mcp-Name", "progress")).error(400, -32020),
        row("SH-18 removed method", modern("ping", json!({})).without("Mcp-Method")).error(400, -32020),
        row("SH-18 parameters", call("echo", json!([])).set("Mcp-Name", "other")).error(400, -32020),
        row("SH-19 version", modern("server/discover", json!({})).without("MCP-Protocol-Version"))
            .error(400, -32020),
        row(
            "SH-19 listen",
            modern("subscriptions/listen", json!({"notifications": {}})).without("Mcp-Method"),
        )
        .error(400, -32020),
        row("SH-19 bare", initialize()).at("/result/protocolVersion", "2025-11-25"),
        row("order: version before method", echo().without("MCP-Protocol-Version").without("Mcp-Method"))
            .error(400, -32020)
            .says("MCP-Protocol-Version"),
        row("order: unknown version before method", echo().version("2030-01-01").without("Mcp-Method"))
            .error(400, -32022),
        row("order: method before name", echo().without("Mcp-Method").without("Mcp-Name"))
            .error(400, -32020)
            .says("Mcp-Method"),
        row("order: name before arguments", call("mirrored", json!({"region": "a"})).without("Mcp-Name"))
            .error(400, -32020)
            .says("Mcp-Name"),
        row(
            "order: capabilities before version",
            echo().without_meta("clientCapabilities").without("MCP-Protocol-Version"),
        )
        .error(400, -32602),
    ]
}
