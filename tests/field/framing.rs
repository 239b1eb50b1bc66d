//! Bytes that come in pieces, in other encodings, or as no message at all; and what else is written to the same pipe.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::prelude::*;
use mcp_runtime_tests::lines::{self, Lines};
use mcp_runtime_tests::raw::exchange;
use serde_json::json;

use crate::client::{
    HANDSHAKE, call, code, connect, headers, initialize, listen, modern, note, post, send_as, server, text,
};

/// Says it again.
#[mcp::tool(group = "framing")]
fn echo(text: String) -> String {
    text
}

static STAMPED: AtomicUsize = AtomicUsize::new(0);

/// Counts.
#[mcp::tool(group = "framing")]
fn stamp() -> usize {
    STAMPED.fetch_add(1, Ordering::SeqCst) + 1
}

/// Says it again, after having told it.
#[mcp::tool(group = "framing")]
async fn tell(text: String, ctx: mcp::Context) -> String {
    ctx.progress(1).message(text.clone()).await;
    text
}

/// Says it again, whatever it is.
#[mcp::method("field/echo", group = "framing")]
fn method(said: Value) -> mcp::Json<Value> {
    mcp::Json(json!({"said": said}))
}

fn list(id: i64) -> String {
    modern(id, "tools/list", json!({})).to_string()
}

/// The id and code of every answer to these lines.
fn answers(group: &'static str, bytes: &[&[u8]]) -> Vec<(Option<i64>, Option<i64>)> {
    let mut lines = connect(group);
    for bytes in bytes {
        lines.send_bytes(bytes);
    }
    lines.end();
    lines.rest().iter().map(|answer| (answer["id"].as_i64(), code(answer))).collect()
}

/// tokensave#505, rust-analyzer-mcp#15: an answer to a notification, by which clients drop the connection or count wrong.
#[test]
fn fc_21_notifications_are_not_answered() {
    for opening in [list(1), initialize(HANDSHAKE).to_string()] {
        let run =
            json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "stamp", "arguments": {}}});
        let modern = opening.contains("tools/list");
        let mut lines = connect("framing");
        lines.send(&opening);
        lines.message().expect("it is answered");
        for notification in [
            note("initialize"),
            note("foo/bar"),
            note("tools/call"),
            run,
            note("notifications/roots/list_changed"),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]}),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": 7}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized", "params": null}),
        ] {
            lines.send(&notification.to_string());
        }
        lines.send(&if modern {
            list(7)
        } else {
            json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).to_string()
        });
        lines.end();
        let rest = lines.rest();
        assert_eq!(rest.len(), 1, "{rest:?}");
        assert_eq!(rest[0]["id"], 7);
        assert_eq!(STAMPED.load(Ordering::SeqCst), 0, "nothing that has no id is run");
    }
}

/// rust-sdk#833, go-sdk#175: a line that is no message ends the server.
#[test]
fn fc_22_a_line_that_is_no_message_ends_nothing() {
    let good = format!("{}\n", list(8));
    let came = answers(
        "framing",
        &[
            b"Restarting...\n",
            b"\n",
            b"   \n",
            b"{bad\n",
            b"{\"jsonrpc\":\"2.0\",\"id\":5}\n",
            b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":7}\n",
            b"\xff\xfe\n",
            b"null\n",
            good.as_bytes(),
        ],
    );
    let (parse, invalid) = (Some(-32700), Some(-32600));
    assert_eq!(
        came,
        [
            (None, parse),
            (None, parse),
            (Some(5), invalid),
            (Some(6), invalid),
            (None, parse),
            (None, invalid),
            (Some(8), None)
        ]
    );
}

/// The same for a burst of them.
#[test]
fn fc_22_a_burst_of_lines_is_read_in_its_time() {
    let mut lines = connect("framing");
    lines.send_bytes(&b"\n".repeat(1_000_000));
    lines.send_bytes(&b"{bad\n".repeat(10_000));
    lines.send(&list(1));
    lines.end();
    let answers = lines.rest();
    assert_eq!(answers.len(), 10_001);
    assert_eq!(answers.last().map(|last| last["id"].clone()), Some(json!(1)));
}

