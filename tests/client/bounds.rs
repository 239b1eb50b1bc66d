//! What a client waits for, tries and keeps has its bounds, whatever the server does.

use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::IntoResponse;
use http::StatusCode;
use mcp_runtime::client::{Error, TimeLimit, connect};
use mcp_runtime::mcp::middleware::Kind;
use mcp_runtime::mcp::{self, Change, Era};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::{Instant, timeout};

use crate::scripted::{Asked, discovered, events, greeted, http, initialized, lines};
use crate::ways::{Way, each};

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(20);

fn shell(script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]);
    shell
}

fn discovery() -> String {
    let result = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {} });
    json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string()
}

#[tokio::test]
async fn middleware_that_hangs_is_a_timeout() {
    each(
        |client| {
            client.send_middleware(|call: mcp::Call, next: mcp::Next| async move {
                if call.method() == "tools/call" {
                    std::future::pending::<()>().await;
                }
                next.run(call).await
            })
        },
        |client, way, era| async move {
            let call = client.call_tool("add", json!({ "a": 1, "b": 2 })).timeout(SHORT);
            let error = timeout(LONG, call).await.expect("it ends").unwrap_err();
            assert!(
                matches!(error, Error::Timeout { after, .. } if after == SHORT),
                "{way:?} {era}: {error}"
            );
            client.ping().await.unwrap();
        },
    )
    .await;
    let hung = Way::Within.connect().await.timeout(SHORT).send_middleware(
        |call: mcp::Call, next: mcp::Next| async move {
            if call.method() == "x/told" {
                std::future::pending::<()>().await;
            }
            next.run(call).await
        },
    );
    let error = timeout(LONG, hung.await.unwrap().notify("x/told", ())).await.expect("it ends");
    assert!(matches!(error, Err(Error::Timeout { .. })), "{error:?}");
}

#[tokio::test]
async fn a_server_that_reads_nothing_is_a_timeout() {
    let silent = shell(&format!("read line; printf '%s\\n' '{}'; exec sleep 60", discovery()));
    let client = connect(silent).era(Era::Modern).timeout(SHORT).shutdown_grace(SHORT).await.unwrap();
    let long = "x".repeat(100_000);
    let told = async {
        loop {
            if let Err(error) = client.notify("x/told", json!({ "long": long })).await {
                return error;
            }
        }
    };
    let error = timeout(LONG, told).await.expect("it ends");
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    timeout(LONG, client.close()).await.expect("it closes");
}

/// A program that answers once, ends at the next line, and then is silent whenever it is started again.
#[tokio::test]
async fn to_connect_again_has_the_time_of_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("started");
    let program = shell(&format!(
        "if [ -e {mark} ]; then cat > /dev/null; fi; touch {mark}; read line; printf '%s\\n' '{answer}'; read line",
        mark = mark.display(),
        answer = discovery(),
    ));
    let client = connect(program).era(Era::Modern).await.unwrap();
    let error = client.request("x", ()).await.unwrap_err();
    assert!(matches!(error, Error::Disconnected { .. }), "{error:?}");
    let call = client.request("x", ()).timeout(SHORT);
    let error = timeout(LONG, call).await.expect("it ends").unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    timeout(LONG, client.close()).await.expect("it closes");
}

