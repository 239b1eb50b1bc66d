//! Ids, methods and parameters as clients write them: values that are false, null, too large, or of another kind.

use mcp_runtime::prelude::*;
use mcp_runtime_tests::lines::{self, Lines};
use serde_json::json;

use crate::client::{
    HANDSHAKE, MODERN, bare, call, code, connect, headers, initialize, listen, modern, note, post, request,
    send_as, server, text,
};

/// Says it again.
#[mcp::tool(group = "ids")]
fn echo(text: String) -> String {
    text
}

/// Tells that it has begun, and does not end.
#[mcp::tool(group = "ids")]
async fn forever(ctx: mcp::Context) {
    ctx.progress(1).await;
    std::future::pending::<()>().await;
}

/// Waits once.
#[mcp::tool(group = "ids")]
async fn wait() -> &'static str {
    tokio::task::yield_now().await;
    "waited"
}

/// Has arguments.
#[mcp::prompt(group = "ids")]
fn ask(word: Option<String>) -> String {
    word.unwrap_or_default()
}

#[mcp::completion(prompt = "ask", argument = "word", group = "ids")]
fn words(typed: String) -> Vec<String> {
    vec![typed]
}

#[mcp::resource("ids://{x}", group = "ids")]
fn resource(x: String) -> String {
    x
}

/// Ids and tokens as they are written.
const WRITTEN: [&str; 9] = [
    "0",
    "-5",
    "4294967296",
    "9007199254740993",
    "18446744073709551616",
    r#""0""#,
    r#""""#,
    r#""Ω""#,
    r#"" ""#,
];

/// A connection of the era of that revision, open.
fn opened(revision: &str) -> Lines {
    let mut lines = connect("ids");
    if revision != MODERN {
        lines.send(&initialize(revision).to_string());
        lines.message().expect("the handshake is answered");
    }
    lines
}

fn with_id(message: &Value, id: &str) -> String {
    message.to_string().replace("\"HERE\"", id)
}

/// rust-sdk#416, #1021, typescript-sdk#2654: ids of 32 bits, ids that come back as texts, and 0 taken for none.
#[test]
fn fc_29_ids_come_back_as_they_were_written() {
    for revision in [HANDSHAKE, MODERN] {
        let mut lines = opened(revision);
        let address = listen(|| server("ids"));
        let list = request(revision, "HERE", "tools/list", json!({}));
        for id in WRITTEN {
            let message = with_id(&list, id);
            lines.send(&message);
            let line = lines.line().expect("it is answered");
            assert!(line.contains(&format!("\"id\":{id},\"result\"")), "{revision} {id}: {line}");
            let answer = send_as(address, &headers(&list, &[]), message.as_bytes()).text();
            assert!(answer.contains(&format!("\"id\":{id},\"result\"")), "{revision} {id}: {answer}");
        }
    }
}

