//! Section S, where time matters: order, cancellation, the end of the input, calls at once.

use serde_json::{Value, json};

use crate::fixture::{Config, LET_GO, turn};
use crate::request::{call, initialize, modern};
use mcp_runtime_tests::lines::{self, Lines};

/// Which test shows which row.
pub const SHOWN: &[(&str, fn())] = &[
    ("S-20, S-21, R-50, R-51", one_at_a_time_means_that_the_second_waits_for_the_first),
    ("S-20", calls_run_at_once_and_are_answered_as_they_end),
    ("S-28", what_is_cancelled_while_it_runs_is_not_answered),
    ("S-28", one_at_a_time_still_reads_cancellations),
    ("M-16", ids_are_echoed_as_they_were_written),
];

/// A connection to a server on a thread of its own.
fn serve(config: Config) -> Lines {
    lines::serve(move || config.server())
}

fn line(id: impl Into<Value>, tool: &str, arguments: Value) -> String {
    call(tool, arguments).meta("progressToken", json!("p")).id(id.into()).text()
}

/// What a call of the fixture tells when it begins.
fn begun() -> Value {
    let params = json!({"progressToken": "p", "progress": 1});
    json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
}

/// Has a call of that id in flight until it is let go.
fn hold(lines: &mut Lines, id: Value) {
    lines.send(&line(id, "held", json!({})));
    assert_eq!(lines.message(), Some(begun()));
}

fn cancel(id: Value) -> String {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string()
}

#[test]
fn the_level_of_a_connection_is_remembered() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    lines.send(&initialize().text());
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

#[test]
fn one_at_a_time_means_that_the_second_waits_for_the_first() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server().stdio_concurrency(1));
    let both = [line(1, "held", json!({})), line(2, "progress", json!({}))];
    lines.send(&both.join("\n"));
    assert_eq!(lines.message(), Some(begun()), "before the handler goes on");
    LET_GO.add_permits(1);
    lines.end();
    let ids: Vec<_> = lines.rest().iter().map(|message| message["id"].clone()).collect();
    assert_eq!(ids, [json!(1), Value::Null, Value::Null, Value::Null, json!(2)]);
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
    hold(&mut lines, json!(1));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    assert_eq!(lines.message().expect("it does not wait for the first")["id"], 2);
    LET_GO.add_permits(1);
    assert_eq!(lines.message().expect("the first is answered too")["id"], 1);
    lines.end();
    assert!(lines.rest().is_empty());
}

#[test]
fn what_is_cancelled_while_it_runs_is_not_answered() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    hold(&mut lines, json!(1));
    lines.send(&cancel(json!(1)));
    lines.send(&line(1, "echo", json!({"text": "again"})));
    let answer = lines.message().expect("the id is free again");
    assert_eq!(answer["result"]["content"][0]["text"], "again");
    lines.end();
    assert!(lines.rest().is_empty(), "nothing is answered to what was cancelled");
}

#[test]
fn an_id_in_flight_is_not_taken_twice() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    hold(&mut lines, json!(1));
    lines.send(&line(1, "echo", json!({"text": "a"})));
    let answer = lines.message().expect("the second is answered");
    assert_eq!((answer["id"].clone(), answer["error"]["code"].clone()), (json!(1), json!(-32600)));
    lines.send(&line("1", "echo", json!({"text": "a"})));
    assert_eq!(lines.message().expect("a text is another id")["id"], "1");
    lines.send(&cancel(json!(1)));
    lines.end();
    assert!(lines.rest().is_empty());
}

/// Ids of different kinds are different ids.
#[test]
fn an_id_is_cancelled_by_its_own_kind_alone() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    hold(&mut lines, json!(5));
    hold(&mut lines, json!("5"));
    lines.send(&cancel(json!("5")));
    lines.send(&line("5", "echo", json!({"text": "free again"})));
    assert_eq!(lines.message().expect("the id is free")["id"], "5");
    LET_GO.add_permits(1);
    lines.end();
    let ids: Vec<_> = lines.rest().iter().map(|message| message["id"].clone()).collect();
    assert_eq!(ids, [json!(5)]);
}

#[test]
fn what_is_in_flight_is_answered_when_the_input_ends() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    for id in 1..=3 {
        hold(&mut lines, json!(id));
    }
    lines.end();
    LET_GO.add_permits(3);
    let answers = lines.rest();
    assert!(answers.iter().all(|answer| answer["result"]["content"][0]["text"] == "let go"));
    assert_eq!(answers.len(), 3);
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
    hold(&mut lines, json!(1));
    lines.send(&line(2, "echo", json!({"text": "a"})));
    let refused = lines.message().expect("the second is refused");
    assert_eq!((refused["id"].clone(), refused["error"]["code"].clone()), (json!(2), json!(-32603)));
    LET_GO.add_permits(1);
    lines.end();
    assert_eq!(lines.rest()[0]["result"]["content"][0]["text"], "let go");
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

/// What needs no handler does not wait for those that are at work, and what waits can be cancelled.
#[test]
fn what_is_answered_at_once_overtakes_calls_that_wait() {
    let _turn = turn();
    let mut lines = serve(Config::Default);
    for id in 1..=300 {
        lines.send(&line(id, "forever", json!({})));
    }
    lines.send(&modern("tools/list", json!({})).id(json!(400)).text());
    lines.send(&modern("server/discover", json!({})).id(json!(401)).text());
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
    lines.send(&modern("server/discover", json!({})).id(json!(1)).text());
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

/// What is always ready is ended in time too, and by who cancels it.
#[test]
fn a_handler_that_never_waits_is_ended_in_time() {
    let _turn = turn();
    let mut lines =
        lines::serve(|| Config::Default.server().handler_timeout(std::time::Duration::from_millis(50)));
    lines.send(&line(1, "busy", json!({})));
    let answer = lines.message().expect("its time is up");
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32603)));
}
