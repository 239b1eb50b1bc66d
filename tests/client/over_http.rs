//! What a client owes a server over HTTP: mirrored headers, caching, sessions, streams that are taken up again.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::response::IntoResponse;
use http::StatusCode;
use mcp_runtime::client::{Client, Error, connect};
use mcp_runtime::mcp::{Change, Era};
use serde_json::{Value, json};

use crate::scripted::{Asked, discovered, events, greeted, http, json_of};

fn tool(name: &str, header: Value) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object", "properties": {
        "region": { "type": "string", "x-mcp-header": header } } } })
}

fn names(asked: &[Asked]) -> Vec<&str> {
    asked.iter().map(Asked::name).collect()
}

#[tokio::test]
async fn a_header_that_differs_has_the_tools_listed_and_the_call_made_once_more() {
    let lists = AtomicUsize::new(0);
    let (url, asked) = http(move |asked| match asked.name() {
        "server/discover" => discovered(asked),
        "tools/list" => {
            let header = if lists.fetch_add(1, Ordering::Relaxed) == 0 { "Old" } else { "New" };
            asked.result(
                json!({ "resultType": "complete", "tools": [tool("t", header.into())], "ttlMs": 60_000 }),
            )
        }
        "tools/call" if asked.header("mcp-param-new") == Some("eu") => {
            asked.result(json!({ "resultType": "complete", "content": [] }))
        }
        _ => asked.error(400, -32020, Value::Null),
    })
    .await;
    let client = connect(url).era(Era::Modern).await.unwrap();
    client.call_tool("t", json!({ "region": "eu" })).await.unwrap();
    // Without the argument there is no header, and the server says so again: that is the end of it.
    let error = client.call_tool("t", json!({})).await.unwrap_err();
    assert_eq!(error.code(), Some(-32020));
    let asked = asked.lock().unwrap();
    assert_eq!(
        names(&asked),
        [
            "server/discover",
            "tools/list",
            "tools/call",
            "tools/list",
            "tools/call",
            "tools/call",
            "tools/list",
            "tools/call"
        ]
    );
}

#[tokio::test]
async fn tools_with_wrong_mirrors_are_left_out() {
    let (url, _) = http(|asked| match asked.name() {
        "server/discover" => discovered(asked),
        _ => asked.result(json!({ "resultType": "complete", "tools": [
            tool("good", "Region".into()), tool("bad", "a b".into()), tool("worse", 7.into())] })),
    })
    .await;
    let client = connect(url).era(Era::Modern).await.unwrap();
    let tools = client.list_tools().await.unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["good"]);
}

/// A modern server whose lists and resources are good for a minute.
async fn cached() -> (Client, std::sync::Arc<std::sync::Mutex<Vec<Asked>>>) {
    let (url, asked) = http(|asked| match asked.name() {
        "server/discover" => discovered(asked),
        "tools/list" => {
            let mut page =
                json!({ "resultType": "complete", "tools": [tool("t", "Region".into())], "ttlMs": 60_000 });
            if asked.message["params"]["cursor"].is_null() {
                page["nextCursor"] = "2".into();
            }
            asked.result(page)
        }
        "resources/read" => {
            let uri = asked.message["params"]["uri"].clone();
            let ttl = if uri == "test://kept" { 60_000 } else { 0 };
            let contents = json!([{ "uri": uri, "text": "x" }]);
            asked.result(json!({ "resultType": "complete", "contents": contents, "ttlMs": ttl }))
        }
        "tools/call" => {
            let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
            let result = json!({ "resultType": "complete", "content": [] });
            let answer = json!({ "jsonrpc": "2.0", "id": asked.message["id"], "result": result });
            events(format!("data: {changed}\n\ndata: {answer}\n\n"))
        }
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    })
    .await;
    (connect(url).era(Era::Modern).await.unwrap(), asked)
}

#[tokio::test]
async fn results_are_kept_for_as_long_as_the_server_says() {
    let (client, asked) = cached().await;
    let asks = |asked: &std::sync::Mutex<Vec<Asked>>| asked.lock().unwrap().len() - 1;
    for _ in 0..3 {
        assert_eq!(client.list_tools().await.unwrap().len(), 2);
    }
    assert_eq!(asks(&asked), 2, "each page once");
    for _ in 0..2 {
        client.read_resource("test://kept").await.unwrap();
    }
    assert_eq!(asks(&asked), 3);
    for _ in 0..2 {
        client.read_resource("test://fleeting").await.unwrap();
    }
    assert_eq!(asks(&asked), 5);
    client.read_resource("test://kept").fresh().await.unwrap();
    assert_eq!(asks(&asked), 6);
    // What has changed is asked for anew, and the rest is still good.
    client.call_tool("t", json!({})).await.unwrap();
    client.list_tools().await.unwrap();
    client.read_resource("test://kept").await.unwrap();
    assert_eq!(asks(&asked), 9);
}

