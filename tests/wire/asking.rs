//! Calls that ask their client, as far as one exchange shows it. Whole conversations are in the tests of asks.

use mcp_runtime_tests::events::Events;
use mcp_runtime_tests::lines;
use serde_json::{Value, json};

use crate::fixture::{Config, turn};
use crate::request::{bare_call, call, initialize, modern};
use crate::row::{Row, line, row};

/// Which test shows which row.
pub const SHOWN: &[(&str, fn())] = &[
    ("L-40, L-41, L-43", a_call_in_a_session_asks_and_is_answered),
    ("S-38", a_call_over_a_pipe_asks_and_others_are_served),
];

/// What the call wants to know.
fn asked() -> Value {
    json!({
        "who": {"method": "elicitation/create", "params": {
            "mode": "form", "message": "Who are you?",
            "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        }},
    })
}

/// What one exchange shows.
pub fn rows() -> Vec<Row> {
    let able = |request: crate::request::Request| {
        request.meta("clientCapabilities", json!({"elicitation": {}, "sampling": {}}))
    };
    let with = |member: &str, value: Value| {
        let mut params = json!({"name": "asks", "arguments": {}});
        params[member] = value;
        able(modern("tools/call", params))
    };
    let answered = json!({"who": {"action": "accept", "content": {"name": "Ali"}}});
    let mut rows = vec![
        row("M-33", call("asks", json!({})))
            .error(400, -32021)
            .runs(1)
            .at("/error/data/requiredCapabilities", json!({"elicitation": {"form": {}}})),
        row("M-33 mid-stream", call("asks", json!({})).meta("progressToken", json!(1)))
            .contains("\"progress\":1")
            .error(200, -32021)
            .runs(1),
        row("M-36", with("requestState", json!("forged"))).error(400, -32602).says("requestState"),
        row("M-36 number", with("requestState", json!(7))).error(400, -32602),
        row("M-46", able(call("asks", json!({}))))
            .at("/result/resultType", "input_required")
            .at("/result/inputRequests", asked())
            .something_at("/result/requestState")
            .nothing_at("/result/ttlMs")
            .runs(1),
        row("M-46 answered", with("inputResponses", answered)).at("/result/content/0/text", "Ali").runs(1),
        line("S-33", able(call("asks", json!({})))).at("/result/inputRequests", asked()).runs(1),
        row("L-29", bare_call("asks", json!({})))
            .at("/result/isError", true)
            .contains(".sessions(Sessions::default())"),
    ];
    for (id, answers) in [
        ("M-37", json!({"other": {"action": "accept"}})),
        ("M-37 ill-typed", json!({"who": 7})),
        ("M-37 array", json!([])),
        ("M-37 null", Value::Null),
    ] {
        rows.push(row(id, with("inputResponses", answers)).at("/result/inputRequests", asked()).runs(1));
    }
    let misfit = json!({"who": {"action": "accept", "content": {"name": 7}}});
    let mut again = asked();
    again["who"]["params"]["message"] =
        "Who are you?\n\nThe last answer could not be used: `name`: expected string".into();
    rows.push(row("M-37 content", with("inputResponses", misfit)).at("/result/inputRequests", again).runs(1));
    rows
}

fn able_client() -> crate::request::Request {
    initialize().change(|message| message["params"]["capabilities"] = json!({"elicitation": {}}))
}

fn next(events: &mut Events) -> Value {
    loop {
        let event = events.next_event().expect("an event");
        if event.data.as_deref() != Some("") {
            return event.message();
        }
    }
}

#[test]
fn a_call_in_a_session_asks_and_is_answered() {
    let _turn = turn();
    let address = Config::Sessions.listen();
    let opened = Events::open(address, "POST", &[], &able_client().text());
    let session = [("Mcp-Session-Id", opened.header("mcp-session-id").expect("a session"))];
    let post = |message: &Value| Events::open(address, "POST", &session, &message.to_string());
    let ask = |id: u32| {
        post(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "asks"}}))
    };
    for (outcome, value, says) in [
        ("result", json!({"action": "accept", "content": {"name": "Ali"}}), "Ali"),
        ("error", json!({"code": -1, "message": "no"}), "the client refused (-1): no"),
    ] {
        let mut call = ask(5);
        let asked = next(&mut call);
        assert_eq!(asked["method"], "elicitation/create");
        let mut reply = json!({"jsonrpc": "2.0", "id": asked["id"]});
        reply[outcome] = value;
        assert_eq!(post(&reply).status, 202);
        // A second answer is late, and nobody's.
        assert_eq!(post(&reply).status, 202);
        let answer = next(&mut call);
        assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(5), &json!(says)));
    }
}

#[test]
fn a_call_over_a_pipe_asks_and_others_are_served() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server());
    lines.send(&able_client().text());
    lines.message().expect("an answer");
    lines.send(&bare_call("asks", json!({})).id(json!(2)).text());
    let asked = lines.message().expect("it asks");
    lines.send(&bare_call("echo", json!({"text": "meanwhile"})).id(json!(3)).text());
    assert_eq!(lines.message().expect("an answer")["result"]["content"][0]["text"], "meanwhile");
    let reply = json!({"action": "accept", "content": {"name": "Ali"}});
    lines.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": reply}).to_string());
    let answer = lines.message().expect("an answer");
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(2), &json!("Ali")));
}
