//! Requirements that are no single row of a section: rows of their own, and tests over all rows.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use mcp_runtime::{Library, Server};
use mcp_runtime_tests::raw::Answer;
use serde_json::json;

use crate::fixture::{Config, HELD, LET_GO, turn};
use crate::replay::{Servers, over_socket};
use crate::request::{Request, bare, bare_call, bytes, call, initialize, list, modern, note};
use crate::row::{Level, Row, Said, edge, row};
use crate::{handshake, mirrored, modern as modern_rows, notifications, offered, standard_headers};

/// Which test shows which row or requirement.
pub const SHOWN: &[(&str, fn())] = &[
    ("R-7", both_eras_are_served_in_turn_and_at_once),
    ("R-20, R-24, E-7, E-8", versions_that_cannot_be_served_are_refused),
    ("R-40", handshake_answers_have_no_word_of_the_modern_era),
    ("R-41", modern_answers_have_no_word_of_the_past),
    ("R-42", the_handshake_era_is_the_same_without_the_modern_one),
    ("M-18", one_id_in_flight_twice_is_served_twice),
    ("N-3, L-26", one_caller_cannot_cancel_what_another_calls),
    ("M-45, L-45", going_away_cancels_a_call_of_the_modern_era_alone),
];

fn echo() -> Request {
    call("echo", json!({"text": "a"}))
}

fn discover() -> Request {
    modern("server/discover", json!({}))
}

