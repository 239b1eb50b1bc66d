//! URIs, and what completes their variables: how they are matched and decoded, and what is no URI at all.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mcp_runtime::prelude::*;
use serde_json::json;

use crate::client::{HANDSHAKE, MODERN, asked, code, headers, listen, modern, post, send_as, server};

#[mcp::resource("book://shelf/{title}", group = "resources")]
fn book(title: String) -> String {
    title
}

#[mcp::resource("path://shelf/{+path}", group = "resources")]
fn below(path: PathBuf) -> String {
    path.display().to_string()
}

#[mcp::resource("one-path://shelf/{path}", group = "resources")]
fn one(path: PathBuf) -> String {
    path.display().to_string()
}

fn read(uri: &str) -> Value {
    asked("resources", MODERN, "resources/read", json!({"uri": uri}))
}

fn shown(answer: &Value) -> Option<&str> {
    answer["result"]["contents"][0]["text"].as_str()
}

/// python-sdk#973: the handler gets `A%20Tale`.
#[test]
fn fc_26_variables_are_decoded_once() {
    for (written, title) in [
        ("A%20Tale", "A Tale"),
        ("caf%C3%A9", "café"),
        ("caf%c3%a9", "café"),
        ("a+b", "a+b"),
        ("%2520", "%20"),
        ("a%2Fb", "a/b"),
        ("A Tale", "A Tale"),
        ("café", "café"),
        ("..%2F..%2Fetc", "../../etc"),
    ] {
        let answer = read(&format!("book://shelf/{written}"));
        assert_eq!(shown(&answer), Some(title), "{written}: {answer}");
    }
    for written in ["%E0%A4", "%", "%2", "%zz", "a%00b", "a/b", ""] {
        let answer = read(&format!("book://shelf/{written}"));
        assert_eq!(code(&answer), Some(-32602), "{written}: {answer}");
    }
    // What is a path leads nowhere else.
    assert_eq!(shown(&read("path://shelf/a/b%20c")), Some("a/b c"));
    for uri in [
        "one-path://shelf/a%2Fb",
        "one-path://shelf/..",
        "path://shelf/a/..%2F..%2Fetc",
        "path://shelf/%2Fetc",
        "path://shelf/a%00",
    ] {
        assert_eq!(code(&read(uri)), Some(-32602), "{uri}");
    }
}

/// The same over HTTP, where `Mcp-Name` carries the URI as it is.
#[test]
fn fc_26_the_header_carries_the_uri_as_it_is_written() {
    let address = listen(|| server("resources"));
    let uri = "book://shelf/caf%C3%A9%20noir";
    let answer = post(address, &modern(1, "resources/read", json!({"uri": uri})), &[]).message();
    assert_eq!(shown(&answer), Some("café noir"));
    let decoded = post(
        address,
        &modern(1, "resources/read", json!({"uri": uri})),
        &[("Mcp-Name", "book://shelf/cafe noir")],
    );
    assert_eq!(code(&decoded.message()), Some(-32020));
}

#[mcp::resource("file:///docs/caf%C3%A9/{name}", group = "literals")]
fn cafe(name: String) -> String {
    name
}

#[mcp::resource("file:///%6dy%20docs/{name}", group = "literals")]
fn my_docs(name: String) -> String {
    name
}

#[mcp::resource("Notes://Today", order = 1, group = "literals")]
fn notes() -> &'static str {
    "notes"
}

#[mcp::resource("Notes://Today/{name}", order = 1, group = "literals")]
fn note(name: String) -> String {
    name
}

#[mcp::resource("file:///%c3%bcbersicht", group = "literals")]
fn overview() -> &'static str {
    "overview"
}

/// fastmcp#5166, python-sdk#3526: a template with a space or a letter beyond ASCII is listed in a form that is never
/// matched. Here the compiler asks for the encoded form.
#[test]
fn fc_59_literals_are_listed_encoded_and_match_in_either_form() {
    for revision in [HANDSHAKE, MODERN] {
        let listed = asked("literals", revision, "resources/templates/list", json!({}));
        let templates: Vec<_> = listed["result"]["resourceTemplates"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| &one["uriTemplate"])
            .collect();
        assert_eq!(
            templates,
            ["file:///%6dy%20docs/{name}", "file:///docs/caf%C3%A9/{name}", "Notes://Today/{name}"],
            "{revision}"
        );
        let listed = asked("literals", revision, "resources/list", json!({}));
        assert_eq!(listed["result"]["resources"][0]["uri"], "file:///%c3%bcbersicht", "{revision}");
        for (uri, text) in [
            ("file:///docs/café/a", "a"),
            ("file:///docs/caf%C3%A9/a", "a"),
            ("file:///docs/caf%c3%a9/a%20b", "a b"),
            ("file:///my docs/a", "a"),
            ("file:///my%20docs/a", "a"),
            ("file:///übersicht", "overview"),
            ("file:///%C3%BCbersicht", "overview"),
            ("file:///%c3%bcbersicht", "overview"),
            ("FILE:///%c3%bcbersicht", "overview"),
            ("File:///docs/café/a", "a"),
            ("notes://Today", "notes"),
            ("Notes://Today/a", "a"),
        ] {
            let answer = asked("literals", revision, "resources/read", json!({"uri": uri}));
            assert_eq!(shown(&answer), Some(text), "{revision} {uri}: {answer}");
        }
    }
}

#[mcp::resource("plain://here", group = "completions")]
fn plain() -> &'static str {
    "here"
}

