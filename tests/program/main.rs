//! Programs as they are run: their command line, standard streams, signals, and how they end.

#[cfg(unix)]
mod http;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use mcp_runtime_tests::example::{self, HttpServer};
use serde_json::{Value, json};

const NOISY: &str = env!("CARGO_BIN_EXE_noisy");

/// A program that speaks by lines; ended when dropped.
struct Piped {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Piped {
    fn start(program: &mut Command) -> Self {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Self { child, input, output }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(format!("{message}\n").as_bytes()).expect("it reads");
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        self.next()
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().expect("kill runs").success());
    }

    /// What it did until it ended: the rest of its output, stderr, whether it was successful, and how long it took.
    fn end(mut self) -> (String, String, bool, Duration) {
        let start = Instant::now();
        let mut stderr = self.child.stderr.take().expect("stderr is piped");
        let (send, told) = channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = send.send(text);
        });
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("output is text");
        let status = self.child.wait().expect("it ends");
        let told = told.recv_timeout(Duration::from_secs(5)).unwrap_or_default();
        (rest, told, status.success(), start.elapsed())
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn modern(id: i64, method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": id,
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call(id: i64, tool: &str, arguments: Value) -> Value {
    modern(id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

fn run(program: &std::path::Path, args: &[&str]) -> Output {
    Command::new(program).args(args).stdin(Stdio::null()).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn nothing_but_messages_reaches_the_client() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    for id in 1..=20 {
        noisy.send(&call(id, "print", json!({})));
    }
    noisy.send(&call(21, "panics", json!({})));
    let mut answered: Vec<i64> = (0..21).map(|_| noisy.next()["id"].as_i64().expect("an id")).collect();
    answered.sort_unstable();
    assert_eq!(answered, (1..=21).collect::<Vec<_>>(), "no child took a request");
    noisy.input = None;
    let (rest, told, success, _) = noisy.end();
    assert_eq!((rest.as_str(), success), ("", true));
    for printed in ["before the server starts", "by the handler", "by a child", "by a panic"] {
        assert!(told.contains(printed), "{printed} in {told}");
    }
}

#[test]
fn the_end_of_the_input_ends_the_program_with_its_answers_out() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    for id in 1..=3 {
        noisy.send(&call(id, "wait", json!({"milliseconds": 100})));
    }
    noisy.input = None;
    let (rest, _, success, took) = noisy.end();
    assert_eq!((rest.lines().count(), success), (3, true));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_result_that_cannot_be_sent_is_explained_on_stderr() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    assert_eq!(noisy.ask(&call(1, "infinite", json!({})))["error"]["code"], -32603);
    noisy.input = None;
    let (_, told, success, _) = noisy.end();
    assert!(
        success && told.contains("tool `infinite`: `[1]` of its result is a number that is not finite"),
        "{told}"
    );
}

#[test]
fn a_stderr_that_nobody_reads_blocks_nothing() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    let stderr = noisy.child.stderr.take().expect("stderr is piped");
    // More than a pipe holds, and then more lines than wait to be written.
    for id in 1..=2100 {
        let bytes = if id == 1 { 1_000_000 } else { 1 };
        assert_eq!(noisy.ask(&call(id, "fails", json!({"bytes": bytes})))["id"], id);
    }
    let mut lines = BufReader::new(stderr).lines().map(|line| line.expect("stderr is text"));
    let dropped: usize = loop {
        let line = lines.next().expect("it tells what was dropped");
        if let Some((_, rest)) = line.split_once("warning: ") {
            break rest.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
        }
    };
    assert!((1..2100).contains(&dropped), "{dropped}");
    assert_eq!(noisy.ask(&call(2101, "fails", json!({"bytes": 7})))["id"], 2101);
    assert!(lines.any(|line| line.ends_with(": xxxxxxx")), "there is room again");
}

#[test]
fn a_stderr_that_nobody_reads_does_not_keep_a_program_from_ending() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    let _unread = noisy.child.stderr.take();
    assert_eq!(noisy.ask(&call(1, "fails", json!({"bytes": 1_000_000})))["id"], 1);
    noisy.input = None;
    let start = Instant::now();
    assert!(noisy.child.wait().expect("it ends").success());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn an_empty_input_ends_the_program_at_once() {
    let start = Instant::now();
    let ended = run(NOISY.as_ref(), &[]);
    assert!(ended.status.success() && ended.stdout.is_empty());
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[cfg(unix)]
#[test]
fn sigterm_ends_the_program_with_its_answers_out() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    assert_eq!(noisy.ask(&modern(1, "tools/list", json!({})))["id"], 1);
    noisy.send(&call(2, "wait", json!({"milliseconds": 300})));
    // The call is in flight once the next request is answered.
    assert_eq!(noisy.ask(&modern(3, "tools/list", json!({})))["id"], 3);
    noisy.signal("TERM");
    let (rest, _, success, took) = noisy.end();
    assert!(rest.contains("waited") && success, "{rest}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[cfg(unix)]
#[test]
fn sigterm_ends_a_program_whose_handler_blocks() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    noisy.send(&call(1, "block", json!({})));
    assert_eq!(noisy.ask(&modern(2, "tools/list", json!({})))["id"], 2);
    noisy.signal("TERM");
    let (_, _, _, took) = noisy.end();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn the_end_of_the_input_ends_a_program_whose_handler_blocks() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    noisy.send(&call(1, "block", json!({})));
    assert_eq!(noisy.ask(&modern(2, "tools/list", json!({})))["id"], 2);
    noisy.input = None;
    let (_, told, _, took) = noisy.end();
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(told.contains("1 call was still in flight"), "{told}");
}

/// Nobody is left to answer what was asked: the call ends by that, and not by its time being up.
#[test]
fn the_end_of_the_input_ends_what_waits_for_an_answer() {
    let mut piped = Piped::start(&mut Command::new(example::path("everything")));
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "c", "version": "1"}});
    piped.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    let params = json!({"name": "test_elicitation", "arguments": {"message": "?"}});
    let asked = piped.ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}));
    assert_eq!(asked["method"], "elicitation/create");
    piped.input = None;
    let (rest, _, success, took) = piped.end();
    assert!(rest.contains("the call has ended") && success, "{rest}");
    assert!(took < Duration::from_secs(4), "{took:?}");
}