/// Over HTTP nothing is started, so that nothing is given up.
#[tokio::test]
async fn a_url_is_tried_as_often_as_it_is_called() {
    let greetings = AtomicUsize::new(0);
    let (url, _) = http(move |asked| match asked.name() {
        "initialize" if (1..8).contains(&greetings.fetch_add(1, Ordering::Relaxed)) => {
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        "initialize" => ([("mcp-session-id", "s1")], greeted(asked).unwrap()).into_response(),
        "ends" => StatusCode::NOT_FOUND.into_response(),
        "GET" => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        _ => greeted(asked).unwrap_or_else(|| asked.result(json!({}))),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    client.request("ends", ()).await.unwrap_err();
    for _ in 0..6 {
        let error = client.request("x", ()).await.unwrap_err();
        assert!(matches!(error, Error::Http { status: 503, .. }), "{error:?}");
    }
    client.request("x", ()).await.unwrap();
}

/// A program that answers nothing is not started over and over; later it may be another.
#[tokio::test]
async fn a_program_that_answers_nothing_is_started_again_later() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let count = || std::fs::read_to_string(&starts).map_or(0, |text| text.lines().count());
    let program = shell(&format!(
        "echo >> {starts}; if [ $(wc -l < {starts}) = 1 ]; then read line; printf '%s\\n' '{answer}'; read line; fi",
        starts = starts.display(),
        answer = discovery(),
    ));
    let client = connect(program).era(Era::Modern).await.unwrap();
    for _ in 0..10 {
        client.request("x", ()).await.unwrap_err();
    }
    assert_eq!(count(), 5);
    let error = client.request("x", ()).await.unwrap_err();
    assert!(error.to_string().contains("is not started again for 30s"), "{error}");
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(31)).await;
    tokio::time::resume();
    client.request("x", ()).await.unwrap_err();
    assert_eq!(count(), 6);
}

#[tokio::test]
async fn a_subscription_that_is_dropped_before_it_begins_is_taken_back() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let client = connect(lines(&[&discovery(), "", ""]))
        .era(Era::Modern)
        .send_middleware(move |call: mcp::Call, next: mcp::Next| {
            noted.lock().unwrap().push(call.method().to_owned());
            next.run(call)
        })
        .await
        .unwrap();
    timeout(SHORT, client.changes([Change::Tools])).await.expect_err("nothing is acknowledged");
    let told = async {
        while seen.lock().unwrap().last().is_none_or(|last| last != "notifications/cancelled") {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, told).await.expect("it is taken back");
    let seen = seen.lock().unwrap();
    assert_eq!(*seen, ["server/discover", "subscriptions/listen", "notifications/cancelled"]);
}

/// Whoever reads late is told of everything that has changed, and not of every time that it did.
#[tokio::test]
async fn what_nobody_reads_does_not_pile_up() {
    const TIMES: usize = 1000;
    for era in [Era::Modern, Era::Handshake] {
        let client = Way::Within.connect().await.era(era).await.unwrap();
        let mut changes = client.changes([Change::Prompts, Change::Tools]).await.unwrap();
        for _ in 0..TIMES {
            client.call_tool("change", json!({ "what": "prompts" })).await.unwrap();
        }
        client.call_tool("change", json!({ "what": "tools" })).await.unwrap();
        let mut told = 0;
        loop {
            told += 1;
            if timeout(LONG, changes.next()).await.expect("it is told") == Some(Change::Tools) {
                break;
            }
        }
        assert!(told < TIMES / 2, "{era}: {told}");
    }
}

#[tokio::test]
async fn a_list_that_changes_while_it_is_asked_for_is_not_kept() {
    let (url, asked) = http(|asked| match asked.name() {
        "server/discover" => discovered(asked),
        _ => {
            let changed = json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" });
            let result = json!({ "resultType": "complete", "prompts": [], "ttlMs": 60_000 });
            let answer = json!({ "jsonrpc": "2.0", "id": asked.message["id"], "result": result });
            events(format!("data: {changed}\n\ndata: {answer}\n\n"))
        }
    })
    .await;
    let client = connect(url).era(Era::Modern).await.unwrap();
    client.list_prompts().await.unwrap();
    client.list_prompts().await.unwrap();
    assert_eq!(asked.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn an_answer_that_is_none_is_told_at_once() {
    for (answer, says) in [
        (json!({ "jsonrpc": "2.0", "id": 2, "result": 7 }), "its `result` is no object"),
        (json!({ "jsonrpc": "2.0", "id": 2 }), "neither a request nor one answer"),
    ] {
        let client = connect(lines(&[&discovery(), &answer.to_string()])).era(Era::Modern).await.unwrap();
        let error = timeout(LONG, client.request("x", ())).await.expect("it ends").unwrap_err();
        assert!(matches!(error, Error::Malformed { .. }), "{error:?}");
        assert!(error.to_string().contains(says), "{error}");
    }
}

/// However soon the server wants it, a stream is not taken up again without a pause.
#[tokio::test(start_paused = true)]
async fn no_stream_is_taken_up_again_at_once() {
    let (url, asked) = http(|asked| match asked.name() {
        "x" => events("id: 1\nretry: 0\ndata:\n\n"),
        "GET" if asked.header("last-event-id").is_some() => events("retry: 0\n\n"),
        "GET" => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        _ => greeted(asked).unwrap_or_else(|| StatusCode::BAD_REQUEST.into_response()),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let begun = Instant::now();
    client.request("x", ()).await.unwrap_err();
    let again = |one: &&Asked| one.header("last-event-id").is_some();
    let times = asked.lock().unwrap().iter().filter(again).count();
    assert_eq!(times, 5);
    assert!(begun.elapsed() >= SHORT * 5, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_piped_stderr_blocks_nobody() {
    let mut program = shell(&format!(
        "head -c 300000 /dev/zero >&2; read line; printf '%s\\n' '{}'; cat > /dev/null",
        discovery()
    ));
    program.stderr(Stdio::piped());
    timeout(LONG, connect(program).era(Era::Modern)).await.expect("it answers").unwrap();
}

#[tokio::test]
async fn what_has_no_answer_is_sent_once() {
    let (url, asked) = http(|asked| match asked.name() {
        "GET" => events(format!("data: {}\n\n", json!({ "jsonrpc": "2.0", "id": "a", "method": "ping" }))),
        _ => greeted(asked).unwrap_or_else(|| match asked.message.get("id") {
            Some(_) if asked.message.get("method").is_some() => asked.result(json!({})),
            _ => StatusCode::ACCEPTED.into_response(),
        }),
    })
    .await;
    let client = connect(url)
        .era(Era::Handshake)
        .send_middleware(|call: mcp::Call, next: mcp::Next| async move {
            if call.kind() == Kind::Request {
                return next.run(call).await;
            }
            let _ = next.clone().run(call.clone()).await;
            next.run(call).await
        })
        .await
        .unwrap();
    client.notify("x/told", ()).await.unwrap();
    let answers = || {
        let asked = asked.lock().unwrap();
        asked.iter().filter(|one| one.message.get("result").is_some()).count()
    };
    let told = async {
        while answers() == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, told).await.expect("the ping is answered");
    client.request("x", ()).await.unwrap();
    assert_eq!(answers(), 1);
    let asked = asked.lock().unwrap();
    for name in ["notifications/initialized", "x/told"] {
        assert_eq!(asked.iter().filter(|one| one.name() == name).count(), 1, "{name}");
    }
}

/// What a server asks beside its calls comes on a stream of its own, which has to be there first.
#[tokio::test]
async fn the_stream_of_a_session_is_open_before_the_first_call() {
    let (url, asked) = http(|asked| match asked.name() {
        "GET" => events(": open\n\n"),
        _ => greeted(asked).unwrap_or_else(|| asked.result(json!({ "tools": [] }))),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    client.list_tools().await.unwrap();
    let names: Vec<Value> = asked.lock().unwrap().iter().map(|one| one.name().into()).collect();
    assert_eq!(names, ["initialize", "notifications/initialized", "GET", "tools/list"]);
}

/// Between the end of a program and its status, nothing is sent to it any more.
#[tokio::test]
async fn a_call_after_the_end_of_a_program_starts_it_again() {
    let greeting = initialized(1, "2025-11-25");
    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": {} });
    let program = shell(&format!(
        "read line; printf '%s\\n' '{greeting}'; read line; read line; printf '%s\\n' '{answer}'; exec 1>&-; exec sleep 60"
    ));
    let client = connect(program).era(Era::Handshake).shutdown_grace(SHORT).await.unwrap();
    for _ in 0..3 {
        client.request("x", ()).await.unwrap();
        while client.agreed().is_some() {
            tokio::task::yield_now().await;
        }
    }
}

/// However much a server asks, so many answers are being made at once, and in the end all are.
#[tokio::test]
async fn a_server_that_asks_without_end_has_to_wait() {
    const ASKED: usize = 1000;
    let asks = "i=0; while [ $i -lt 1000 ]; do printf '{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"x/ask\"}\\n' $i; i=$((i+1)); done";
    let program = shell(&format!(
        "read line; printf '%s\\n' '{}'; read line; {asks}; cat > /dev/null",
        initialized(1, "2025-11-25")
    ));
    let (now, most, done) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let gate = Arc::new(tokio::sync::Semaphore::new(0));
    let client = connect(program).era(Era::Handshake).on_request("x/ask", {
        let (now, most, done, gate) = (now.clone(), most.clone(), done.clone(), gate.clone());
        move |_: Value, _| {
            let (now, most, done, gate) = (now.clone(), most.clone(), done.clone(), gate.clone());
            async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                gate.acquire().await.expect("it is open").forget();
                now.fetch_sub(1, Ordering::SeqCst);
                done.fetch_add(1, Ordering::SeqCst);
                Ok::<_, std::io::Error>(json!({}))
            }
        }
    });
    let client = client.await.unwrap();
    let until = async |is_so: &dyn Fn() -> bool| {
        let waits = async {
            while !is_so() {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, waits).await.expect("it comes to that");
    };
    until(&|| now.load(Ordering::SeqCst) == 128).await;
    gate.add_permits(ASKED);
    until(&|| done.load(Ordering::SeqCst) == ASKED).await;
    assert_eq!(most.load(Ordering::SeqCst), 128);
    timeout(LONG, client.close()).await.expect("it closes");
}

/// A program is over when it has ended, whoever holds its output open, and when it reads no more.
#[tokio::test]
async fn a_program_that_is_over_is_started_again() {
    for end in ["sleep 5 2> /dev/null & exit 3", "exec 0<&-; exec sleep 5 2> /dev/null"] {
        let program = shell(&format!("read line; printf '%s\\n' '{}'; {end}", discovery()));
        let client = connect(program).era(Era::Modern).shutdown_grace(SHORT).await.unwrap();
        for _ in 0..2 {
            let call = client.request("x", ()).timeout(LONG);
            let error = timeout(LONG, call).await.expect("it ends").unwrap_err();
            let over = matches!(error, Error::Disconnected { .. } | Error::Unreachable { .. });
            assert!(over, "{end}: {error:?}");
            let waits = async {
                while client.agreed().is_some() {
                    tokio::task::yield_now().await;
                }
            };
            // The next call finds another one.
            timeout(LONG, waits).await.expect("it is seen to be over");
        }
        client.close().await;
    }
}

/// In all means in all: for whoever answers the server as well, and over all rounds.
#[tokio::test]
async fn a_deadline_holds_whoever_is_waited_for() {
    each(
        |client| {
            client.on_form(|_, _| async move {
                std::future::pending::<()>().await;
                mcp::Answer::Cancel
            })
        },
        |client, way, era| async move {
            if !way.asks(era) {
                return;
            }
            let call = client.call_tool("greet", ()).deadline(SHORT);
            let error = timeout(LONG, call).await.expect("it ends").unwrap_err();
            assert!(
                matches!(error, Error::Timeout { after, limit: TimeLimit::Deadline, .. } if after == SHORT),
                "{way:?} {era}: {error:?}"
            );
            assert!(
                error.to_string().contains("`.deadline(…)` of the call or the client gives it longer"),
                "{error}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_stream_that_is_refused_for_now_is_tried_again() {
    let (streams, resumed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (url, _) = http(move |asked| match (asked.name(), asked.header("last-event-id")) {
        ("x", _) => events(format!("id: {}\nretry: 1\ndata:\n\n", asked.message["id"])),
        ("GET", Some(_)) if resumed.fetch_add(1, Ordering::Relaxed) == 0 => {
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        ("GET", Some(id)) => {
            let answer = json!({ "jsonrpc": "2.0", "id": id.parse::<u64>().unwrap(), "result": {} });
            events(format!("data: {answer}\n\n"))
        }
        ("GET", None) if streams.fetch_add(1, Ordering::Relaxed) == 0 => {
            StatusCode::UNAUTHORIZED.into_response()
        }
        ("GET", None) => {
            let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
            events(format!("retry: 1000\ndata: {changed}\n\n"))
        }
        _ => greeted(asked).unwrap_or_else(|| asked.result(json!({}))),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let mut changes = client.changes([Change::Tools]).await.unwrap();
    client.request("x", ()).await.unwrap();
    assert_eq!(timeout(LONG, changes.next()).await.expect("it is told"), Some(Change::Tools));
}

/// What two listen to is taken back when neither does any more.
#[tokio::test]
async fn a_resource_is_unsubscribed_by_the_last_who_listens() {
    let (url, asked) = http(|asked| match asked.name() {
        "initialize" => asked.result(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "resources": { "subscribe": true } },
            "serverInfo": { "name": "old", "version": "1" },
        })),
        "GET" => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        _ => greeted(asked).unwrap_or_else(|| asked.result(json!({}))),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let one = client.changes([Change::resource("test://a"), Change::resource("test://b")]).await.unwrap();
    let other = client.changes([Change::resource("test://a")]).await.unwrap();
    let taken_back = |uri: &str| {
        let asked = asked.lock().unwrap();
        asked
            .iter()
            .filter(|one| one.name() == "resources/unsubscribe" && one.message["params"]["uri"] == uri)
            .count()
    };
    let until = async |uri: &str| {
        let waits = async {
            while taken_back(uri) == 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, waits).await.expect("it is taken back");
    };
    drop(one);
    until("test://b").await;
    assert_eq!(taken_back("test://a"), 0);
    drop(other);
    until("test://a").await;
}

/// A subscription to what cannot be had again ends with it.
#[tokio::test]
async fn a_subscription_ends_with_the_server_of_this_process() {
    for era in [Era::Modern, Era::Handshake] {
        let server = crate::ways::server();
        let stop = tokio_util::sync::CancellationToken::new();
        let client = connect(server.stop_on(stop.clone())).era(era).await.unwrap();
        let mut changes = client.changes([Change::Tools]).await.unwrap();
        stop.cancel();
        assert_eq!(timeout(LONG, changes.next()).await.expect("it ends"), None, "{era}");
    }
}

/// What a program has written before its end is read to its end, however long that takes.
#[tokio::test]
async fn the_last_answers_of_a_program_are_read() {
    let told = "i=0; while [ $i -lt 600 ]; do printf '{\"jsonrpc\":\"2.0\",\"method\":\"x/told\"}\\n'; i=$((i+1)); done";
    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": {} });
    let program = shell(&format!(
        "read line; printf '%s\\n' '{}'; read line; {told}; printf '%s\\n' '{answer}'",
        discovery()
    ));
    let client = connect(program)
        .era(Era::Modern)
        .receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
            // Longer in all than a program is waited for that has ended.
            if call.method() == "x/told" {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            next.run(call).await
        })
        .await
        .unwrap();
    client.request("x", ()).await.unwrap();
}

/// However much is asked, answers get through: handlers may call the server in their turn.
#[tokio::test]
async fn whoever_answers_may_call() {
    let asks = "i=0; while [ $i -lt 300 ]; do printf '{\"jsonrpc\":\"2.0\",\"id\":\"a%d\",\"method\":\"x/ask\"}\\n' $i; i=$((i+1)); done";
    // It answers every request, and counts the answers to its own.
    let program = shell(&format!(
        "read line; printf '%s\\n' '{}'; read line; {asks}; n=0; while read line; do case $line in \
         *'\"method\":\"x/call\"'*) id=${{line#*\\\"id\\\":}}; id=${{id%%,*}}; printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{{}}}}\\n' \"$id\";; \
         *'\"result\"'*) n=$((n+1)); if [ $n = 300 ]; then printf '{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{}}}}\\n'; fi;; esac; done",
        initialized(1, "2025-11-25")
    ));
    let own: Arc<Mutex<Option<mcp_runtime::client::Client>>> = Arc::default();
    let shared = Arc::clone(&own);
    let client = connect(program).era(Era::Handshake).on_request("x/ask", move |_: Value, _| {
        let client = shared.lock().unwrap().clone().expect("it is connected");
        async move { client.request("x/call", ()).await.map(|_| json!({})) }
    });
    let client = client.await.unwrap();
    *own.lock().unwrap() = Some(client.clone());
    timeout(LONG, client.request("x", ()).timeout(LONG)).await.expect("it ends").unwrap();
    own.lock().unwrap().take();
}

/// A session that is gone is begun anew once, for all who have lost it.
#[tokio::test]
async fn a_lost_session_is_begun_anew_for_all() {
    let sessions = AtomicUsize::new(0);
    let (url, asked) = http(move |asked| match (asked.name(), asked.header("mcp-session-id")) {
        ("initialize", _) => {
            let session = format!("s{}", sessions.fetch_add(1, Ordering::Relaxed) + 1);
            ([("mcp-session-id", session)], greeted(asked).unwrap()).into_response()
        }
        ("GET", _) => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        ("x", Some("s1")) => StatusCode::NOT_FOUND.into_response(),
        _ => greeted(asked).unwrap_or_else(|| asked.result(json!({}))),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let client = client.clone();
        calls.spawn(async move { client.request("x", ()).await });
    }
    for ended in calls.join_all().await {
        ended.unwrap();
    }
    let greetings = asked.lock().unwrap().iter().filter(|one| one.name() == "initialize").count();
    assert_eq!(greetings, 2);
}

/// Whoever goes while a connection is being opened leaves no attempt behind that the next has to wait for.
#[tokio::test]
async fn one_attempt_serves_all_who_wait() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let program = shell(&format!(
        "echo >> {starts}; read line; if [ $(wc -l < {starts}) = 1 ]; then printf '%s\\n' '{answer}'; read line; else cat > /dev/null; fi",
        starts = starts.display(),
        answer = discovery(),
    ));
    let client =
        connect(program).era(Era::Modern).probe_timeout(SHORT * 3).shutdown_grace(SHORT).await.unwrap();
    client.request("x", ()).await.unwrap_err();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..5 {
        let client = client.clone();
        calls.spawn(async move { client.request("x", ()).timeout(SHORT).await });
    }
    assert!(calls.join_all().await.iter().all(Result::is_err));
    // The first attempt is still going on, or has failed; nobody else's comes before this one's.
    client.request("x", ()).timeout(LONG).await.unwrap_err();
    let count = std::fs::read_to_string(&starts).unwrap().lines().count();
    assert!(count <= 3, "{count}");
    timeout(LONG, client.close()).await.expect("it closes");
}
