//! What takes time: messages before a result, order, cancellation, the end of the input, calls at once.

use serde_json::{Value, json};

use crate::fixture::{Config, turn};
use crate::line_rows::serve;
use crate::request::{bare, call};
use mcp_runtime_tests::lines;
use mcp_runtime_tests::raw::{Answer, send};

fn answer(config: Config, request: &crate::request::Request) -> Answer {
    let body = request.bytes();
    let mut headers = request.headers.clone();
    headers.push(("Content-Length".to_owned(), body.len().to_string()));
    send(config.listen(), request.method, request.path, &headers, &body)
}

fn line(id: impl Into<Value>, tool: &str, arguments: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "p",
    }}})
    .to_string()
}

fn claim(id: i64, method: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }}})
    .to_string()
}

fn cancel(id: Value) -> String {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string()
}

#[test]
fn progress_comes_before_the_result_in_both_eras() {
    let _turn = turn();
    let modern = call("progress", json!({})).meta("progressToken", json!(7));
    let handshake = bare("tools/call", json!({"name": "progress", "_meta": {"progressToken": 7}}));
    for request in [modern, handshake] {
        let messages = answer(Config::Default, &request).messages();
        let told: Vec<_> = messages.iter().map(|message| message["params"]["progress"].clone()).collect();
        assert_eq!(told, [json!(1), json!(2), json!(3), Value::Null], "{messages:?}");
        assert_eq!(messages[0]["params"], json!({"progressToken": 7, "progress": 1, "total": 3}));
        assert_eq!(messages[3]["id"], 1);
    }
}

#[test]
fn progress_that_does_not_increase_is_dropped() {
    let _turn = turn();
    let messages =
        answer(Config::Default, &call("falters", json!({})).meta("progressToken", json!(7))).messages();
    let told: Vec<_> = messages.iter().map(|message| message["params"]["progress"].clone()).collect();
    assert_eq!(told, [json!(0), json!(1), json!(1.5), Value::Null], "{messages:?}");
}

#[test]
fn without_a_token_there_is_no_progress() {
    let _turn = turn();
    let messages = answer(Config::Default, &call("progress", json!({}))).messages();
    assert_eq!(messages.len(), 1);
}

#[test]
fn log_messages_come_from_the_level_that_was_asked_for() {
    let _turn = turn();
    let levels = |request| -> Vec<String> {
        let messages = answer(Config::Default, &request).messages();
        messages.iter().filter_map(|message| message["params"]["level"].as_str().map(str::to_owned)).collect()
    };
    let from_error = ["error", "critical", "alert", "emergency"];
    assert_eq!(levels(call("logs", json!({})).meta("logLevel", json!("error"))), from_error);
    assert!(
        levels(call("logs", json!({}))).is_empty(),
        "nothing is sent to a modern client that asked for nothing"
    );
    assert_eq!(
        levels(bare("tools/call", json!({"name": "logs"}))).len(),
        7,
        "from `info` where no level was set"
    );
}

#[test]
fn the_level_of_a_connection_is_remembered() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}).to_string());
    lines.send(
        &json!({"jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": {"level": "alert"}})
            .to_string(),
    );
    lines.send(
        &json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "logs"}}).to_string(),
    );
    lines.end();
    let messages = lines.rest();
    assert_eq!(messages[1], json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
    let levels: Vec<_> = messages[2..4].iter().map(|message| message["params"]["level"].clone()).collect();
    assert_eq!(levels, ["alert", "emergency"]);
    assert_eq!(messages[4]["id"], 3);
}

/// S-20, S-21, R-51.
#[test]
fn one_at_a_time_means_that_the_second_waits_for_the_first() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server().stdio_concurrency(1));
    lines.send(&line(1, "tell_and_wait", json!({"milliseconds": 200})));
    lines.send(&line(2, "tell_and_wait", json!({"milliseconds": 1})));
    lines.end();
    let told: Vec<_> = lines.rest().iter().map(|message| message["id"].clone()).collect();
    assert_eq!(told, [Value::Null, Value::Null, json!(1), Value::Null, Value::Null, json!(2)]);
}

#[test]
fn one_at_a_time_still_reads_cancellations() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server().stdio_concurrency(1));
    lines.send(&line(1, "forever", json!({})));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    lines.send(&line(3, "echo", json!({"text": "b"})));
    lines.send(&cancel(json!(2)));
    lines.send(&cancel(json!(1)));
    let first = lines.message().expect("the last call is answered");
    assert_eq!((first["id"].clone(), first["result"]["content"][0]["text"].clone()), (json!(3), json!("b")));
    lines.end();
    assert!(lines.rest().is_empty(), "nothing is answered to what was cancelled");
}

#[test]
fn calls_run_at_once_and_are_answered_as_they_end() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&line(1, "tell_and_wait", json!({"milliseconds": 300})));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    lines.end();
    let answers: Vec<_> = lines.rest().into_iter().filter(|message| message.get("id").is_some()).collect();
    assert_eq!(answers.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(), [json!(2), json!(1)]);
}

/// S-26: ids of different kinds are different ids.
#[test]
fn an_id_is_cancelled_by_its_own_kind_alone() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&line(5, "tell_and_wait", json!({"milliseconds": 100})));
    lines.send(&line("5", "forever", json!({})));
    lines.send(&cancel(json!("5")));
    lines.end();
    let answers: Vec<_> = lines.rest().into_iter().filter(|message| message.get("id").is_some()).collect();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["id"], 5);
}

