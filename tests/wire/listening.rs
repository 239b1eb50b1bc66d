//! Subscriptions: who listens, what they are told, and how that ends.

use std::net::SocketAddr;
use std::time::Duration;

use mcp_runtime_tests::events::Events;
use mcp_runtime_tests::lines::{self, Lines};
use mcp_runtime_tests::listen::listen as serve;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Config, turn};
use crate::request::{Request, bare, call, initialize, list, modern};
use crate::row::{Level, Row, edge, row};

/// Which test shows which row or requirement.
pub const SHOWN: &[(&str, fn())] = &[
    ("S-22, S-23, S-24, S-25, S-26, R-36, R-37, S-29", subscriptions_share_a_connection_by_lines),
    ("S-30", a_subscription_ends_with_the_input),
    ("M-44b, M-44c, R-30, R-31, R-32", who_listens_is_told_what_it_asked_for_and_nothing_else),
    ("R-33", a_lifetime_ends_a_subscription_with_its_answer),
    ("R-34", a_silent_subscription_is_kept_alive),
    ("R-35, R-38", a_subscription_that_is_closed_makes_room),
    ("R-52", a_slow_call_holds_up_no_change),
    ("L-31, R-4", a_handshake_client_is_told_in_its_session),
];

fn listen(notifications: Value) -> Request {
    modern("subscriptions/listen", json!({ "notifications": notifications }))
}

/// What is asked for wrongly.
pub fn rows() -> Vec<Row> {
    let wrong = |id, params: Value| row(id, modern("subscriptions/listen", params)).error(400, -32602);
    let long = format!("item://{}", "a".repeat(2048));
    vec![
        wrong("M-44a long", json!({"notifications": {"resourceSubscriptions": [long]}})).says("2048"),
        row("L-31 long", initialize())
            .to(Config::Sessions)
            .not_on(Level::Engine)
            .something_at("/result/protocolVersion")
            .then(bare("resources/subscribe", json!({"uri": long})).in_session())
            .error(200, -32602)
            .says("2048"),
        edge("M-44", listen(json!({})).set("Accept", "application/json")).error_without_id(406, -32600),
        wrong("M-44a", json!({})),
        wrong("M-44a null", json!({"notifications": null})),
        wrong("M-44a array", json!({"notifications": []})),
        wrong("M-44a text", json!({"notifications": {"resourceSubscriptions": "a"}})),
        wrong("M-44a numbers", json!({"notifications": {"resourceSubscriptions": [1]}})),
        wrong("M-44a flag", json!({"notifications": {"toolsListChanged": "yes"}})).says("toolsListChanged"),
        row("L-31", bare("resources/subscribe", json!({"uri": "config://app"}))).error(200, -32601),
        row("L-31 undo", bare("resources/unsubscribe", json!({"uri": "config://app"}))).error(200, -32601),
        row("L-31 session", initialize())
            .to(Config::Sessions)
            .not_on(Level::Engine)
            .something_at("/result/protocolVersion")
            .then(bare("resources/subscribe", json!({"uri": "config://app"})).in_session())
            .body("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"),
    ]
}

/// Sends a request, and reads its events.
fn open(address: SocketAddr, request: &Request) -> Events {
    let headers: Vec<_> = request
        .headers
        .iter()
        .filter(|(name, _)| !["host", "content-type"].contains(&name.to_ascii_lowercase().as_str()))
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    Events::open(address, "POST", &headers, &request.text())
}

fn next(events: &mut Events) -> Value {
    events.next_event().expect("an event").message()
}

fn change(what: &str) -> Request {
    call("change", json!({ "what": what }))
}

