//! Answers that a handshake client gives as it likes.

use serde_json::{Value, json};

use mcp_runtime_tests::lines::{self, Lines};

use crate::clients::server;
use crate::text;

pub fn connected() -> Lines {
    let mut lines = lines::serve(server);
    shake_hands(&mut lines, "2025-11-25");
    lines
}

pub fn shake_hands(lines: &mut Lines, revision: &str) {
    let params = json!({"protocolVersion": revision, "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "asks", "version": "1"}});
    lines.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string());
    assert_eq!(lines.message().expect("an answer")["result"]["protocolVersion"], revision);
}

fn call(lines: &Lines, id: u64) {
    let params = json!({"name": "insist"});
    lines.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string());
}

fn reply(lines: &Lines, id: &Value, outcome: &str, value: Value) {
    let mut reply = json!({"jsonrpc": "2.0", "id": id});
    reply[outcome] = value;
    lines.send(&reply.to_string());
}

#[test]
fn errors_and_strange_answers_end_the_ask_alone() {
    for (outcome, value, says) in [
        ("error", json!({"code": -1, "message": "busy"}), "the client refused (-1): busy"),
        ("error", Value::Null, "cannot be used"),
        ("error", json!(5), "cannot be used"),
        ("result", json!({"action": "maybe"}), "cannot be used: `action` is none of"),
        ("result", json!([]), "cannot be used"),
        ("result", json!({"action": "cancel"}), "closed the question"),
    ] {
        let mut lines = connected();
        call(&lines, 1);
        let asked = lines.message().expect("it asks");
        assert_eq!(asked["method"], "elicitation/create");
        // What answers nothing that was asked changes nothing.
        reply(&lines, &json!(999), "result", json!({"action": "decline"}));
        reply(&lines, &json!("1"), "result", json!({"action": "decline"}));
        reply(&lines, &asked["id"], outcome, value);
        // Nor does a second answer.
        reply(&lines, &asked["id"], "result", json!({"action": "decline"}));
        let answer = lines.message().expect("an answer");
        assert_eq!((answer["id"].as_u64(), answer["result"]["isError"].as_bool()), (Some(1), Some(true)));
        assert!(text(&answer["result"]).contains(says), "{answer}");
        lines.end();
        assert!(lines.rest().is_empty());
    }
}

/// A call that is cancelled takes back what it asked, and is not answered.
#[test]
fn what_a_cancelled_call_asked_is_taken_back() {
    let mut lines = connected();
    call(&lines, 5);
    let asked = lines.message().expect("it asks");
    lines.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
            .to_string(),
    );
    let taken_back = lines.message().expect("it takes it back");
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    reply(&lines, &asked["id"], "result", json!({"action": "decline"}));
    lines.end();
    assert!(lines.rest().is_empty(), "a late answer is nobody's");
}

/// The time of a call counts while it waits for an answer.
#[test]
fn what_a_call_asked_is_taken_back_when_its_time_is_up() {
    let mut lines = lines::serve(|| server().handler_timeout(std::time::Duration::from_millis(50)));
    shake_hands(&mut lines, "2025-11-25");
    call(&lines, 1);
    let asked = lines.message().expect("it asks");
    let mut rest = [lines.message().expect("something"), lines.message().expect("something")];
    rest.sort_by_key(|message| message["id"].is_u64());
    assert_eq!(rest[0]["params"]["requestId"], asked["id"]);
    assert_eq!(rest[1]["error"]["code"], -32603);
}

#[test]
fn the_key_of_what_was_given_up_is_free_again() {
    let mut lines = connected();
    lines.send(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "asks_again"}})
            .to_string(),
    );
    let first = lines.message().expect("it asks");
    let taken_back = lines.message().expect("it gives up");
    assert_eq!(taken_back["params"]["requestId"], first["id"]);
    let second = lines.message().expect("it asks again");
    reply(&lines, &second["id"], "result", json!({"action": "accept", "content": {"name": "Ali"}}));
    assert_eq!(text(&lines.message().expect("an answer")["result"]), "Ali");
}

/// What a client never answers does not keep a call for ever.
#[test]
fn what_is_not_answered_ends_in_time() {
    let mut lines = lines::serve(|| server().state_ttl(std::time::Duration::from_millis(50)));
    shake_hands(&mut lines, "2025-11-25");
    let params = json!({"name": "asks_once_more"});
    lines.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    let mut came: Vec<_> = (0..5).map(|_| lines.message().expect("a message")).collect();
    let answer = came.iter().position(|message| message.get("result").is_some()).expect("an answer");
    let answer = came.remove(answer);
    assert_eq!(text(&answer["result"]), "nobody has answered in time");
    let (asked, taken_back): (Vec<_>, Vec<_>) =
        came.iter().partition(|message| message["method"] == "elicitation/create");
    assert_eq!((asked.len(), taken_back.len()), (2, 2), "it asks once more: {came:?}");
    for (asked, taken_back) in asked.iter().zip(taken_back) {
        assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    }
}

/// Elicitation began with 2025-06-18, whatever a client declares.
#[test]
fn what_a_revision_does_not_know_is_not_asked() {
    for revision in ["2024-11-05", "2025-03-26"] {
        let mut lines = lines::serve(server);
        shake_hands(&mut lines, revision);
        call(&lines, 1);
        let answer = lines.message().expect("an answer");
        assert_eq!(
            (answer["id"].as_u64(), answer["result"]["isError"].as_bool()),
            (Some(1), Some(true)),
            "{answer}"
        );
        lines.end();
        assert!(lines.rest().is_empty());
    }
}

#[test]
fn a_form_has_its_fields_in_order() {
    let mut lines = connected();
    let params = json!({"name": "fill_in"});
    lines.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    let asked = lines.line().expect("it asks");
    let place =
        |field: &str| asked.find(&format!("\"{field}\":{{")).unwrap_or_else(|| panic!("{field}: {asked}"));
    let places = ["name", "age", "height", "subscribe", "plain", "titled", "several", "titles"].map(place);
    assert!(places.is_sorted(), "{asked}");
}