/// Requirements that are rows.
pub fn rows() -> Vec<Row> {
    let text = "/result/content/0/text";
    let own = |id| row(id, discover()).to(Config::Discover);
    let evil = |request: Request| request.header("Origin", "https://evil.example");
    let mut rows = vec![
        row("R-1", initialize())
            .at("/result/protocolVersion", "2025-11-25")
            .then(discover())
            .at("/result/supportedVersions", json!(["2026-07-28"])),
        row("R-2", echo()).at(text, "a").then(bare_call("echo", json!({"text": "a"}))).at(text, "a").runs(2),
        row("R-2 lists", list())
            .contains("\"name\":\"echo\"")
            .then(bare("tools/list", json!({})))
            .contains("\"name\":\"echo\""),
        row("R-3", call("tally", json!({})))
            .at(text, "0")
            .then(bare_call("tally", json!({"add": 2})))
            .at(text, "2")
            .then(call("tally", json!({"add": 3})))
            .at(text, "5")
            .then(bare_call("tally", json!({"add": 0})))
            .at(text, "5"),
        row("R-4", call("offer", json!({"on": false})))
            .nothing_at("/result/isError")
            .then(bare("tools/list", json!({})))
            .without("\"name\":\"extra\"")
            .then(bare_call("extra", json!({})))
            .error(200, -32602)
            .then(bare_call("offer", json!({"on": true})))
            .nothing_at("/result/isError")
            .then(list())
            .contains("\"name\":\"extra\"")
            .then(call("extra", json!({})))
            .at(text, "here"),
        row("R-10 instructions", initialize())
            .at("/result/instructions", "Use it well.")
            .then(discover())
            .at("/result/instructions", "Use it well."),
        own("R-13").at("/result/own", true).nothing_at("/result/instructions").runs(1),
        edge("R-14", discover().meta("logLevel", json!("debug")))
            .to(Config::Discover)
            .has("content-type", "application/json")
            .told("", json!([]))
            .at("/result/own", true),
        edge("R-14 default", discover()).has("content-type", "application/json").told("", json!([])),
        own("R-15")
            .at("/result/resultType", "complete")
            .at("/result/ttlMs", 5)
            .at("/result/cacheScope", "private")
            .at("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "fixture"),
        row("R-15 default", discover())
            .at("/result/resultType", "complete")
            .at("/result/ttlMs", 0)
            .at("/result/cacheScope", "private")
            .at("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "fixture"),
        row("R-16", bare("server/discover", json!({}))).to(Config::Discover).error(200, -32601).runs(0),
        row("R-18, R-19", discover()).to(Config::Empty).at("/result/capabilities", json!({})),
        edge("R-25", evil(list())).error_without_id(403, -32600),
        edge("R-25 handshake", evil(bare("ping", json!({})))).error_without_id(403, -32600),
        edge("R-25 pages may read", list().header("Origin", "http://localhost"))
            .has("access-control-allow-origin", "http://localhost"),
        edge("R-25 none", evil(list()).set("Host", "evil.example"))
            .to(Config::UnguardedModern)
            .without("access-control")
            .something_at("/result/tools"),
        edge("R-26", bytes(vec![b' '; 1001])).to(Config::Authenticated).error_without_id(401, -32600),
        edge("R-26 known", bytes(vec![b' '; 1001]).header("Authorization", "x"))
            .to(Config::Authenticated)
            .error_without_id(413, -32600),
        edge("order: authentication before type", list().set("Content-Type", "text/plain"))
            .to(Config::Authenticated)
            .status(401),
        row("R-42 instructions", initialize())
            .to(Config::HandshakeOnly)
            .at("/result/instructions", "Use it well."),
    ];
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        rows.push(row("R-18 offered", modern(method, json!({}))).at("/result/resultType", "complete"));
    }
    for method in ["tools/call", "prompts/get", "resources/read", "completion/complete"] {
        rows.push(row("R-18 offered", modern(method, json!({}))).error(400, -32602));
    }
    for method in [
        "tools/list",
        "tools/call",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "completion/complete",
    ] {
        rows.push(row("R-18 not offered", modern(method, json!({}))).to(Config::Empty).error(404, -32601));
        rows.push(
            row("R-18 not offered, handshake", bare(method, json!({}))).to(Config::Empty).error(200, -32601),
        );
    }
    rows
}

/// What came of every exchange of rows, on one level that each of them has.
fn replayed(rows: Vec<Row>, level: Level) -> Vec<(Row, Vec<Said>)> {
    let mut servers = Servers::default();
    (rows.into_iter())
        .filter(|row| row.levels.contains(&level))
        .map(|row| {
            let came = servers.replay(&row, level).unwrap_or_else(|text| panic!("{}: {text}", row.id));
            (row, came)
        })
        .collect()
}

#[test]
fn handshake_answers_have_no_word_of_the_modern_era() {
    let _turn = turn();
    let words = [
        "resultType",
        "ttlMs",
        "cacheScope",
        "io.modelcontextprotocol/",
        "extensions",
        "input_required",
        "-32020",
        "-32021",
        "2026",
    ];
    let all = replayed(handshake::rows(), Level::Router);
    assert!(all.len() > 50);
    for (row, came) in all {
        for said in came {
            let found = words.iter().find(|word| said.text.contains(**word));
            assert_eq!(found, None, "{}: {}", row.id, said.text);
            let unsupported = said.text.contains("-32022");
            assert_eq!(unsupported, row.id.starts_with("L-17"), "{}: {}", row.id, said.text);
        }
    }
}

#[test]
fn modern_answers_have_no_word_of_the_past() {
    let _turn = turn();
    let mut rows = modern_rows::rows();
    rows.extend(notifications::rows());
    rows.extend(standard_headers::rows());
    rows.extend(mirrored::rows());
    rows.extend(offered::rows());
    let mut seen = 0;
    for (row, came) in replayed(rows, Level::Router) {
        for (exchange, said) in row.exchanges.iter().zip(&came) {
            if !exchange.request.text().contains("\"2026-07-28\"") {
                continue;
            }
            seen += 1;
            let field = said.text.lines().find(|line| line.starts_with("id:") || line.starts_with("event:"));
            assert_eq!(field, None, "{}: {}", row.id, said.text);
            let words = ["-32002", "-32042", "\"execution\"", "\"tasks\":"];
            let found = words.iter().find(|word| said.text.contains(**word));
            assert_eq!(found, None, "{}: {}", row.id, said.text);
            assert_eq!(said.answer().pointer("/result/protocolVersion"), None, "{}", row.id);
            assert!(said.headers.iter().all(|(name, _)| name != "mcp-session-id"), "{}", row.id);
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn the_handshake_era_is_the_same_without_the_modern_one() {
    let _turn = turn();
    // An internal error has an id of its own each time.
    let repeats = |row: &Row| row.config == Config::Default && row.id != "a panic";
    let of_default = || handshake::rows().into_iter().filter(repeats);
    let both = replayed(of_default().collect(), Level::Router);
    let alone = replayed(of_default().map(|row| row.to(Config::HandshakeOnly)).collect(), Level::Router);
    assert!(both.len() > 50);
    for ((row, both), (_, alone)) in both.iter().zip(&alone) {
        let told = |came: &[Said]| -> Vec<_> {
            came.iter().map(|said| (said.status, said.headers.clone(), said.text.clone())).collect()
        };
        assert_eq!(told(both), told(alone), "{}", row.id);
    }
}

#[test]
fn versions_that_cannot_be_served_are_refused() {
    let server = || Config::Empty.server();
    let told = |server: Server<Library>| server.into_router().expect_err("it is refused").to_string();
    assert!(told(server().modern_versions(Vec::<String>::new())).contains("`.without_modern_era()`"));
    assert!(told(server().modern_versions(["2025-11-25"])).contains("`2025-11-25` is no revision"));
    assert!(told(server().modern_versions(["2030-01-01"])).contains("there are 2026-07-28"));
    assert!(told(server().handshake_versions(["2026-07-28"])).contains("`2026-07-28` is no revision"));
    assert!(told(server().modern_only().without_modern_era()).contains("no era is served"));
}

fn text(answer: &Answer) -> String {
    answer.message()["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn both_eras_are_served_in_turn_and_at_once() {
    let _turn = turn();
    let address = Config::Default.listen();
    over_socket(address, &call("tally", json!({})));
    let each = |at: usize| match at % 2 {
        0 => call("tally", json!({"add": 1})),
        _ => bare_call("tally", json!({"add": 1})),
    };
    for at in 0..200 {
        assert_eq!(text(&over_socket(address, &each(at))), (at + 1).to_string());
    }
    thread::scope(|scope| {
        for at in 0..8 {
            scope.spawn(move || {
                for step in 0..125 {
                    assert_ne!(text(&over_socket(address, &each(at + step))), "");
                }
            });
        }
    });
    assert_eq!(text(&over_socket(address, &call("tally", json!({"add": 0})))), "1200");
}

#[test]
fn one_id_in_flight_twice_is_served_twice() {
    let _turn = turn();
    let address = Config::Default.listen();
    let first = thread::spawn(move || over_socket(address, &call("meet", json!({}))));
    let second = over_socket(address, &call("meet", json!({})));
    let first = first.join().expect("it is answered");
    assert_eq!((text(&first), text(&second)), ("met".to_owned(), "met".to_owned()));
    assert_eq!((first.message()["id"].clone(), second.message()["id"].clone()), (json!(1), json!(1)));
}

#[test]
fn one_caller_cannot_cancel_what_another_calls() {
    let _turn = turn();
    let address = Config::Default.listen();
    let before = HELD[0].load(Ordering::SeqCst);
    let held = thread::spawn(move || over_socket(address, &call("held", json!({}))));
    wait_until("the call has begun", || HELD[0].load(Ordering::SeqCst) > before);
    let cancelled = modern("notifications/cancelled", json!({"requestId": 1})).notify();
    let of_the_past =
        note("notifications/cancelled").change(|message| message["params"] = json!({"requestId": 1}));
    assert_eq!(over_socket(address, &cancelled).status, 202);
    assert_eq!(over_socket(address, &of_the_past).status, 202);
    LET_GO.add_permits(1);
    assert_eq!(text(&held.join().expect("it is answered")), "let go");
}

#[test]
fn going_away_cancels_a_call_of_the_modern_era_alone() {
    let _turn = turn();
    let address = Config::Default.listen();
    let before = [0, 1, 2].map(|at| HELD[at].load(Ordering::SeqCst));
    let held = |at: usize| HELD[at].load(Ordering::SeqCst) - before[at];
    let connect = |request: Request| {
        let before = held(0);
        let socket = mcp_runtime_tests::raw::open(address, &request.bytes(), &request.headers);
        wait_until("the call has begun", || held(0) > before);
        socket
    };
    let of_the_past = connect(bare_call("held", json!({})));
    let of_today = connect(call("held", json!({})));
    drop(of_the_past);
    drop(of_today);
    wait_until("the modern call is dropped", || held(2) == 1);
    assert_eq!(held(1), 0);
    LET_GO.add_permits(1);
    wait_until("the other ends", || held(1) == 1);
    assert_eq!(held(2), 1);
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < deadline, "not seen: {what}");
        thread::yield_now();
    }
}