fn subscription(message: &Value) -> &Value {
    &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

fn method(message: &Value) -> &str {
    message["method"].as_str().unwrap_or_default()
}

#[test]
fn who_listens_is_told_what_it_asked_for_and_nothing_else() {
    let _turn = turn();
    let address = serve(|| Config::Default.server());
    let asked = json!({"toolsListChanged": true, "promptsListChanged": false, "unknown": true,
        "resourceSubscriptions": ["config://app", "item://7"]});
    let mut listening = open(address, &listen(asked).id(json!("sub")));
    let acknowledged = next(&mut listening);
    assert_eq!(method(&acknowledged), "notifications/subscriptions/acknowledged");
    assert_eq!(subscription(&acknowledged), "sub");
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["config://app", "item://7"]})
    );
    let mut nothing = open(address, &listen(json!({})));
    assert_eq!(next(&mut nothing)["params"]["notifications"], json!({}));

    // What was not asked for is told to nobody; what changes twice before it is read is told once.
    for what in ["prompts", "resources", "other://uri"] {
        assert!(open(address, &change(what)).text().contains("NoListener"), "{what}");
    }
    assert!(!open(address, &change("config://app")).text().contains("NoListener"));
    let updated = next(&mut listening);
    assert_eq!(method(&updated), "notifications/resources/updated");
    assert_eq!((subscription(&updated), &updated["params"]["uri"]), (&json!("sub"), &json!("config://app")));
    open(address, &call("offer", json!({"on": false}))).text();
    let changed = next(&mut listening);
    assert_eq!(
        (method(&changed), subscription(&changed)),
        ("notifications/tools/list_changed", &json!("sub"))
    );
    // Disabling what is disabled changes nothing.
    open(address, &call("offer", json!({"on": false}))).text();
    open(address, &call("offer", json!({"on": true}))).text();
    assert_eq!(method(&next(&mut listening)), "notifications/tools/list_changed");
    assert!(!open(address, &change("item://7")).text().contains("NoListener"));
    assert_eq!(next(&mut listening)["params"]["uri"], "item://7");
}

#[test]
fn subscriptions_share_a_connection_by_lines() {
    let _turn = turn();
    // One at a time, and for a while: neither concerns who listens over a pipe.
    let mut lines =
        lines::serve(|| Config::Default.server().stdio_concurrency(1).subscription_lifetime(Duration::ZERO));
    let began = |lines: &mut Lines, request: Request| {
        lines.send(&request.text());
        lines.message().expect("it is acknowledged")
    };
    let tools = json!({"toolsListChanged": true});
    let first = began(&mut lines, listen(tools.clone()).id(json!(5)));
    assert_eq!(
        (method(&first), subscription(&first)),
        ("notifications/subscriptions/acknowledged", &json!(5))
    );
    let second = began(&mut lines, listen(tools.clone()).id(json!("5")));
    assert_eq!(subscription(&second), "5");
    let taken = began(&mut lines, listen(tools).id(json!(5)));
    assert_eq!((&taken["id"], &taken["error"]["code"]), (&json!(5), &json!(-32600)));

    let told = |lines: &mut Lines, count: usize| -> Vec<Value> {
        (0..count).map(|_| lines.message().expect("a message")).collect()
    };
    lines.send(&change("tools").id(json!(6)).text());
    let came = told(&mut lines, 3);
    let mut ids: Vec<_> = came.iter().filter(|one| one.get("id").is_none()).map(subscription).collect();
    ids.sort_by_key(|id| id.is_string());
    assert_eq!(ids, [&json!(5), &json!("5")], "{came:?}");

    // Another kind of id is another subscription; one that is cancelled is not answered.
    lines.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"5"}}"#);
    lines.send(&change("tools").id(json!(7)).text());
    let came = told(&mut lines, 2);
    let ids: Vec<_> = came.iter().filter(|one| one.get("id").is_none()).map(subscription).collect();
    assert_eq!(ids, [&json!(5)], "{came:?}");
    lines.end();
    let rest = lines.rest();
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["id"], 5);
}

#[test]
fn a_subscription_ends_with_the_input() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server());
    lines.send(&listen(json!({"toolsListChanged": true})).id(json!("a")).text());
    lines.message().expect("it is acknowledged");
    lines.end();
    let rest = lines.rest();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!((&rest[0]["id"], &rest[0]["result"]["resultType"]), (&json!("a"), &json!("complete")));
    assert_eq!(rest[0]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "a");
}

