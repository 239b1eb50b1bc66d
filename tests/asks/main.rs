//! Handlers that ask their client: one body, and clients of both eras over both transports.

mod answers;
mod clients;
mod forms;
mod handlers;
mod many;
mod rounds;

use serde_json::{Value, json};

use clients::{Client, clients};
use handlers::EFFECTS;

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}

/// What the person behind a client says to each question.
fn person(request: &Value) -> Value {
    let params = &request["params"];
    match (request["method"].as_str(), params["message"].as_str()) {
        (Some("elicitation/create"), Some("Who are you?")) => {
            json!({"action": "accept", "content": {"name": "Ali", "age": 7.0}})
        }
        (Some("elicitation/create"), Some("Pay here")) => {
            assert_eq!(params["url"], "https://pay.example/1");
            json!({"action": "accept"})
        }
        (Some("elicitation/create"), _) => json!({"action": "decline"}),
        (Some("sampling/createMessage"), _) => {
            let asked = params["messages"][0]["content"]["text"].as_str().unwrap_or_default();
            json!({"role": "assistant", "content": {"type": "text", "text": format!("re: {asked}")}, "model": "m"})
        }
        (Some("roots/list"), _) => json!({"roots": [{"uri": "file:///work", "name": "work"}]}),
        other => panic!("{other:?}"),
    }
}

/// Two asks, one `once`, one `join!`: the same result for every client, with one effect and no more rounds than it takes.
#[test]
fn one_body_serves_both_eras_over_both_transports() {
    for mut client in clients(person) {
        let before = EFFECTS.count("order");
        let result = client.call("order", json!({"what": "tea"}));
        assert_eq!(text(&result), "Ali (7) ordered tea: receipt 1; re: tea in work", "{client:?}");
        assert_eq!(EFFECTS.count("order") - before, 1, "{client:?}: the effect happens once");
        if client.is_modern() {
            assert_eq!(client.rounds(), 3, "who, then payment, then two at once");
        }
    }
}

#[test]
fn declining_is_an_error_that_the_model_reads_or_a_value() {
    for mut client in clients(person) {
        let result = client.call("insist", json!({}));
        assert_eq!((result["isError"].as_bool(), text(&result)), (Some(true), "the user declined"));
        assert_eq!(text(&client.call("accept_a_no", json!({}))), "no: Decline");
    }
}

#[test]
fn prompts_and_resources_ask_too() {
    for mut client in clients(person) {
        let prompt = client.request("prompts/get", json!({"name": "greet"}));
        assert_eq!(prompt["messages"][0]["content"]["text"], "Greet Ali", "{client:?}");
        let read = client.request("resources/read", json!({"uri": "who://asks"}));
        assert_eq!(read["contents"][0]["text"], "Ali", "{client:?}");
        // What a person's answers went into is nobody else's.
        assert_eq!(read.get("ttlMs"), None, "{client:?}");
    }
}

/// Nothing is asked of a client that cannot be asked.
#[test]
fn a_client_is_asked_only_for_what_it_has_declared() {
    for mut client in clients(person) {
        client.declare(json!({"elicitation": {"form": {}}}));
        let answer = client.answer("tools/call", json!({"name": "order", "arguments": {"what": "tea"}}));
        if client.is_modern() {
            assert_eq!(answer["error"]["code"], -32021, "{client:?}: {answer}");
            assert_eq!(answer["error"]["data"]["requiredCapabilities"], json!({"elicitation": {"url": {}}}));
        } else {
            let told = text(&answer["result"]).to_owned();
            assert!(told.contains("has not declared the capability `elicitation.url`"), "{told}");
        }
        // A handler that does without is not refused.
        client.declare(json!({}));
        assert_eq!(text(&client.call("do_without", json!({}))), "without");
    }
}

#[test]
fn every_shape_of_field_is_in_the_form() {
    for mut client in clients(|_| json!({"action": "decline"})) {
        client.call("fill_in", json!({}));
        let asked = client.asked();
        let schema = &asked[0]["params"]["requestedSchema"];
        assert_eq!(
            schema["properties"],
            json!({
                "name": {"type": "string", "description": "Your name.", "minLength": 1, "maxLength": 80},
                "age": {"type": "integer", "minimum": 0, "maximum": 150, "default": 18},
                "height": {"type": "number", "title": "Height in metres"},
                "subscribe": {"type": "boolean", "default": true},
                "plain": {"type": "string", "enum": ["Red", "Green"]},
                "titled": {"type": "string", "oneOf": [
                    {"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]},
                "several": {"type": "array", "items": {"type": "string", "enum": ["Red", "Green"]}},
                "titles": {"type": "array", "items": {"anyOf": [
                    {"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]}},
            }),
            "{client:?}"
        );
        assert_eq!(schema["required"], json!(["name", "height", "plain", "titled", "several", "titles"]));
    }
}

/// What is no answer to the question is asked again by rounds, and an error of the ask otherwise.
#[test]
fn an_answer_that_does_not_fit_is_not_taken() {
    let wrong = |request: &Value| match request["params"]["message"].as_str() {
        Some(message) if message.starts_with("Who are you?") => {
            json!({"action": "accept", "content": {"name": 7}})
        }
        _ => person(request),
    };
    for mut client in clients(wrong) {
        client.stop_after(3);
        let answer = client.answer("tools/call", json!({"name": "order", "arguments": {"what": "tea"}}));
        if client.is_modern() {
            assert_eq!(answer["result"]["resultType"], "input_required");
            assert_eq!(client.rounds(), 3);
            // The person is told what was wrong.
            let told = "The last answer could not be used: `name`: expected string";
            assert!(answer.to_string().contains(told), "{answer}");
        } else {
            assert!(text(&answer["result"]).ends_with("cannot be used: `name`: expected string"), "{answer}");
        }
    }
}

/// Each key is good for one, in both eras.
#[test]
fn a_key_is_not_used_twice() {
    for mut client in clients(person) {
        for (tool, key) in [("key_twice", "who"), ("once_twice", "a")] {
            let result = client.call(tool, json!({}));
            assert!(text(&result).contains(&format!("`{key}` is used twice")), "{client:?}: {result}");
        }
    }
}

#[test]
fn nothing_is_asked_inside_of_once() {
    for mut client in clients(person) {
        let result = client.call("asks_inside_once", json!({}));
        assert!(text(&result).contains("inside of `once`"), "{client:?}: {result}");
    }
}

/// Nothing can be asked where there is nobody to ask.
#[test]
fn a_handshake_client_without_a_session_is_told_what_it_takes() {
    let mut client = Client::without_session(person);
    let result = client.call("insist", json!({}));
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("`.sessions(Sessions::default())`"), "{result}");
}
