//! Rounds of modern calls: what travels with the client, and what is refused.

use std::time::Duration;

use serde_json::{Value, json};

use mcp_runtime_tests::listen::listen;

use crate::clients::{Client, KEY, server};
use crate::handlers::EFFECTS;
use crate::{person, text};

fn order() -> Value {
    json!({"name": "order", "arguments": {"what": "tea"}})
}

fn with(params: &Value, more: &Value) -> Value {
    let mut params = params.clone();
    for (name, value) in more.as_object().expect("members") {
        params[name] = value.clone();
    }
    params
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"))
}

/// Each round goes to another process, which shares nothing but the keys.
#[test]
fn any_server_with_the_keys_goes_on_with_a_call() {
    let servers: Vec<_> = (0..4).map(|_| listen(server)).collect();
    let before = EFFECTS.count("order");
    let mut state = json!({});
    for address in servers.into_iter().cycle() {
        let mut client = Client::modern(address, person);
        let answer = client.exchange("tools/call", with(&order(), &state));
        if answer["result"]["resultType"] != "input_required" {
            assert_eq!(text(&answer["result"]), "Ali (7) ordered tea: receipt 1; re: tea in work");
            break;
        }
        state = client.answers(&answer["result"]);
    }
    assert_eq!(EFFECTS.count("order") - before, 1);
}

#[test]
fn a_state_is_good_for_its_own_call_alone() {
    let mut client = Client::modern(listen(server), person);
    let first = client.exchange("tools/call", order());
    let answers = client.answers(&first["result"]);
    let state = answers["requestState"].as_str().expect("a state").to_owned();
    let call = |client: &mut Client, params: &Value, state: &str| {
        client.exchange("tools/call", with(params, &json!({"requestState": state})))
    };
    for (what, params, state) in [
        ("tampered", order(), format!("{}A{}", &state[..40], &state[41..])),
        ("cut", order(), state[..state.len() - 4].to_owned()),
        ("empty", order(), String::new()),
        ("other arguments", json!({"name": "order", "arguments": {"what": "coffee"}}), state.clone()),
        ("another tool", json!({"name": "insist", "arguments": {"what": "tea"}}), state.clone()),
    ] {
        let answer = call(&mut client, &params, &state);
        assert_eq!(code(&answer), -32602, "{what}: {answer}");
    }
    let number = client.exchange("tools/call", with(&order(), &json!({"requestState": 7})));
    assert_eq!(code(&number), -32602);
    // What nobody reads makes no call the same as another.
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let junk = |what: &str| json!({"name": "order", "arguments": {"what": what}, "junk": deep.clone()});
    let asked = client.exchange("tools/call", junk("tea"))["result"]["requestState"].clone();
    let of_junk = asked.as_str().expect("a state");
    assert_eq!(code(&call(&mut client, &junk("coffee"), of_junk)), -32602);
    assert_eq!(call(&mut client, &junk("tea"), of_junk)["result"]["resultType"], "input_required");
    // It is still good for the call that it is of.
    assert_eq!(call(&mut client, &order(), &state)["result"]["resultType"], "input_required");

    let strangers = listen(|| server().state_keys(["f".repeat(64)]));
    let mut client = Client::modern(strangers, person);
    assert_eq!(code(&call(&mut client, &order(), &state)), -32602, "another key");
    let rotated = listen(|| server().state_keys(["f".repeat(64), KEY.to_owned()]));
    let mut client = Client::modern(rotated, person);
    assert_eq!(call(&mut client, &order(), &state)["result"]["resultType"], "input_required");
    let hasty = listen(|| server().state_ttl(Duration::ZERO));
    let mut client = Client::modern(hasty, person);
    let own = client.exchange("tools/call", order())["result"]["requestState"].clone();
    let late = call(&mut client, &order(), own.as_str().expect("a state"));
    assert_eq!(code(&late), -32602);
    assert!(late["error"]["message"].as_str().unwrap_or_default().contains("expired"), "{late}");
}

#[test]
fn what_is_missing_is_asked_again_and_what_is_unknown_is_ignored() {
    let mut client = Client::modern(listen(server), person);
    let first = client.exchange("tools/call", order());
    let asked = &first["result"]["inputRequests"];
    for answers in [json!({}), json!({"unknown": {"action": "accept"}}), json!([]), json!("no"), Value::Null]
    {
        let more = json!({"inputResponses": answers, "requestState": first["result"]["requestState"]});
        let again = client.exchange("tools/call", with(&order(), &more));
        assert_eq!(&again["result"]["inputRequests"], asked, "{answers}");
    }
    // Answers alone are answers too.
    let mut answers = client.answers(&first["result"]);
    answers.as_object_mut().expect("members").remove("requestState");
    let next = client.exchange("tools/call", with(&order(), &answers));
    assert_ne!(&next["result"]["inputRequests"], asked);
}

#[test]
fn a_call_that_never_stops_to_ask_is_given_up() {
    let mut client =
        Client::modern(listen(server), |_| json!({"action": "accept", "content": {"name": "Ali"}}));
    let answer = client.answer("tools/call", json!({"name": "restless"}));
    assert_eq!(code(&answer), -32603);
    assert!(answer["error"]["message"].as_str().unwrap_or_default().contains("32 rounds"), "{answer}");
    assert_eq!(client.rounds(), 32);
}

#[test]
fn asks_in_odd_places() {
    let mut client = Client::modern(listen(server), person);
    let told = |client: &mut Client, tool: &str| text(&client.call(tool, json!({}))).to_owned();
    assert_eq!(told(&mut client, "asks_elsewhere"), "Ali");
    assert_eq!(client.rounds(), 1);
    assert_eq!(told(&mut client, "races"), "1");
    assert_eq!(client.rounds(), 1);
}