#[tokio::test(start_paused = true)]
async fn what_was_kept_grows_old() {
    let (client, asked) = cached().await;
    client.read_resource("test://kept").await.unwrap();
    client.read_resource("test://kept").await.unwrap();
    tokio::time::advance(std::time::Duration::from_secs(61)).await;
    client.read_resource("test://kept").await.unwrap();
    assert_eq!(asked.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn a_session_that_is_gone_is_begun_anew() {
    let sessions = AtomicUsize::new(0);
    let (url, asked) = http(move |asked| {
        let current = sessions.load(Ordering::Relaxed);
        match (asked.name(), asked.header("mcp-session-id")) {
            ("initialize", None) => {
                let session = format!("s{}", sessions.fetch_add(1, Ordering::Relaxed) + 1);
                ([("mcp-session-id", session)], greeted(asked).unwrap()).into_response()
            }
            ("GET", _) => StatusCode::METHOD_NOT_ALLOWED.into_response(),
            ("DELETE", Some(_)) => StatusCode::NO_CONTENT.into_response(),
            (_, Some(session)) if session != format!("s{current}") => asked.error(404, -32600, json!(null)),
            ("end", Some(_)) => {
                // Whoever comes next finds it gone.
                sessions.fetch_add(1, Ordering::Relaxed);
                asked.result(json!({}))
            }
            (_, Some(_)) => {
                greeted(asked).unwrap_or_else(|| asked.result(json!({ "tools": [], "content": [] })))
            }
            _ => StatusCode::BAD_REQUEST.into_response(),
        }
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    client.list_tools().await.unwrap();
    client.request("end", ()).await.unwrap();
    client.call_tool("t", json!({})).await.unwrap();
    client.close().await;
    let asked: Vec<_> = asked.lock().unwrap().iter().filter(|one| one.name() != "GET").cloned().collect();
    assert_eq!(
        names(&asked),
        [
            "initialize",
            "notifications/initialized",
            "tools/list",
            "end",
            "tools/call",
            "initialize",
            "notifications/initialized",
            "tools/call",
            "DELETE"
        ]
    );
    assert_eq!(asked.last().unwrap().header("mcp-session-id"), Some("s3"));
}

#[tokio::test]
async fn a_stream_that_breaks_is_taken_up_where_it_broke() {
    let (url, asked) = http(|asked| match asked.name() {
        "tools/call" => {
            let told = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": {
                "progressToken": asked.message["params"]["_meta"]["progressToken"], "progress": 1 } });
            events(format!("id: 1\nretry: 10\ndata:\n\nid: {}\ndata: {told}\n\n", asked.message["id"]))
        }
        "GET" => match asked.header("last-event-id") {
            Some(id) => {
                let result = json!({ "content": [{ "type": "text", "text": "later" }] });
                let answer = json!({ "jsonrpc": "2.0", "id": id.parse::<u64>().unwrap(), "result": result });
                events(format!(": a comment\n\nid: 9\nevent: message\ndata: {answer}\n\n"))
            }
            None => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        },
        _ => greeted(asked).unwrap_or_else(|| StatusCode::BAD_REQUEST.into_response()),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let result = client.call_tool("t", json!({})).on_progress(drop).await.unwrap();
    assert!(format!("{result:?}").contains("later"), "{result:?}");
    assert!(asked.lock().unwrap().iter().any(|one| one.header("last-event-id").is_some()));
}

#[tokio::test]
async fn a_modern_stream_that_breaks_may_have_run() {
    let (url, _) = http(|asked| match asked.name() {
        "server/discover" => discovered(asked),
        "tools/list" => asked.result(json!({ "resultType": "complete", "tools": [] })),
        _ => events("id: 1\ndata:\n\n"),
    })
    .await;
    let client = connect(url).await.unwrap();
    let error = client.call_tool("t", json!({})).await.unwrap_err();
    assert!(matches!(error, Error::Disconnected { .. }), "{error:?}");
    assert!(!error.has_not_run());
}

#[tokio::test]
async fn changes_without_a_request_come_on_a_stream_of_their_own() {
    let (url, _) = http(|asked| match (asked.name(), asked.header("last-event-id")) {
        ("GET", None) => {
            let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
            events(format!("id: 1\nretry: 50\ndata: {changed}\n\n"))
        }
        ("GET", Some(_)) => {
            let changed = json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" });
            events(format!("retry: 50\ndata: {changed}\n\n"))
        }
        _ => greeted(asked).unwrap_or_else(|| StatusCode::BAD_REQUEST.into_response()),
    })
    .await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let mut changes = client.changes([Change::Prompts]).await.unwrap();
    // It was told on the second connection, which knew where the first had ended.
    assert_eq!(changes.next().await, Some(Change::Prompts));
}

#[tokio::test]
async fn answers_that_are_none_are_told() {
    for (name, says) in [
        ("accepted", "accepted as if it were a notification"),
        ("html", "its answer is `text/html`"),
        ("other", "what came back is not its answer"),
        ("nonsense", "it is no JSON"),
        ("list", "its `result` is no object"),
        ("kind", "its result is `task`, which it cannot be"),
        ("long", "its answer is longer than 1000 bytes"),
        ("event", "an event is longer than 1000 bytes"),
        ("pages", "its pages never end"),
    ] {
        let (url, _) = http(move |asked| match (asked.name(), name) {
            ("server/discover", _) => discovered(asked),
            (_, "accepted") => StatusCode::ACCEPTED.into_response(),
            (_, "html") => ([("content-type", "text/html")], "<p>hello</p>").into_response(),
            (_, "other") => json_of(json!({ "jsonrpc": "2.0", "id": 77, "result": {} })),
            (_, "nonsense") => ([("content-type", "application/json")], "{").into_response(),
            (_, "list") => asked.result(json!([])),
            (_, "kind") => asked.result(json!({ "resultType": "task" })),
            (_, "long") => asked.result(json!({ "tools": "x".repeat(2000) })),
            (_, "event") => events(format!("data: {}\n\n", "x".repeat(2000))),
            _ => asked.result(json!({ "resultType": "complete", "tools": [], "nextCursor": "same" })),
        })
        .await;
        let client = connect(url).era(Era::Modern).max_message_bytes(1000).await.unwrap();
        let error = client.list_tools().await.unwrap_err();
        assert!(error.to_string().contains(says), "{name}: {error}");
    }
}