/// JSON-RPC 2.0, section 5: the id of a request is told wherever it can be read, also where something else cannot.
#[test]
fn a_request_that_cannot_be_read_is_answered_by_its_id() {
    for revision in [HANDSHAKE, MODERN] {
        let mut lines = opened(revision);
        let address = listen(|| server("ids"));
        let list = request(revision, "HERE", "tools/list", json!({"_meta": {"a/b": 1}}));
        for odd in [r#""name":"\ud800""#, r#""cursor":1e999"#, r#""name":"a","name":"b""#] {
            let message = with_id(&list, "7").replace(r#""params":{"#, &format!(r#""params":{{{odd},"#));
            lines.send(&message);
            let line = lines.line().expect("it is answered");
            assert!(line.contains(r#""id":7"#) && line.contains("-32700"), "{revision} {message}: {line}");
            let answer = send_as(address, &headers(&list, &[]), message.as_bytes()).text();
            assert!(answer.contains(r#""id":7"#) && answer.contains("-32700"), "{revision}: {answer}");
        }
        lines.send(r#"{"jsonrpc":"2.0","id":8,"result":{"name":"a","name":"\ud800"},"result":{}}"#);
        let line = lines.line().expect("it is answered");
        assert!(!line.contains(r#""id":8"#), "an answer's id is not one of the client's: {line}");
    }
}

/// The same for cancellation and for the tokens of progress.
#[test]
fn fc_29_any_id_is_cancelled_and_any_token_told() {
    for revision in [HANDSHAKE, MODERN] {
        let mut lines = opened(revision);
        let start = request(
            revision,
            "HERE",
            "tools/call",
            json!({"name": "forever", "_meta": {"progressToken": "HERE"}}),
        );
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "HERE"}});
        let again =
            request(revision, "HERE", "tools/call", json!({"name": "echo", "arguments": {"text": "a"}}));
        for id in WRITTEN {
            lines.send(&with_id(&start, id));
            let told = lines.line().expect("it tells");
            assert!(told.contains(&format!("\"progressToken\":{id}")), "{revision} {id}: {told}");
        }
        for id in WRITTEN {
            lines.send(&with_id(&cancel, id));
            lines.send(&with_id(&again, id));
            let line = lines.line().expect("it is answered");
            assert!(line.contains(&format!("\"id\":{id},\"result\"")), "{revision} {id}: {line}");
        }
        lines.end();
        assert_eq!(lines.rest_of_lines(), [""; 0], "nothing is answered to what was cancelled");
    }
}

/// Whoever has read the answer to an id may use it again, however soon.
#[test]
fn fc_29_an_id_is_free_once_its_answer_is_there() {
    let address = listen(|| server("ids").sessions(mcp_runtime::Sessions::default()));
    let opened = post(address, &initialize(HANDSHAKE), &[]);
    let session = [("Mcp-Session-Id", opened.header("mcp-session-id").expect("a session"))];
    let mut lines = connect("ids");
    for _ in 0..200 {
        lines.send(&call(1, "wait", json!({})).to_string());
        assert_eq!(text(&lines.message().expect("it is answered")), "waited");
        let answer = post(address, &bare(1, "tools/call", json!({"name": "wait"})), &session);
        assert_eq!(text(&answer.message()), "waited");
    }
}

/// go-sdk#976, typescript-sdk#563: what is no request is taken for one.
#[test]
fn fc_48_a_request_names_its_version_and_its_method() {
    let address = listen(|| server("ids"));
    let raw = |body: &str| {
        let answer = send_as(address, &headers(&bare(1, "x", json!({})), &[]), body.as_bytes());
        let mut lines = connect("ids");
        lines.send(body);
        (answer.status, answer.message(), lines.message().expect("it is answered"))
    };
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":""}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":null}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","error":{"code":1,"message":""}}"#,
    ] {
        let (status, by_http, by_line) = raw(body);
        for answer in [&by_http, &by_line] {
            assert_eq!((code(answer), answer["id"].clone()), (Some(-32600), json!(1)), "{body}: {answer}");
        }
        assert_eq!(status, 400, "{body}");
    }
}

/// turbomcp, batch-array rejection tests: an array is executed, or a derived struct takes one for an object.
#[test]
fn fc_49_an_array_is_no_message() {
    let address = listen(|| server("ids"));
    let list = bare(1, "tools/list", json!({}));
    for body in [
        json!([list]),
        json!([list, list]),
        json!([]),
        json!([note("notifications/initialized")]),
        json!(["2.0", 1, "ping", null]),
    ] {
        let answer = post(address, &body, &[]);
        let mut lines = connect("ids");
        lines.send(&initialize(HANDSHAKE).to_string());
        lines.message().expect("the handshake is answered");
        lines.send(&body.to_string());
        lines.end();
        let rest = lines.rest();
        assert_eq!((answer.status, rest.len()), (400, 1), "{body}");
        for refusal in [&answer.message(), &rest[0]] {
            assert_eq!((code(refusal), refusal.get("id")), (Some(-32600), None), "{body}: {refusal}");
        }
    }
    // Nor is it what a request has within.
    let params =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["echo", {"text": "a"}]});
    assert_eq!(code(&post(address, &params, &[]).message()), Some(-32602));
}

/// rust-sdk#729, go-sdk#210: what is not there, or is there and null.
#[test]
fn fc_46_null_is_absent_where_something_may_be_left_out() {
    for revision in [HANDSHAKE, MODERN] {
        let mut lines = opened(revision);
        for params in [Value::Null, json!("absent"), json!([])] {
            let mut notification = note("notifications/initialized");
            if params != "absent" {
                notification["params"] = params;
            }
            lines.send(&notification.to_string());
        }
        let mut asked = |method: &str, params: Value| {
            lines.send(&request(revision, 1, method, params).to_string());
            lines.message().expect("it is answered")
        };
        for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
            assert!(asked(method, json!({"cursor": null}))["result"].is_object(), "{revision} {method}");
        }
        let got = asked("prompts/get", json!({"name": "ask", "arguments": null}));
        assert_eq!(got["result"]["messages"][0]["content"]["text"], "", "{revision}");
        let got = asked("prompts/get", json!({"name": "ask", "arguments": {"word": null}}));
        assert_eq!(got["result"]["messages"][0]["content"]["text"], "", "{revision}: {got}");
        let reference = json!({"type": "ref/prompt", "name": "ask"});
        for context in
            [Value::Null, json!({}), json!({"arguments": null}), json!({"arguments": {"word": null}})]
        {
            let params =
                json!({"ref": reference, "argument": {"name": "word", "value": "a"}, "context": context});
            let completed = asked("completion/complete", params);
            assert_eq!(completed["result"]["completion"]["values"], json!(["a"]), "{context}: {completed}");
        }
        let token = asked(
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "a"}, "_meta": {"progressToken": null}}),
        );
        assert!(code(&token) == Some(-32602) || text(&token) == "a", "{token}");
        for (method, params) in [
            ("tools/call", json!({"name": null})),
            ("prompts/get", json!({"name": null})),
            ("resources/read", json!({"uri": null})),
            ("completion/complete", json!({"ref": null, "argument": null})),
        ] {
            assert_eq!(code(&asked(method, params)), Some(-32602), "{revision} {method}");
        }
    }
    let missing = |params: &Value| {
        let mut message = initialize(HANDSHAKE);
        message["params"] = params.clone();
        let mut lines = connect("ids");
        lines.send(&message.to_string());
        lines.message().expect("it is answered")
    };
    let client = json!({"name": "c", "version": "1"});
    let nulls = json!({"protocolVersion": HANDSHAKE, "capabilities": {"roots": null, "sampling": null}, "clientInfo": client});
    assert_eq!(missing(&nulls)["result"]["protocolVersion"], HANDSHAKE);
    for params in [
        Value::Null,
        json!([]),
        json!({"protocolVersion": null, "capabilities": {}, "clientInfo": client}),
        json!({"protocolVersion": HANDSHAKE, "capabilities": null, "clientInfo": client}),
    ] {
        assert_eq!(code(&missing(&params)), Some(-32602), "{params}");
    }
}

