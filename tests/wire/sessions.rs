//! Section L with sessions: the handshake era over HTTP where a client keeps what it agreed on.

use mcp_runtime_tests::events::Events;
use serde_json::json;

use crate::fixture::{Config, turn};
use crate::request::{Request, bare, bare_call, call, initialize, list, note, of_method, posted};
use crate::row::{Row, edge};

/// Which test shows which row.
pub const SHOWN: &[(&str, fn())] = &[("L-32, L-33", one_connection_listens_to_a_session)];

/// A row about a server with sessions: they are those of HTTP, and the engine alone has none.
fn row(id: &'static str, request: Request) -> Row {
    edge(id, request).to(Config::Sessions)
}

/// A row that opens a session.
fn opened(id: &'static str) -> Row {
    row(id, initialize()).opens_a_session()
}

fn ping() -> Request {
    bare("ping", json!({}))
}

fn echo() -> Request {
    bare_call("echo", json!({"text": "a"}))
}

fn end() -> Request {
    of_method("DELETE").in_session()
}

fn listen() -> Request {
    of_method("GET").set("Accept", "text/event-stream")
}

/// The handshake era with sessions.
pub fn rows() -> Vec<Row> {
    let asks = |version: &'static str| {
        initialize().change(|message| message["params"]["protocolVersion"] = json!(version))
    };
    let numbers = || bare("tools/call", json!({"name": "numbers"}));
    let response = || posted(json!({"jsonrpc": "2.0", "id": 99, "result": {}}));
    let unknown = "0123456789abcdef0123456789abcdef";
    let mut rows = vec![
        opened("L-1").at("/result/protocolVersion", "2025-11-25"),
        row("L-1 older", asks("2024-11-05")).opens_a_session().at("/result/protocolVersion", "2024-11-05"),
        row("L-2", asks("2026-07-28")).opens_a_session().at("/result/protocolVersion", "2025-11-25"),
        row("L-2 empty", asks("")).opens_a_session().at("/result/protocolVersion", "2025-11-25"),
        row("L-4", bare("initialize", json!({"protocolVersion": "2025-11-25"})))
            .error(200, -32602)
            .without("mcp-session-id"),
        row("L-6", initialize().header("MCP-Protocol-Version", "2025-06-18"))
            .opens_a_session()
            .at("/result/protocolVersion", "2025-11-25"),
        opened("L-7, L-8")
            .then(initialize().in_session())
            .error(400, -32600)
            .then(ping().in_session())
            .at("/result", json!({})),
        row("L-9", echo()).error(400, -32600).says("Mcp-Session-Id"),
        row("L-10", echo().header("Mcp-Session-Id", unknown)).error(404, -32600),
        row("L-11", echo().header("Mcp-Session-Id", "a b")).error(400, -32600),
        row("L-11 not ASCII", echo().header("Mcp-Session-Id", "\u{e9}")).error(400, -32600),
        row("L-11 no id of ours", echo().header("Mcp-Session-Id", "../../etc/passwd")).error(404, -32600),
        opened("L-12").then(echo().in_session().in_session()).error(400, -32600).says("more than once"),
        row("L-12 initialize", initialize().header("Mcp-Session-Id", "a").header("Mcp-Session-Id", "a"))
            .error(400, -32600)
            .without("mcp-session-id"),
        opened("L-14").then(echo().in_session()).at("/result/content/0/text", "a"),
        opened("L-15")
            .then(numbers().in_session())
            .at("/result/structuredContent", json!({"result": [1, 2]})),
        row("L-15 older", asks("2025-03-26"))
            .opens_a_session()
            .then(numbers().in_session())
            .nothing_at("/result/structuredContent"),
        row("L-16", asks("2025-03-26"))
            .opens_a_session()
            .then(numbers().in_session().header("MCP-Protocol-Version", "2025-11-25"))
            .nothing_at("/result/structuredContent"),
        opened("L-17")
            .then(ping().in_session().header("MCP-Protocol-Version", "1999-01-01"))
            .error(400, -32022),
        opened("L-19").then(ping().in_session()).at("/result", json!({})),
        row("L-20", bare("server/discover", json!({}))).error(400, -32600),
        opened("L-20").then(bare("server/discover", json!({})).in_session()).error(200, -32601),
        opened("L-21")
            .then(bare("foo/bar", json!({})).in_session())
            .error(200, -32601)
            .then(ping().in_session()),
        opened("L-23")
            .then(bare("resources/read", json!({"uri": "none://x"})).in_session())
            .error(200, -32002),
        row("L-25", note("notifications/initialized")).error_without_id(400, -32600),
        opened("L-25").then(note("notifications/initialized").in_session()).status(202).empty(),
        opened("L-30")
            .then(bare("logging/setLevel", json!({"level": "alert"})).in_session())
            .then(bare("tools/call", json!({"name": "logs"})).in_session())
            .told("/params/level", json!(["alert", "emergency"])),
        opened("L-30 bad")
            .then(bare("logging/setLevel", json!({"level": "loud"})).in_session())
            .error(200, -32602),
        row("L-32 missing", listen()).error_without_id(400, -32600),
        row("L-32 unknown", listen().header("Mcp-Session-Id", unknown)).error_without_id(404, -32600),
        opened("L-32 type").then(of_method("GET").set("Accept", "application/json").in_session()).status(406),
        opened("L-35")
            .then(listen().in_session().header("Last-Event-ID", "nonsense"))
            .error_without_id(400, -32600),
        row("L-36 missing", of_method("DELETE")).error_without_id(400, -32600),
        row("L-36 unknown", of_method("DELETE").header("Mcp-Session-Id", unknown))
            .error_without_id(404, -32600),
        opened("L-36, L-37").then(end()).status(204).empty().then(end()).error_without_id(404, -32600),
        opened("L-38")
            .then(end())
            .status(204)
            .empty()
            .then(echo().in_session())
            .error(404, -32600)
            .then(listen().in_session())
            .error_without_id(404, -32600)
            .runs(0),
        opened("L-41").then(response().in_session()).status(202).empty(),
        opened("L-42")
            .then(posted(json!({"jsonrpc": "2.0", "id": null, "result": {}})).in_session())
            .error_without_id(400, -32600),
        opened("L-46")
            .then(echo().meta("protocolVersion", json!("2025-06-18")).in_session())
            .at("/result/content/0/text", "a"),
        opened("R-5")
            .then(list().in_session())
            .at("/result/resultType", "complete")
            .without("mcp-session-id")
            .then(call("echo", json!({"text": "a"})).in_session())
            .without("mcp-session-id")
            .then(ping().in_session())
            .at("/result", json!({})),
        row("H-8 sessions", of_method("PUT")).status(405).has("allow", "POST, GET, DELETE, OPTIONS"),
        opened("H-9 modern header")
            .then(listen().in_session().header("MCP-Protocol-Version", "2026-07-28"))
            .error_without_id(400, -32022),
    ];
    rows.extend(of_somebody_else());
    rows.extend(refused_at_the_edge());
    rows
}