#[test]
fn an_id_is_the_same_however_it_is_escaped() {
    let _turn = turn();
    let escaped = |message: String| message.replace("\"5\"", r#""\u0035""#);
    let mut lines = serve(Config::Default);
    lines.send(&line("5", "forever", json!({})));
    lines.send(&escaped(line("5", "echo", json!({"text": "a"}))));
    let refused = lines.message().expect("it is answered");
    assert_eq!((refused["id"].clone(), refused["error"]["code"].clone()), (json!("5"), json!(-32600)));
    lines.send(&escaped(cancel(json!("5"))));
    lines.send(&escaped(line("5", "echo", json!({"text": "a"}))));
    lines.end();
    let answers = lines.rest_of_lines();
    assert!(answers.len() == 1 && answers[0].contains(r#""id":"\u0035","result""#), "{answers:?}");
}

#[test]
fn what_is_in_flight_is_answered_when_the_input_ends() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    for id in 1..=3 {
        lines.send(&line(id, "tell_and_wait", json!({"milliseconds": 100})));
    }
    lines.end();
    let answered =
        lines.rest().iter().filter(|message| message["result"]["content"][0]["text"] == "done").count();
    assert_eq!(answered, 3);
}

#[test]
fn a_panic_ends_its_own_call_alone() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&line(1, "panics", json!({})));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    lines.end();
    let answers = lines.rest();
    assert_eq!((answers[0]["id"].clone(), answers[0]["error"]["code"].clone()), (json!(1), json!(-32603)));
    assert!(!answers[0].to_string().contains("1234"));
    assert_eq!(answers[1]["id"], 2);
}

#[test]
fn a_panic_that_panics_again_ends_its_own_call_alone() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&line(1, "panics_twice", json!({})));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    lines.end();
    let answers = lines.rest();
    assert_eq!((answers[0]["id"].clone(), answers[0]["error"]["code"].clone()), (json!(1), json!(-32603)));
    assert_eq!(answers[1]["id"], 2);
}

#[test]
fn an_id_in_flight_is_not_taken_twice() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&line(1, "forever", json!({})));
    lines.send(&line(1, "echo", json!({"text": "a"})));
    let refused = lines.message().expect("the second is refused");
    assert_eq!((refused["id"].clone(), refused["error"]["code"].clone()), (json!(1), json!(-32600)));
    lines.send(&cancel(json!(1)));
    lines.send(&line(1, "echo", json!({"text": "b"})));
    let answer = lines.message().expect("the id is free again");
    assert_eq!(answer["result"]["content"][0]["text"], "b");
    lines.end();
    assert!(lines.rest().is_empty());
}

/// What needs no handler does not wait for those that are at work, and what waits can be cancelled.
#[test]
fn what_is_answered_at_once_overtakes_calls_that_wait() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    for id in 1..=300 {
        lines.send(&line(id, "forever", json!({})));
    }
    lines.send(&claim(400, "tools/list"));
    lines.send(&claim(401, "server/discover"));
    for id in [400, 401] {
        assert_eq!(lines.message().expect("it is answered")["id"], id);
    }
    for id in 1..=300 {
        lines.send(&cancel(json!(id)));
    }
    lines.send(&line(402, "echo", json!({"text": "a"})));
    assert_eq!(lines.message().expect("there is room again")["id"], 402);
    lines.end();
    assert!(lines.rest().is_empty());
}

/// A notification whose handler hangs gives its place back when its time is up.
#[test]
fn a_notification_that_takes_too_long_is_ended() {
    let _turn = turn();
    let mut lines = lines::serve(|| {
        Config::Default.server().max_in_flight(1).handler_timeout(std::time::Duration::from_millis(50))
    });
    lines.send(&claim(1, "server/discover"));
    lines.message();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let mut was_busy = false;
    for id in 2.. {
        if !was_busy {
            lines.send(r#"{"jsonrpc":"2.0","method":"notifications/acme/hang"}"#);
        }
        lines.send(&line(id, "echo", json!({"text": "a"})));
        let is_served = lines.message().expect("an answer")["result"].is_object();
        if was_busy && is_served {
            break;
        }
        was_busy |= !is_served;
        assert!(std::time::Instant::now() < deadline, "{was_busy}: its place is not given back");
    }
}

#[test]
fn a_handler_that_takes_too_long_is_ended() {
    let _turn = turn();
    let mut lines =
        lines::serve(|| Config::Default.server().handler_timeout(std::time::Duration::from_millis(50)));
    lines.send(&line(1, "forever", json!({})));
    lines.end();
    let answers = lines.rest();
    assert_eq!(answers[0]["error"]["code"], -32603);
}

#[test]
fn more_calls_than_a_server_takes_are_refused_and_the_others_are_not_harmed() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server().max_in_flight(1));
    lines.send(&line(1, "tell_and_wait", json!({"milliseconds": 100})));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    lines.end();
    let answers: Vec<_> = lines.rest().into_iter().filter(|message| message.get("id").is_some()).collect();
    assert_eq!((answers[0]["id"].clone(), answers[0]["error"]["code"].clone()), (json!(2), json!(-32603)));
    assert_eq!(answers[1]["result"]["content"][0]["text"], "done");
}

#[test]
fn ids_are_echoed_as_they_were_written() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    let ids = ["0", "-5", "9007199254740993", "18446744073709551616", r#""0""#, r#""""#, r#""Ω\u0041""#];
    for id in ids {
        let list = line(0, "echo", json!({"text": "a"})).replace("\"id\":0", &format!("\"id\":{id}"));
        lines.send(&list);
    }
    lines.end();
    let answers = lines.rest_of_lines();
    for (answer, id) in answers.iter().zip(ids) {
        assert!(answer.contains(&format!("\"id\":{id},")), "{id} in {answer}");
    }
    assert_eq!(answers.len(), ids.len());
}
