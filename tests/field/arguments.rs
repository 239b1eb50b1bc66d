//! What calls bring: arguments that are not there, of another form, or of the wrong type, and how that is told.

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::client::{HANDSHAKE, MODERN, asked, called, code, listen, modern, post, server, text};

/// Takes nothing.
#[mcp::tool(group = "arguments")]
fn now() -> &'static str {
    "now"
}

/// Takes one thing.
#[mcp::tool(group = "arguments")]
fn one(#[arg(range = 1..=9)] n: u8) -> u8 {
    n
}

#[derive(mcp::Args)]
struct Options {
    x: String,
}

/// Takes one of each kind.
#[mcp::tool(group = "arguments")]
fn each(
    count: Option<u32>,
    tags: Option<Vec<String>>,
    opts: Option<Options>,
    on: Option<bool>,
    id: Option<String>,
) -> String {
    format!("{count:?} {tags:?} {:?} {on:?} {id:?}", opts.map(|opts| opts.x))
}

/// Says it again.
#[mcp::prompt(group = "arguments")]
fn again(word: String, times: Option<u8>) -> String {
    word.repeat(times.unwrap_or(1).into())
}

/// cline#10553, php-mcp/server#26: calls without arguments fail, or what is no object is taken for none.
#[test]
fn fc_03_arguments_that_are_not_there_are_none_and_others_are_an_object() {
    for revision in [HANDSHAKE, MODERN] {
        let call = |params| asked("arguments", revision, "tools/call", params);
        for params in [
            json!({"name": "now"}),
            json!({"name": "now", "arguments": null}),
            json!({"name": "now", "arguments": {}}),
        ] {
            assert_eq!(text(&call(params.clone())), "now", "{revision} {params}");
        }
        for params in [json!({"name": "one"}), json!({"name": "one", "arguments": null})] {
            let answer = call(params);
            assert_eq!(answer["result"]["isError"], true, "{revision}");
            assert!(text(&answer).contains("`n`: missing"), "{answer}");
        }
        for arguments in [json!([]), json!("{}"), json!(7), json!(false)] {
            assert_eq!(
                code(&call(json!({"name": "now", "arguments": arguments}))),
                Some(-32602),
                "{revision} {arguments}"
            );
        }
        // Prompts are asked in the same way.
        let prompt = |params| asked("arguments", revision, "prompts/get", params);
        assert_eq!(code(&prompt(json!({"name": "again"}))), Some(-32602));
        for arguments in [json!([]), json!("{}"), json!(7)] {
            assert_eq!(
                code(&prompt(json!({"name": "again", "arguments": arguments}))),
                Some(-32602),
                "{arguments}"
            );
        }
    }
}

/// github-mcp-server#2044, claude-code#59227: a number comes as a text. A model reads what was expected, and corrects it.
#[test]
fn fc_08_texts_are_not_taken_for_what_they_look_like() {
    for (name, value, expected) in [
        ("count", json!("42"), "integer"),
        ("tags", json!("[\"a\"]"), "array"),
        ("opts", json!("{\"x\":\"y\"}"), "object"),
        ("on", json!("true"), "boolean"),
        ("id", json!(7), "string"),
    ] {
        let answer = called("arguments", "each", json!({name: value}));
        assert_eq!(answer["result"]["isError"], true, "{name}");
        let told = text(&answer);
        assert!(told.contains(&format!("`{name}`: expected {expected}")), "{told}");
    }
    assert_eq!(
        text(&called(
            "arguments",
            "each",
            json!({"count": 42, "tags": ["a"], "opts": {"x": "{}"}, "on": true, "id": "007"})
        )),
        r#"Some(42) Some(["a"]) Some("{}") Some(true) Some("007")"#
    );
    // Arguments of prompts are texts, whatever they are read as (rust-sdk#859).
    let again = |arguments| {
        asked("arguments", MODERN, "prompts/get", json!({"name": "again", "arguments": arguments}))
    };
    assert_eq!(again(json!({"word": "7", "times": "2"}))["result"]["messages"][0]["content"]["text"], "77");
    assert_eq!(code(&again(json!({"word": 7}))), Some(-32602));
}

/// rust-sdk#894, typescript-sdk#1044: the model never learns why its call failed, or an unknown tool is a success.
#[test]
fn fc_09_what_a_model_can_correct_is_a_result_and_the_rest_an_error() {
    for revision in [HANDSHAKE, MODERN] {
        let call = |params| asked("arguments", revision, "tools/call", params);
        for arguments in
            [json!({"n": "1"}), json!({"n": 10}), json!({"n": 256}), json!({}), json!({"n": 1, "m": 2})]
        {
            let answer = call(json!({"name": "one", "arguments": arguments}));
            assert_eq!(answer["result"]["isError"], true, "{revision} {arguments}: {answer}");
        }
        assert_eq!(code(&call(json!({"name": "two"}))), Some(-32602), "{revision}");
        assert_eq!(code(&call(json!({"name": 7}))), Some(-32602), "{revision}");
        assert_eq!(code(&call(json!({}))), Some(-32602), "{revision}");
    }
    let address = listen(|| server("arguments"));
    let mut message = modern(1, "tools/call", json!({"name": "one"}));
    assert_eq!(post(address, &message, &[]).status, 200, "a result");
    message["params"]["name"] = json!("two");
    assert_eq!(post(address, &message, &[]).status, 400, "M-27");
    message["params"] = json!([1]);
    let answer = post(address, &message, &[]);
    assert_eq!((answer.status, code(&answer.message())), (400, Some(-32602)), "H-22");
}