#[test]
fn a_lifetime_ends_a_subscription_with_its_answer() {
    let _turn = turn();
    let address = serve(|| Config::Default.server().subscription_lifetime(Duration::from_millis(100)));
    let mut listening =
        open(address, &listen(json!({"toolsListChanged": true})).id(json!(9_007_199_254_740_993_i64)));
    next(&mut listening);
    let ended = listening.rest();
    assert_eq!(ended.len(), 1);
    let ended = ended[0].message();
    assert_eq!(
        (&ended["id"], &ended["result"]["resultType"]),
        (&json!(9_007_199_254_740_993_i64), &json!("complete"))
    );
    assert_eq!(
        ended["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        json!(9_007_199_254_740_993_i64)
    );
    assert_eq!(ended["result"].get("ttlMs"), None);
}

/// The server's end is told to whoever listens, and keeps nobody waiting.
#[test]
fn a_server_that_stops_answers_who_listens() {
    let _turn = turn();
    let stop = CancellationToken::new();
    let token = stop.clone();
    let address = serve(move || Config::Default.server().stop_on(token.clone()));
    let mut listening = open(address, &listen(json!({"toolsListChanged": true})));
    next(&mut listening);
    stop.cancel();
    assert_eq!(next(&mut listening)["result"]["resultType"], "complete");
    assert_eq!(listening.next_event(), None);
}

#[test]
fn a_subscription_that_is_closed_makes_room() {
    let _turn = turn();
    let address = serve(|| Config::Default.server().max_subscriptions(1));
    let request = listen(json!({"toolsListChanged": true}));
    let mut first = open(address, &request);
    next(&mut first);
    let mut second = open(address, &request);
    assert_eq!(second.status, 503);
    assert!(second.text().contains("1 clients listen"));
    drop(first);
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while open(address, &request).status != 200 {
        assert!(std::time::Instant::now() < deadline, "its place is not given back");
    }
}

#[test]
fn a_slow_call_holds_up_no_change() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server().stdio_concurrency(1));
    lines.send(&listen(json!({"toolsListChanged": true})).id(json!(1)).text());
    lines.message().expect("it is acknowledged");
    lines.send(&call("change_and_wait", json!({})).id(json!(2)).text());
    let told = lines.message().expect("a message");
    assert_eq!(method(&told), "notifications/tools/list_changed", "it comes while the call still runs");
    lines.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    lines.send(&list().id(json!(3)).text());
    assert_eq!(lines.message().expect("an answer")["id"], 3);
}