#[mcp::prompt(group = "completions")]
fn review(language: String, style: Option<String>) -> String {
    format!("{language} {style:?}")
}

#[mcp::completion(prompt = "review", argument = "language", group = "completions")]
fn languages(typed: String) -> Vec<String> {
    (0..5000).map(|number| format!("{typed}{number}")).collect()
}

/// php-sdk#388, CVE-2026-47427: what nothing completes is an empty list, and what is not there an error.
#[test]
fn fc_61_completion_of_what_has_no_completer_is_empty() {
    let prompt = json!({"type": "ref/prompt", "name": "review"});
    for revision in [HANDSHAKE, MODERN] {
        let complete = |params: Value| asked("completions", revision, "completion/complete", params);
        let empty = |params: Value| {
            let answer = complete(params.clone());
            assert_eq!(answer["result"]["completion"]["values"], json!([]), "{revision} {params}: {answer}");
        };
        empty(json!({"ref": prompt, "argument": {"name": "style", "value": "a"}}));
        empty(
            json!({"ref": {"type": "ref/resource", "uri": "plain://here"}, "argument": {"name": "x", "value": ""}}),
        );
        for params in [
            json!({"argument": {"name": "language", "value": ""}}),
            json!({"ref": prompt}),
            json!({"ref": null, "argument": {"name": "language", "value": ""}}),
            json!({"ref": {"type": "ref/prompt", "name": "nobody"}, "argument": {"name": "language", "value": ""}}),
            json!({"ref": {"type": "ref/resource", "uri": "nowhere://x"}, "argument": {"name": "x", "value": ""}}),
            json!({"ref": {"type": "ref/else", "name": "review"}, "argument": {"name": "language", "value": ""}}),
            json!({"ref": prompt, "argument": {"name": "language"}}),
            json!({"ref": prompt, "argument": null}),
        ] {
            let answer = complete(params.clone());
            assert_eq!(code(&answer), Some(-32602), "{revision} {params}: {answer}");
        }
        let answer =
            complete(json!({"ref": prompt, "argument": {"name": "language", "value": "a"}, "context": null}));
        let completion = &answer["result"]["completion"];
        assert_eq!(completion["values"].as_array().map(Vec::len), Some(100), "{revision}: {answer}");
        assert_eq!((completion["hasMore"].clone(), completion["total"].clone()), (json!(true), json!(5000)));
    }
}

/// Takes anything.
#[mcp::tool(group = "complexity")]
fn take(a: Value) -> String {
    a.to_string()
}

#[mcp::resource("list://{+ids}", group = "complexity")]
fn ids(ids: String) -> String {
    ids.len().to_string()
}

#[mcp::resource("pair://{+left}/{+right}/{name}{?a,b,c}", group = "complexity")]
fn pair(
    left: String,
    right: String,
    name: String,
    a: Option<String>,
    b: Option<String>,
    c: Option<String>,
) -> String {
    format!("{left}{right}{name}{a:?}{b:?}{c:?}")
}

/// CVE-2026-0621: what is nested deep, or long, takes the stack or minutes.
#[test]
fn fc_75_long_uris_and_deep_arguments_take_no_more_than_their_length() {
    let start = Instant::now();
    let list = "a,".repeat(100_000);
    let answer = asked("complexity", MODERN, "resources/read", json!({"uri": format!("list://{list}")}));
    assert_eq!(shown(&answer), Some("200000"));
    for uri in [
        format!("pair://{}", "/".repeat(100_000)),
        format!("pair://{}?", "a/".repeat(50_000)),
        format!("pair://a/b/c?{}", "a=&".repeat(50_000)),
    ] {
        let answer = asked("complexity", MODERN, "resources/read", json!({"uri": uri}));
        assert!(answer.get("result").is_some() || code(&answer) == Some(-32602), "{answer}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());

    // Deep within anything that is read or skipped.
    let address = listen(|| server("complexity"));
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let mut here = vec![
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "unknown": "HERE"}),
            json!({"jsonrpc": "2.0", "id": "HERE", "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "HERE"}),
            json!({"jsonrpc": "2.0", "id": 1, "result": "HERE"}),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "HERE"}}),
        ];
        for (method, params) in [
            ("tools/list", json!({"cursor": "HERE"})),
            ("tools/list", json!({"unknown": "HERE"})),
            ("tools/list", json!({"_meta": {"unknown": "HERE"}})),
            ("tools/list", json!({"_meta": {"progressToken": "HERE"}})),
            ("completion/complete", json!({"ref": "HERE", "argument": "HERE", "context": "HERE"})),
        ] {
            here.push(modern(1, method, params));
        }
        for message in here {
            let body = message.to_string().replace("\"HERE\"", &deep);
            let status = send_as(address, &headers(&message, &[]), body.as_bytes()).status;
            assert!(matches!(status, 200 | 202 | 400 | 404), "{message}: {status}");
        }
    }

    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let message =
            modern(1, "tools/call", json!({"name": "take", "arguments": {"a": "HERE"}})).to_string();
        let mut lines = crate::client::connect("complexity");
        lines.send(&message.replace("\"HERE\"", &deep));
        let answer = lines.message().expect("it is answered");
        assert!(matches!(code(&answer), Some(-32700 | -32602)), "{answer}");
        lines.send(&modern(2, "resources/list", json!({})).to_string());
        assert_eq!(lines.message().expect("the connection lives")["id"], 2);
    }
}