/// The same from a peer that sends back what it gets: there is no storm.
#[test]
fn fc_22_what_is_sent_back_is_not_answered() {
    let mut lines = connect("framing");
    for unreadable in
        ["{bad", "[]", "7", r#"{"jsonrpc":"2.0","id":5}"#, r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#]
    {
        lines.send(unreadable);
        let refusal = lines.line().expect("it is answered");
        assert!(refusal.contains("error"), "{refusal}");
        lines.send(&refusal);
    }
    lines.send(&list(1));
    let result = lines.line().expect("it is answered");
    assert!(result.contains("\"id\":1,\"result\""), "{result}");
    lines.send(&result);
    lines.end();
    assert_eq!(lines.rest_of_lines(), [""; 0]);
}

/// claude-agent-sdk-typescript#137: peers that break lines where Unicode does.
#[test]
fn fc_31_a_line_ends_at_a_line_feed_alone() {
    let said = "a\u{2028}b\u{2029}c\u{85}d\rE\u{b}\u{c}f";
    let mut lines = connect("framing");
    // Raw in the input, but for the control characters that JSON has to escape.
    lines.send(&call(1, "echo", json!({"text": said})).to_string());
    let line = lines.line().expect("it is answered");
    assert!(
        !line.contains(['\u{85}', '\u{2028}', '\u{2029}', '\r']),
        "what some peers take for the end of a line is escaped: {line}"
    );
    assert_eq!(text(&serde_json::from_str(&line).expect("JSON")), said);

    let address = listen(|| server("framing"));
    let mut telling = call(1, "tell", json!({"text": said}));
    telling["params"]["_meta"]["progressToken"] = json!("t\u{2028}");
    let answer = post(address, &telling, &[]);
    assert!(!answer.text().contains(['\u{85}', '\u{2028}', '\u{2029}', '\r']), "{}", answer.text());
    let messages = answer.messages();
    assert_eq!(messages[0]["params"]["message"], said);
    assert_eq!(messages[0]["params"]["progressToken"], "t\u{2028}");
    assert_eq!(text(&messages[1]), said);
}

/// The same for what is echoed from a request, and for what is not made of texts by this server.
#[test]
fn fc_31_what_is_echoed_is_escaped_too() {
    let mut lines = connect("framing");
    let separators = ['\u{85}', '\u{2028}', '\u{2029}'];
    for message in [
        modern("\u{2028}id", "tools/list", json!({})),
        modern(1, "field/echo", json!({"said": {"\u{2028}": ["\u{2029}"]}})),
        modern(1, "nobody\u{2028}", json!({})),
        modern(1, "tools/call", json!({"name": "\u{2029}"})),
        modern(1, "resources/read", json!({"uri": "\u{2028}"})),
        call(1, "echo", json!({"text": "a", "\u{2028}": 1})),
    ] {
        lines.send(&message.to_string());
        let line = lines.line().expect("it is answered");
        assert!(!line.contains(separators), "{line}");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["id"], message["id"]);
    }
}

/// go-sdk#664, #179: a byte order mark, CRLF, and more than one value on a line, of which the first was executed.
#[test]
fn fc_32_a_line_is_one_message() {
    let (one, two) = (format!("\u{feff}{}\n", list(1)), format!("{}\r\n", list(2)));
    let (three, four) = (format!("{}xyz\n", list(3)), format!("{}{}\n", list(4), list(5)));
    let came = answers("framing", &[one.as_bytes(), two.as_bytes(), three.as_bytes(), four.as_bytes()]);
    assert_eq!(came, [(Some(1), None), (Some(2), None), (None, Some(-32700)), (None, Some(-32700))]);

    let address = listen(|| server("framing"));
    let message = modern(1, "tools/list", json!({}));
    for (body, status) in [
        (format!("\u{feff}{message}"), 200),
        (format!("\r\n {message}\r\n"), 200),
        (format!("{message}xyz"), 400),
        (format!("{message}{message}"), 400),
        (format!("{message}\n{message}"), 400),
    ] {
        assert_eq!(send_as(address, &headers(&message, &[]), body.as_bytes()).status, status, "{body}");
    }
}