/// A client that does not read is heard all the same.
#[test]
fn the_end_of_the_input_is_noticed_while_nothing_is_read() {
    let mut noisy = unread();
    noisy.input = None;
    assert!(ends_unread(&mut noisy), "it goes on");
}

#[cfg(unix)]
#[test]
fn sigterm_is_noticed_while_nothing_is_read() {
    let mut noisy = unread();
    noisy.signal("TERM");
    assert!(ends_unread(&mut noisy), "it goes on");
}

/// A program whose output nobody reads, and more of it waits than a pipe holds.
fn unread() -> Piped {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    noisy.send(&call(1, "endless", json!({})));
    noisy.next();
    for id in 2..=200 {
        noisy.send(&call(id, "endless", json!({})));
        noisy.send(&modern(1000 + id, "tools/list", json!({})));
    }
    noisy
}

/// Whether a program ends although what it writes is not read.
fn ends_unread(noisy: &mut Piped) -> bool {
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        if noisy.child.try_wait().expect("it can be asked").is_some() {
            return true;
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
    false
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_the_program_at_once() {
    let mut noisy = Piped::start(Command::new(NOISY).env("RUST_BACKTRACE", "0"));
    noisy.send(&call(1, "wait", json!({"milliseconds": 60_000})));
    assert_eq!(noisy.ask(&modern(2, "tools/list", json!({})))["id"], 2);
    noisy.signal("TERM");
    noisy.signal("INT");
    let (_, _, _, took) = noisy.end();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[cfg(unix)]
#[test]
fn a_client_that_is_gone_ends_the_program_without_a_complaint() {
    let mut noisy = Piped::start(&mut Command::new(NOISY));
    noisy.send(&call(1, "endless", json!({})));
    assert_eq!(noisy.next()["method"], "notifications/progress");
    let Piped { child, input, output } = &mut noisy;
    let _still_open = input.take();
    // Closing the reading end makes the next write fail.
    let _ = std::mem::replace(output, BufReader::new(closed_output()));
    let mut told = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut told).expect("stderr is text");
    assert!(child.wait().expect("it ends").success(), "{told}");
    assert!(!told.contains("panicked"), "{told}");
}

/// The output of a program that has ended.
#[cfg(unix)]
fn closed_output() -> ChildStdout {
    let mut ended = Command::new("true").stdout(Stdio::piped()).spawn().expect("true runs");
    let output = ended.stdout.take().expect("stdout is piped");
    ended.wait().expect("true ends");
    output
}

#[test]
fn both_transports_serve_every_example() {
    for (name, tool, arguments, says) in [
        ("hello", "add", json!({"a": 40, "b": 2}), "42"),
        ("weather", "forecast", json!({"region": "eu", "city": "Berlin"}), "Berlin"),
        ("everything", "test_simple_text", json!({}), "This is a simple text response for testing."),
    ] {
        let mut piped = Piped::start(&mut Command::new(example::path(name)));
        let answer = piped.ask(&call(1, tool, arguments.clone()));
        // Progress comes first, where a tool tells it.
        let answer = if answer.get("id").is_some() { answer } else { piped.next() };
        assert!(answer["result"]["content"][0]["text"].to_string().contains(says), "{name}: {answer}");
        assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], name);
        piped.input = None;
        assert!(piped.end().2, "{name} ends well");

        let server = HttpServer::start(name);
        let body = call(1, tool, arguments).to_string();
        let headers = [
            ("Host", "127.0.0.1".to_owned()),
            ("Content-Type", "application/json".to_owned()),
            ("Content-Length", body.len().to_string()),
            ("MCP-Protocol-Version", "2026-07-28".to_owned()),
            ("Mcp-Method", "tools/call".to_owned()),
            ("Mcp-Name", tool.to_owned()),
            // What the weather's tool has mirrored.
            ("Mcp-Param-Region", "eu".to_owned()),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value));
        let address = format!("127.0.0.1:{}", server.port()).parse().expect("an address");
        let answer = mcp_runtime_tests::raw::send(address, "POST", "/mcp", &headers, body.as_bytes());
        assert!(answer.text().contains(says), "{name}: {}", answer.text());
    }
}