/// A session that somebody else has opened.
fn of_somebody_else() -> Vec<Row> {
    let response = posted(json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    let own = |id| row(id, initialize().header("Authorization", "ali")).opens_a_session();
    let bob = |request: Request| request.in_session().header("Authorization", "bob");
    vec![
        own("L-13").then(bob(echo())).error(404, -32600).runs(0),
        own("L-13 nobody").then(echo().in_session()).error(404, -32600).runs(0),
        own("L-13 end").then(bob(of_method("DELETE"))).error_without_id(404, -32600),
        own("L-13 listen").then(bob(listen())).error_without_id(404, -32600),
        own("L-44")
            .then(bob(response.clone()))
            .error_without_id(404, -32600)
            .then(response.in_session().header("Authorization", "ali"))
            .status(202)
            .empty(),
        own("L-13 own")
            .then(echo().in_session().header("Authorization", "ali"))
            .at("/result/content/0/text", "a"),
    ]
}

/// What contradicts itself opens no session.
fn refused_at_the_edge() -> Vec<Row> {
    let claims = |claim: &str, header: &'static str| {
        initialize().meta("protocolVersion", json!(claim)).header("MCP-Protocol-Version", header)
    };
    let refused =
        |id, claim, header| row(id, claims(claim, header)).error(400, -32020).without("mcp-session-id");
    vec![
        refused("C-3 sessions", "2026-07-28", "2025-11-25"),
        refused("C-9 sessions", "2025-11-25", "2025-06-18"),
        refused("C-10 sessions", "2025-11-25", "2026-07-28"),
        refused("C-11 sessions", "2025-11-25", "2030-01-01"),
        row("L-39 sessions", crate::request::bytes(format!("[{}]", initialize().text())))
            .error_without_id(400, -32600)
            .without("mcp-session-id"),
        row("M-23 sessions", crate::request::modern("initialize", json!({})))
            .error(404, -32601)
            .without("mcp-session-id"),
    ]
}

#[test]
fn one_connection_listens_to_a_session() {
    let _turn = turn();
    let address = Config::Sessions.listen();
    let opened = Events::open(address, "POST", &[], &initialize().text());
    let id = opened.header("mcp-session-id").expect("a session").to_owned();
    let headers = [("Mcp-Session-Id", id.as_str()), ("Accept", "text/event-stream")];
    let first = Events::open(address, "GET", &headers, "");
    assert_eq!((first.status, first.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(Events::open(address, "GET", &headers, "").status, 409);
}