/// Bytes are joined to messages before anything is decoded.
#[test]
fn fc_34_messages_come_in_any_pieces() {
    let message = call(1, "echo", json!({"text": "🦀é"})).to_string();
    let mut lines = connect("framing");
    for byte in format!("{message}\n").as_bytes() {
        lines.send_bytes(&[*byte]);
    }
    assert_eq!(text(&lines.message().expect("it is answered")), "🦀é");
    let invalid = |lines: &mut Lines, broken: &[u8]| {
        let (head, tail) = message.split_once("🦀").expect("it is there");
        lines.send_bytes(&[head.as_bytes(), broken, tail.as_bytes(), b"\n"].concat());
        code(&lines.message().expect("it is answered"))
    };
    for broken in [b"\xf0\x9f".as_slice(), b"\xc0\xaf", b"\xed\xa0\xbd", b"\xff"] {
        assert_eq!(invalid(&mut lines, broken), Some(-32700), "{broken:?}");
    }
    // Half a pair that is escaped is JSON, and no text.
    assert!(matches!(invalid(&mut lines, br"\ud83d"), Some(-32700 | -32602)));
    lines.send(&message);
    assert_eq!(text(&lines.message().expect("the connection lives")), "🦀é");

    let address = listen(|| server("framing"));
    let mut request =
        String::from("POST /mcp HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n");
    for (name, value) in headers(&serde_json::from_str(&message).expect("JSON"), &[]) {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut request = format!("{request}\r\n").into_bytes();
    for byte in message.as_bytes() {
        request.extend_from_slice(&[b"1\r\n".as_slice(), &[*byte], b"\r\n"].concat());
    }
    request.extend_from_slice(b"0\r\n\r\n");
    let answer = exchange(address, &request);
    assert_eq!(text(&answer.message()), "🦀é");
}

/// go-sdk#1055, rust-sdk#970, typescript-sdk#1625: no bound, or one that is too small.
#[test]
fn fc_35_a_message_has_a_longest_length() {
    let large = call(1, "echo", json!({"text": "x".repeat(3_000_000)}));
    let mut lines = connect("framing");
    lines.send(&large.to_string());
    assert_eq!(text(&lines.message().expect("it is answered")).len(), 3_000_000);
    assert_eq!(text(&post(listen(|| server("framing")), &large, &[]).message()).len(), 3_000_000);

    let small = || server("framing").max_body_bytes(1000);
    let of_length = |length: usize| {
        let message = modern(1, "tools/list", json!({}));
        (headers(&message, &[]), format!("{message}{}", " ".repeat(length - message.to_string().len())))
    };
    let address = listen(small);
    for (length, status) in [(1000, 200), (1001, 413), (100_000, 413)] {
        let (headers, body) = of_length(length);
        assert_eq!(send_as(address, &headers, body.as_bytes()).status, status, "{length}");
    }
    let mut lines = lines::serve(small);
    for (length, expected) in [(1000, None), (1001, Some(-32600)), (100_000, Some(-32600)), (999, None)] {
        lines.send(&of_length(length).1);
        assert_eq!(code(&lines.message().expect("it is answered")), expected, "{length}");
    }
}

/// The same for a body that does not say how long it is, and has no end.
#[test]
fn fc_35_a_body_without_an_end_is_refused() {
    let address = listen(|| server("framing").max_body_bytes(1000));
    let mut socket = TcpStream::connect(address).expect("the server listens");
    socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    let head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    socket.write_all(head.as_bytes()).expect("it can be written");
    let chunk = format!("400\r\n{}\r\n", " ".repeat(0x400));
    let writer = socket.try_clone().expect("it can be shared");
    std::thread::spawn(move || {
        let mut writer = writer;
        while writer.write_all(chunk.as_bytes()).is_ok() {}
    });
    let mut answer = [0; 12];
    socket.read_exact(&mut answer).expect("it is answered while it goes on");
    assert_eq!(&answer, b"HTTP/1.1 413");
}

/// The program that prints where it should not.
fn noisy() -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_noisy"));
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// typescript-sdk#1762: one `println!`, one child or one panic, and the stream is none any more.
#[test]
fn fc_24_nothing_but_messages_is_written_to_standard_output() {
    let mut noisy = noisy();
    let mut input = noisy.stdin.take().expect("stdin is piped");
    for (id, tool) in [(1, "print"), (2, "panics"), (3, "print")] {
        input.write_all(format!("{}\n", call(id, tool, json!({}))).as_bytes()).expect("it reads");
    }
    drop(input);
    let mut output = String::new();
    noisy.stdout.take().expect("stdout is piped").read_to_string(&mut output).expect("output is text");
    assert!(noisy.wait().expect("it ends").success());
    let mut ids: Vec<_> = output
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error} in {line:?}"))["id"]
                .as_i64()
        })
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2), Some(3)]);
}

/// typescript-sdk#1568: whoever reads goes away while something is written.
#[test]
fn fc_36_a_client_that_is_gone_is_no_failure() {
    let mut noisy = noisy();
    let mut input = noisy.stdin.take().expect("stdin is piped");
    let mut endless = call(1, "endless", json!({}));
    endless["params"]["_meta"]["progressToken"] = json!(1);
    input.write_all(format!("{endless}\n").as_bytes()).expect("it reads");
    let mut output = BufReader::new(noisy.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it writes");
    assert!(line.contains("notifications/progress"), "{line}");
    drop(output);
    assert!(noisy.wait().expect("it ends").success());
    drop(input);
}
