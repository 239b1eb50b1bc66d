//! Section M: requests of the modern era.

use serde_json::{Value, json};

use crate::fixture::Config;
use crate::request::{Request, call, list, modern};
use crate::row::{Row, edge, row};

/// Requests of the modern era.
pub fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = of_the_body().into_iter().map(Row::and_lines).collect();
    rows.extend(over_http());
    rows
}

const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// The same request as a part of a trace, with progress asked for.
fn traced(request: Request) -> Request {
    request.meta("progressToken", json!(1)).change(|message| {
        let meta = &mut message["params"]["_meta"];
        meta["traceparent"] = json!(TRACE);
        meta["tracestate"] = json!("a=1");
        meta["baggage"] = json!("k=v");
    })
}

/// What the body alone decides, so that it is the same by lines.
fn of_the_body() -> Vec<Row> {
    let removed = |method: &'static str| modern(method, json!({}));
    vec![
        row("M-1", list().without_meta("clientCapabilities")).error(400, -32602).says("clientCapabilities"),
        row("M-2 null", list().meta("clientCapabilities", Value::Null)).error(400, -32602),
        row("M-2 array", list().meta("clientCapabilities", json!([]))).error(400, -32602),
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
        row("M-26", list()).to(Config::Empty).error(404, -32601),
        row("M-27", call("unknown", json!({}))).error(400, -32602).says("Unknown tool: unknown"),
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
        row("M-2 text", list().meta("clientCapabilities", json!("x")))
            .error(400, -32602)
            .says("clientCapabilities"),
        row("M-2 number", list().meta("clientCapabilities", json!(7))).error(400, -32602),
        row("M-5 without a version", list().meta("clientInfo", json!({"name": "x"})))
            .something_at("/result/tools"),
        row("M-6", call("logs", json!({}))).told("/params/level", json!([])),
        row("M-7", call("logs", json!({})).meta("logLevel", json!("error")))
            .told("/params/level", json!(["error", "critical", "alert", "emergency"])),
        row("M-7 mildest", call("logs", json!({})).meta("logLevel", json!("debug"))).told(
            "/params/level",
            json!(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]),
        ),
        row("M-9", call("progress", json!({})).meta("progressToken", json!("t")))
            .told("/params/progressToken", json!(["t", "t", "t"])),
        row("M-9 integer", call("progress", json!({})).meta("progressToken", json!(7))).told(
            "/params",
            json!([
                {"progressToken": 7, "progress": 1, "total": 3},
                {"progressToken": 7, "progress": 2, "total": 3},
                {"progressToken": 7, "progress": 3, "total": 3},
            ]),
        ),
        row("M-9 none", call("progress", json!({}))).told("", json!([])),
        row("M-9 boolean", list().meta("progressToken", json!(true))).error(400, -32602),
        row("M-10", traced(call("traced", json!({}))))
            .at("/result/content/0/text", format!("\"{TRACE}\" \"a=1\" \"k=v\""))
            .told("/params/_meta", json!([{"traceparent": TRACE, "tracestate": "a=1", "baggage": "k=v"}])),
        row(
            "M-10 malformed",
            call("traced", json!({})).meta("progressToken", json!(1)).change(|message| {
                message["params"]["_meta"]["traceparent"] = json!(7);
            }),
        )
        .told("/params/_meta", json!([null])),
        row("M-10 none", call("traced", json!({})).meta("progressToken", json!(1)))
            .told("/params/_meta", json!([null])),
        row("M-12 integer", list().id(json!(5))).at("/id", 5),
        row("M-12 digits", list().id(json!("5"))).at("/id", "5"),
        row("M-14 array", list().id(json!([1]))).error_without_id(400, -32600),
        row("M-15 unknown method", modern("foo/bar", json!({})).id(Value::Null))
            .error_without_id(400, -32600),
        row("M-16", list().id(json!(5)).written(r#""id":5"#, r#""id":18446744073709551616"#))
            .contains(r#""id":18446744073709551616,"#),
        row("M-16 exponent", list().id(json!(5)).written(r#""id":5"#, r#""id":1e30"#))
            .error_without_id(400, -32600),
        row("M-17 text", list().id(json!(5)).written(r#""id":5"#, r#""id":9007199254740993"#))
            .contains(r#""id":9007199254740993,"#),
        row("M-24 elicitation", removed("elicitation/create")).error(404, -32601),
        row("M-24 task results", removed("tasks/result")).error(404, -32601),
        row("M-26 prompts", modern("prompts/list", json!({}))).to(Config::Empty).error(404, -32601),
        row("M-26 call", call("echo", json!({}))).to(Config::Empty).error(404, -32601),
        row("M-31 never -32002", modern("resources/read", json!({"uri": "none://x"})))
            .error(400, -32602)
            .without("-32002"),
        row("M-32 empty", modern("tools/list", json!({"cursor": ""})))
            .error(400, -32602)
            .says("params.cursor"),
        row("M-32 null", modern("tools/list", json!({"cursor": null}))).something_at("/result/tools"),
        row("progress that does not increase", call("falters", json!({})).meta("progressToken", json!(7)))
            .told("/params/progress", json!([0, 1, 1.5])),
        row("M-32 kind", modern("tools/list", json!({"cursor": 5}))).error(400, -32602),
        row("M-34", call("tells_and_fails", json!({})).meta("progressToken", json!(1)))
            .error(200, -32602)
            .told("/params/progress", json!([1])),
        row("M-35 unknown code", call("refuses", json!({"code": -32042})))
            .error(500, -32603)
            .without("-32042"),
        row("M-38 empty", modern("acme/sum", json!({"a": 1, "b": 2})))
            .at("/result/resultType", "complete")
            .something_at("/result/_meta/io.modelcontextprotocol~1serverInfo")
            .nothing_at("/result/ttlMs"),
        row("M-38 lists", modern("prompts/list", json!({})))
            .at("/result/ttlMs", 0)
            .at("/result/cacheScope", "private"),
        row("M-38 resources", modern("resources/list", json!({})))
            .at("/result/ttlMs", 0)
            .at("/result/cacheScope", "private"),
        row("M-38 templates", modern("resources/templates/list", json!({}))).at("/result/ttlMs", 0),
        row("M-38 discover", modern("server/discover", json!({})))
            .at("/result/ttlMs", 0)
            .at("/result/resultType", "complete"),
        row("M-38 prompt", modern("prompts/get", json!({"name": "review", "arguments": {"code": "a"}})))
            .at("/result/resultType", "complete")
            .nothing_at("/result/ttlMs"),
    ]
}

/// What headers take part in.
fn over_http() -> Vec<Row> {
    vec![
        row("M-3", list().without_meta("clientCapabilities").without_meta("protocolVersion"))
            .error(400, -32602),
        row("M-19", list().header("Mcp-Session-Id", "anything")).without("mcp-session-id"),
        row("M-20", list().header("Last-Event-ID", "5")),
        row("M-25", modern("tasks/get", json!({"taskId": "t"})).without("Mcp-Name")).error(400, -32020),
        row("M-28", modern("tools/call", json!({"arguments": {}}))).error(400, -32602).says("params.name"),
        row("M-28 header", modern("tools/call", json!({})).header("Mcp-Name", "echo")).error(400, -32020),
        edge("M-39", call("echo", json!({"text": "a"}))).has("content-type", "application/json"),
        edge("M-40", call("progress", json!({})).meta("progressToken", json!("t")))
            .has("content-type", "text/event-stream")
            .has("x-accel-buffering", "no")
            .has("cache-control", "no-store, no-transform")
            .at("/result/content/0/text", "done")
            .without("id: ")
            .without("event: "),
        edge(
            "M-41",
            call("progress", json!({})).meta("progressToken", json!("t")).set("Accept", "application/json"),
        )
        .has("content-type", "application/json")
        .at("/result/content/0/text", "done"),
        edge("M-42", list().without("Accept")).has("content-type", "application/json"),
        edge("M-42 any", list().set("Accept", "*/*")).has("content-type", "application/json"),
        edge("M-42 events", list().set("Accept", "text/event-stream"))
            .has("content-type", "text/event-stream"),
        edge("M-43", list().set("Accept", "text/html")).error_without_id(406, -32600),
        edge("M-43 refused", list().set("Accept", "application/json;q=0")).status(406),
        row("M-3 names one", list().without_meta("clientCapabilities").without_meta("protocolVersion"))
            .error(400, -32602)
            .says("protocolVersion"),
        row("M-19 twice", list().header("Mcp-Session-Id", "a").header("Mcp-Session-Id", "b"))
            .something_at("/result/tools"),
        row("M-25 update", modern("tasks/update", json!({"taskId": "t"}))).error(404, -32601),
        edge(
            "M-39 both asked",
            call("echo", json!({"text": "a"})).set("Accept", "text/event-stream, application/json"),
        )
        .has("content-type", "application/json"),
        edge("M-40 logs", call("logs", json!({})).meta("logLevel", json!("emergency")))
            .has("content-type", "text/event-stream")
            .told("/params/level", json!(["emergency"])),
        edge(
            "M-41 logs",
            call("logs", json!({})).meta("logLevel", json!("debug")).set("Accept", "application/json"),
        )
        .has("content-type", "application/json")
        .told("", json!([]))
        .at("/result/content/0/text", "done"),
        edge("M-40 frames", call("progress", json!({})).meta("progressToken", json!("t")))
            .contains("}\n\ndata: {")
            .told(
                "/method",
                json!(["notifications/progress", "notifications/progress", "notifications/progress"]),
            ),
        edge(
            "M-42 progress",
            call("progress", json!({})).meta("progressToken", json!("t")).without("Accept"),
        )
        .has("content-type", "text/event-stream"),
        edge(
            "M-42 any, progress",
            call("progress", json!({})).meta("progressToken", json!("t")).set("Accept", "*/*"),
        )
        .has("content-type", "text/event-stream"),
        edge("M-42 empty", list().set("Accept", "")).has("content-type", "application/json"),
        edge("M-43 method unknown", modern("foo/bar", json!({})).set("Accept", "text/html"))
            .error_without_id(406, -32600),
        edge(
            "M-43 header first",
            call("echo", json!({"text": "a"})).without("Mcp-Name").set("Accept", "text/html"),
        )
        .error(400, -32020),
    ]
}