/// Each round of a call goes to another process, which shares nothing but the keys.
#[test]
fn a_call_goes_on_in_any_process_with_the_keys() {
    let keys = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    let tool = "test_input_required_result_multi_round";
    let mut more = json!({});
    for round in 0..3 {
        let server = HttpServer::start_with("everything", &[("MCP_STATE_KEYS", keys)]);
        let mut message = call(round, tool, json!({}));
        message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
        if let (Some(params), Some(more)) = (message["params"].as_object_mut(), more.as_object()) {
            params.extend(more.clone());
        }
        let body = message.to_string();
        let headers = [
            ("Host", "127.0.0.1".to_owned()),
            ("Content-Type", "application/json".to_owned()),
            ("Content-Length", body.len().to_string()),
            ("MCP-Protocol-Version", "2026-07-28".to_owned()),
            ("Mcp-Method", "tools/call".to_owned()),
            ("Mcp-Name", tool.to_owned()),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value));
        let address = format!("127.0.0.1:{}", server.port()).parse().expect("an address");
        let answer =
            mcp_runtime_tests::raw::send(address, "POST", "/mcp", &headers, body.as_bytes()).message();
        let result = &answer["result"];
        more = match round {
            0 => json!({"step1": {"action": "accept", "content": {"name": "Ali"}}}),
            1 => json!({"step2": {"action": "accept", "content": {"color": "blue"}}}),
            _ => {
                assert_eq!(result["content"][0]["text"], "Ali likes blue", "{answer}");
                return;
            }
        };
        assert_eq!(result["resultType"], "input_required", "{answer}");
        more = json!({"inputResponses": more, "requestState": result["requestState"]});
    }
}

