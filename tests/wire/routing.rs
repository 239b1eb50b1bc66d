//! Section C: which era answers, by claim and header.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{Request, bare, bare_call, call, initialize, list, note};
use crate::row::{Row, row};

/// Which era answers, by claim and header.
pub fn rows() -> Vec<Row> {
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
    let claim_of = |version: &'static str| {
        move |message: &mut Value| {
            message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
        }
    };
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
        row("C-16", note("notifications/other").header("MCP-Protocol-Version", "2026-07-28"))
            .status(202)
            .empty(),
        row("C-17", note("notifications/initialized")).status(202).empty(),
        row("C-18", note("notifications/other").header("MCP-Protocol-Version", "2030-01-01"))
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
        row("C-24", bare("tools/list", json!({"_meta": "x"}))).error(200, -32602),
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
        row("C-15 narrow, R-24", bare("ping", json!({})).header("MCP-Protocol-Version", "2025-11-25"))
            .to(Config::Narrow)
            .error(400, -32022)
            .at("/error/data/supported", json!(["2025-06-18"])),
        row("C-1 call", call("echo", json!({"text": "a"}))).at("/result/content/0/text", "a").runs(1),
        row(
            "C-3 call",
            version(call("echo", json!({"text": "a"})), claims("2026-07-28"), Some("2025-11-25")),
        )
        .error(400, -32020)
        .says("MCP-Protocol-Version"),
        row("C-4", version(list(), claims("2030-01-01"), Some("2030-01-01")))
            .to(Config::NarrowModern)
            .error(400, -32022)
            .at("/error/data", json!({"supported": ["2026-07-28"], "requested": "2030-01-01"})),
        row("C-4 no modern revision", list())
            .to(Config::HandshakeOnly)
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone()),
        row("C-5 older", list().version("1900-01-01"))
            .error(400, -32022)
            .at("/error/data/requested", "1900-01-01"),
        row("C-5 no date", list().version("abc")).error(400, -32022),
        row("C-5 call", call("echo", json!({"text": "a"})).version("2030-01-01")).error(400, -32022),
        row(
            "C-6 call",
            call("echo", json!({"text": "a"})).version("2030-01-01").without("MCP-Protocol-Version"),
        )
        .error(400, -32020),
        row("C-7 handshake", version(list(), claims("v999.0.0"), Some("2025-11-25"))).error(400, -32020),
        row(
            "C-8 call",
            call("mirrored", json!({"region": "a"}))
                .version("2025-11-25")
                .set("Mcp-Method", "wrong")
                .set("Mcp-Name", "wrong")
                .header("Mcp-Param-Region", "wrong")
                .without_meta("clientCapabilities"),
        )
        .nothing_at("/result/resultType")
        .runs(1),
        row(
            "C-9 call",
            version(call("echo", json!({"text": "a"})), claims("2025-11-25"), Some("2025-06-18")),
        )
        .error(400, -32020),
        row(
            "C-9 notification",
            note("notifications/other")
                .change(claim_of("2025-11-25"))
                .header("MCP-Protocol-Version", "2025-06-18"),
        )
        .error_without_id(400, -32020),
        row(
            "C-10 call",
            version(call("echo", json!({"text": "a"})), claims("2025-11-25"), Some("2026-07-28")),
        )
        .error(400, -32020),
        row(
            "C-10 notification",
            note("notifications/other")
                .change(claim_of("2025-11-25"))
                .header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error_without_id(400, -32020),
        row(
            "C-11 call",
            version(call("echo", json!({"text": "a"})), claims("2025-11-25"), Some("2030-01-01")),
        )
        .error(400, -32020),
        row("C-12 call", bare_call("echo", json!({"text": "a"}))).at("/result/content/0/text", "a").runs(1),
        row("C-12 empty header", bare("ping", json!({})).header("MCP-Protocol-Version", ""))
            .at("/result", json!({})),
        row("C-13 newest", bare("ping", json!({})).header("MCP-Protocol-Version", "2025-11-25"))
            .at("/result", json!({})),
        row("C-13 oldest", bare("ping", json!({})).header("MCP-Protocol-Version", "2024-11-05"))
            .at("/result", json!({})),
        row("C-13 discover", bare("server/discover", json!({})).header("MCP-Protocol-Version", "2025-11-25"))
            .error(200, -32601),
        row(
            "C-14 call",
            bare_call("echo", json!({"text": "a"})).header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error(400, -32602)
        .says("io.modelcontextprotocol/protocolVersion"),
        row("C-15 initialize", initialize().header("MCP-Protocol-Version", "2030-01-01"))
            .error(400, -32022)
            .at("/error/data/supported", handshake_list.clone()),
        row("C-15 call", bare_call("echo", json!({"text": "a"})).header("MCP-Protocol-Version", "abc"))
            .error(400, -32022)
            .at("/error/data", json!({"supported": handshake_list, "requested": "abc"})),
        row("C-17 header", note("notifications/initialized").header("MCP-Protocol-Version", "2025-06-18"))
            .status(202)
            .empty(),
        row("C-18 word", note("notifications/initialized").header("MCP-Protocol-Version", "abc"))
            .error_without_id(400, -32022)
            .at("/error/data/requested", "abc"),
        row("C-19 absent", note("notifications/other").change(claim_of("2026-07-28"))).status(202).empty(),
        row("C-19 unknown", note("notifications/other").change(claim_of("2030-01-01")))
            .error_without_id(400, -32022),
        row(
            "C-20 boolean",
            bare("ping", json!({"_meta": {"io.modelcontextprotocol/protocolVersion": true}})),
        )
        .error(400, -32602)
        .says("io.modelcontextprotocol/protocolVersion")
        .and_lines(),
        row(
            "C-20 array",
            bare("ping", json!({"_meta": {"io.modelcontextprotocol/protocolVersion": []}}))
                .header("MCP-Protocol-Version", "2025-11-25"),
        )
        .error(400, -32602),
        row(
            "C-20 notification",
            note("notifications/x").change(|message| {
                message["params"] = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": 1}});
            }),
        )
        .error_without_id(400, -32602),
        row("C-21 no header", list().meta("protocolVersion", json!("")).without("MCP-Protocol-Version"))
            .error(400, -32602)
            .and_lines(),
        row("C-22 no header", list().meta("protocolVersion", Value::Null).without("MCP-Protocol-Version"))
            .error(400, -32602)
            .says("io.modelcontextprotocol/protocolVersion")
            .and_lines(),
        row("C-23 number", list().change(|message| message["params"]["_meta"] = json!(7)))
            .error(400, -32602)
            .says("_meta"),
        row("C-23 null", list().change(|message| message["params"]["_meta"] = Value::Null))
            .error(400, -32602)
            .says("_meta"),
        row(
            "C-24 header",
            bare("tools/list", json!({"_meta": []})).header("MCP-Protocol-Version", "2025-11-25"),
        )
        .error(200, -32602),
        row("C-25 trimmed header", list().set("MCP-Protocol-Version", " \t2026-07-28 "))
            .at("/result/resultType", "complete"),
        row("C-25 case", list().meta("protocolVersion", json!("DRAFT")).set("MCP-Protocol-Version", "draft"))
            .error(400, -32020),
        row(
            "C-26 notification",
            note("notifications/x")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error_without_id(400, -32020),
        row(
            "C-26 different",
            bare("ping", json!({}))
                .header("MCP-Protocol-Version", "2025-06-18")
                .header("MCP-Protocol-Version", "2025-11-25"),
        )
        .error(400, -32020),
        row("C-27 no claim", bare("ping", json!({})).header("MCP-Protocol-Version", "2025\u{a0}06-18"))
            .error(400, -32020),
        row(
            "C-28 top level",
            bare("ping", json!({})).change(|message| {
                message["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
            }),
        )
        .at("/result", json!({})),
        row(
            "C-28 modern header",
            bare("ping", json!({"protocolVersion": "2026-07-28"}))
                .header("MCP-Protocol-Version", "2026-07-28"),
        )
        .error(400, -32602),
        row(
            "C-29 client",
            bare(
                "tools/list",
                json!({"_meta": {"io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}),
            ),
        )
        .nothing_at("/result/resultType"),
    ]
}