/// The same for `params` as a whole.
#[test]
fn fc_46_every_method_is_asked_without_parameters() {
    for absent in [true, false] {
        let mut lines = lines::serve(|| server("ids"));
        lines.send(&initialize(HANDSHAKE).to_string());
        lines.message().expect("the handshake is answered");
        for (method, expected) in [
            ("ping", None),
            ("tools/list", None),
            ("prompts/list", None),
            ("resources/list", None),
            ("resources/templates/list", None),
            ("tools/call", Some(-32602)),
            ("prompts/get", Some(-32602)),
            ("resources/read", Some(-32602)),
            ("completion/complete", Some(-32602)),
            ("logging/setLevel", Some(-32602)),
        ] {
            let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": method});
            if !absent {
                message["params"] = Value::Null;
            }
            lines.send(&message.to_string());
            let answer = lines.message().expect("it is answered");
            assert_eq!(code(&answer), expected, "{method}: {answer}");
            message["params"] = json!([]);
            lines.send(&message.to_string());
            assert_eq!(code(&lines.message().expect("it is answered")), Some(-32602), "{method} []");
        }
    }
    let null = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": null}});
    let address = listen(|| server("ids"));
    assert_eq!(code(&post(address, &null, &[]).message()), None);
    // C-23: in the modern era `_meta` may not be left out.
    let modern = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
    assert_eq!(code(&post(address, &null, &modern).message()), Some(-32602));
}

/// rust-sdk#730, #745, #1160: requests that come before the handshake is over hang, or end the server.
#[test]
fn fc_42_requests_race_the_handshake() {
    let mut lines = connect("ids");
    lines.send(&bare(1, "ping", json!({})).to_string());
    assert_eq!(lines.message(), Some(json!({"jsonrpc": "2.0", "id": 1, "result": {}})));
    lines.send(&bare(2, "tools/call", json!({"name": "echo", "arguments": {"text": "a"}})).to_string());
    assert_eq!(code(&lines.message().expect("it does not hang")), Some(-32600));
    lines.send(&initialize(HANDSHAKE).to_string());
    lines.send(&bare(3, "logging/setLevel", json!({"level": "error"})).to_string());
    lines.send(&bare(4, "tools/list", json!({})).to_string());
    for id in [0, 3, 4] {
        let answer = lines.message().expect("it is answered");
        assert!(answer["id"] == id && answer["result"].is_object(), "{answer}");
    }
    let mut lines = connect("ids");
    lines.send(&modern(1, "server/discover", json!({})).to_string());
    assert_eq!(lines.message().expect("it is answered")["result"]["supportedVersions"], json!([MODERN]));
    // A call alone is answered too, where nothing was asked before.
    let mut lines = connect("ids");
    lines.send(&bare(1, "tools/call", json!({"name": "echo", "arguments": {"text": "a"}})).to_string());
    assert_eq!(code(&lines.message().expect("it does not hang")), Some(-32600));
}