#[test]
fn the_command_line_tells_what_there_is() {
    let weather = example::path("weather");
    let version = run(&weather, &["--version"]);
    assert_eq!(text(&version.stdout), format!("weather {}\n", env!("CARGO_PKG_VERSION")));

    let list = text(&run(&weather, &["--list"]).stdout);
    assert!(
        list.lines()
            .any(|line| line.starts_with("tool") && line.contains("forecast") && line.contains("main.rs:")),
        "{list}"
    );
    assert!(list.contains("weather://history/{city}/{date}"), "{list}");

    let surface: Value = serde_json::from_slice(&run(&weather, &["--list", "--json"]).stdout).expect("JSON");
    let revisions: Vec<&String> = surface.as_object().expect("an object").keys().collect();
    assert_eq!(revisions, ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
    let tool = |revision: &str| surface[revision]["tools/list"]["tools"][0].clone();
    assert_eq!(tool("2026-07-28")["title"], "Weather forecast");
    assert_eq!(tool("2024-11-05").get("title"), None);
    assert_eq!(surface["2026-07-28"]["server/discover"]["supportedVersions"], json!(["2026-07-28"]));

    let help = text(&run(&weather, &["--help"]).stdout);
    for word in ["--http", "--allow-host", "--allow-origin", "--list", "MCP_TRANSPORT"] {
        assert!(help.contains(word), "{word} in {help}");
    }
}

#[test]
fn what_the_readme_tells_hosts_is_json_that_names_the_command() {
    let readme = include_str!("../../README.md");
    let told: Vec<Value> = blocks(readme, "json")
        .into_iter()
        .map(|block| serde_json::from_str(block).unwrap_or_else(|error| panic!("{error} in {block}")))
        .collect();
    let stdio = json!({"type": "stdio", "command": "/path/to/hello"});
    let plain = json!({"command": "/path/to/hello"});
    assert_eq!(told, [json!({"mcpServers": {"hello": plain}}), json!({"servers": {"hello": stdio}})]);
    assert!(readme.contains("the program is `target/release/hello`"));
}

/// The blocks of a document that begin with a fence of that language.
fn blocks<'d>(document: &'d str, language: &str) -> Vec<&'d str> {
    let fence = format!("```{language}\n");
    document.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_readmes_server_is_a_program_of_two_dependencies() {
    let readme = include_str!("../../README.md");
    let source = blocks(readme, "rust,no_run")[0];
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let (server, tests) = include_str!("../../examples/hello/src/main.rs")
        .split_once("#[cfg(test)]")
        .expect("the example has a test");
    assert_eq!(squeezed(source), squeezed(server), "it is the example");
    assert_eq!(source.lines().count(), 8);
    let test = squeezed(blocks(readme, "rust")[0]);
    assert!(squeezed(tests).contains(&test), "its test is the example's: {test}");

    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let directory = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("written");
    let dependencies = blocks(readme, "toml")
        .join("\n")
        .replace("../mcp-runtime/mcp-runtime", &format!("{root}/mcp-runtime"));
    file(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"mine\"\nedition = \"2024\"\n\n{dependencies}\n[[bin]]\nname = \"mine\"\npath = \"main.rs\"\n"
        ),
    );
    file("main.rs", &format!("{source}\n{}", blocks(readme, "rust")[0]));
    std::fs::copy(format!("{root}/Cargo.lock"), directory.path().join("Cargo.lock")).expect("copied");
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--all-targets"])
        .current_dir(directory.path())
        .env("CARGO_TARGET_DIR", format!("{root}/target/readme"))
        .output()
        .expect("cargo runs");
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

/// The headers and the body of a `curl` command as people read it.
fn curl(command: &str) -> (Vec<(String, String)>, String) {
    let mut quoted = command.split('\'').skip(1).step_by(2);
    let mut options = command.split('\'').step_by(2).map(|before| before.split_whitespace().next_back());
    let (mut headers, mut body) = (Vec::new(), String::new());
    while let (Some(Some(option)), Some(value)) = (options.next(), quoted.next()) {
        match option {
            "-H" => {
                let (name, value) = value.split_once(": ").expect("a header has a name and a value");
                headers.push((name.to_owned(), value.to_owned()));
            }
            "-d" => value.clone_into(&mut body),
            other => panic!("`{other}` in {command}"),
        }
    }
    (headers, body)
}

#[test]
fn calls_by_hand_are_answered_in_both_eras() {
    let commands = blocks(include_str!("../../mcp-runtime/src/docs/lib.md"), "sh");
    assert_eq!(commands.len(), 2);
    let server = HttpServer::start("hello");
    let address = format!("127.0.0.1:{}", server.port()).parse().expect("an address");
    for (command, era) in commands.into_iter().zip(["handshake", "modern"]) {
        assert!(command.starts_with("curl http://127.0.0.1:8000/mcp "), "{command}");
        let (mut headers, body) = curl(command);
        headers.push(("Host".to_owned(), "127.0.0.1".to_owned()));
        headers.push(("Content-Length".to_owned(), body.len().to_string()));
        let answer = mcp_runtime_tests::raw::send(address, "POST", "/mcp", &headers, body.as_bytes());
        let answer: Value = serde_json::from_str(&answer.text()).expect("JSON");
        assert_eq!(answer["result"]["content"][0]["text"], "42", "{answer}");
        assert_eq!(answer["result"]["resultType"].is_string(), era == "modern", "{answer}");
    }
}

#[test]
fn a_wrong_command_line_is_told_and_nothing_is_served() {
    let hello = example::path("hello");
    for (args, says) in
        [(["--htp"].as_slice(), "--http"), (&["--http", "nowhere"], "`nowhere` is no address")]
    {
        let ended = run(&hello, args);
        let told = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{told}");
        assert!(told.contains(says), "{told}");
        assert!(ended.stdout.is_empty());
    }
    let ended =
        Command::new(&hello).env("MCP_TRANSPORT", "sse").stdin(Stdio::null()).output().expect("it starts");
    assert!(text(&ended.stderr).contains("MCP_TRANSPORT is `sse`"));
}