#[test]
fn a_handshake_client_is_told_in_its_session() {
    let _turn = turn();
    let (handles, handle) = std::sync::mpsc::channel();
    let address = serve(move || {
        let server = Config::Sessions.server();
        handles.send(server.handle()).expect("the test waits");
        server
    });
    let handle = handle.recv().expect("it is served");
    let opened = open(address, &initialize());
    let session = opened.header("mcp-session-id").expect("a session").to_owned();
    let within = |request: Request| request.header("Mcp-Session-Id", &session);
    let mut capabilities = opened;
    let capabilities: Value = serde_json::from_str(&capabilities.text()).expect("JSON");
    assert_eq!(
        capabilities["result"]["capabilities"]["resources"],
        json!({"subscribe": true, "listChanged": true})
    );
    let listen_to =
        || Events::open(address, "GET", &[("Mcp-Session-Id", &session), ("Accept", "text/event-stream")], "");
    // What changes before somebody listens is told to who comes, and once.
    open(address, &change("tools")).text();
    open(address, &change("tools")).text();
    let subscribe = |method: &str| within(bare(method, json!({"uri": "config://app"})));
    assert_eq!(open(address, &subscribe("resources/subscribe")).status, 200);
    let mut listening = listen_to();
    assert_eq!(next_of(&mut listening)["method"], "notifications/tools/list_changed");
    assert!(!open(address, &change("config://app")).text().contains("NoListener"));
    let updated = next_of(&mut listening);
    assert_eq!(updated["params"], json!({"uri": "config://app"}), "no word of the modern era");
    assert_eq!(open(address, &subscribe("resources/unsubscribe")).status, 200);
    open(address, &change("config://app")).text();
    // A change by the modern leg.
    open(address, &call("offer", json!({"on": false}))).text();
    assert_eq!(next_of(&mut listening)["method"], "notifications/tools/list_changed");
    drop(listening);
    // Until the server has seen it, what changes goes to who is gone.
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while handle.gauges().streams > 0 {
        assert!(std::time::Instant::now() < until, "the server has not seen that nobody reads");
        std::thread::yield_now();
    }
    open(address, &change("prompts")).text();
    let mut first = listen_to();
    let seen = first.next_event().and_then(|event| event.id).expect("an event with an id");
    // Whoever takes a stream over is told at once.
    let again =
        [("Mcp-Session-Id", session.as_str()), ("Accept", "text/event-stream"), ("Last-Event-ID", &seen)];
    let mut second = Events::open(address, "GET", &again, "");
    assert_eq!(second.status, 200);
    assert_eq!(next_of(&mut second)["method"], "notifications/prompts/list_changed");
    first.rest();
    let asked = std::time::Instant::now();
    open(address, &change("tools")).text();
    assert_eq!(next_of(&mut second)["method"], "notifications/tools/list_changed");
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

/// The next event that has a message.
fn next_of(events: &mut Events) -> Value {
    loop {
        let event = events.next_event().expect("an event");
        if event.data.as_deref() != Some("") {
            return event.message();
        }
    }
}

/// Over stdio a handshake client is told without asking, and of resources where it has asked.
#[test]
fn a_handshake_client_is_told_over_its_pipe() {
    let _turn = turn();
    let mut lines = lines::serve(|| Config::Default.server());
    lines.send(&initialize().text());
    lines.message().expect("an answer");
    lines.send(&bare("resources/subscribe", json!({"uri": "config://app"})).id(json!(2)).text());
    assert_eq!(lines.message().expect("an answer")["result"], json!({}));
    for (what, told) in
        [("tools", "notifications/tools/list_changed"), ("config://app", "notifications/resources/updated")]
    {
        lines.send(
            &bare("tools/call", json!({"name": "change", "arguments": {"what": what}})).id(json!(3)).text(),
        );
        let mut came = [lines.message().expect("a message"), lines.message().expect("a message")];
        came.sort_by_key(|message| message.get("id").is_some());
        assert_eq!(method(&came[0]), told);
    }
    lines.end();
    assert!(lines.rest().is_empty());
}

/// Whoever is silent for long is told that the server is still there.
#[test]
fn a_silent_subscription_is_kept_alive() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let _turn = turn();
    runtime.block_on(async {
        use axum::body::HttpBody as _;
        use tower_service::Service as _;

        let mut router = Config::Default.server().into_router().expect("it is in order");
        let request = listen(json!({"toolsListChanged": true}));
        let mut http = http::Request::builder().method("POST").uri("/mcp");
        for (name, value) in &request.headers {
            http = http.header(name, value);
        }
        let http = http.body(axum::body::Body::from(request.bytes())).expect("a request");
        let mut body = router.call(http).await.expect("it is answered").into_body();
        let mut next = async || {
            let frame = std::future::poll_fn(|cx| std::pin::Pin::new(&mut body).poll_frame(cx)).await;
            let data = frame.expect("a frame").expect("it is whole").into_data().expect("data");
            String::from_utf8(data.to_vec()).expect("text")
        };
        assert!(next().await.contains("acknowledged"));
        for _ in 0..3 {
            let before = tokio::time::Instant::now();
            assert_eq!(next().await, ": keep-alive\n\n");
            assert!(before.elapsed() <= Duration::from_secs(20));
        }
    });
}
