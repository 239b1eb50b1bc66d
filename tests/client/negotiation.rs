//! Which era a client finds, by what the server answers to its first question: the body decides, never a code alone.

use std::time::Duration;

use axum::response::IntoResponse;
use http::StatusCode;
use mcp_runtime::client::{Error, connect};
use mcp_runtime::mcp::{Era, Revision};
use serde_json::json;

use crate::scripted::{discovered, greeted, http, initialized, lines};

fn error(id: u64, code: i64, supported: &[&str]) -> String {
    let data = json!({ "supported": supported, "requested": "2026-07-28" });
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": "refused", "data": data } })
        .to_string()
}

#[tokio::test]
async fn a_program_that_is_not_modern_is_greeted() {
    let greeting = initialized(2, "2025-06-18");
    for first in [
        error(1, -32601, &[]),
        error(1, -32602, &[]),
        error(1, -32000, &[]),
        error(1, -32022, &["2025-06-18"]),
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(),
        "what is this".to_owned() + "\n" + &error(1, -32601, &[]),
        // Silence.
        String::new(),
    ] {
        let connecting = connect(lines(&[&first, &greeting])).probe_timeout(Duration::from_millis(300));
        let client = connecting.await.unwrap_or_else(|error| panic!("{first}: {error}"));
        assert_eq!(client.revision(), Some(Revision::V2025_06_18), "{first}");
        assert_eq!(client.agreed().unwrap().server.name, "old");
    }
}

#[tokio::test]
async fn a_program_that_ends_at_the_first_question_is_started_again() {
    // It takes what it does not know for the end of the world.
    let mut shell = tokio::process::Command::new("sh");
    let script = format!(
        r#"read line; case "$line" in *initialize*) printf '%s\n' '{}'; cat > /dev/null;; *) exit 1;; esac"#,
        initialized(1, "2024-11-05")
    );
    shell.args(["-c", &script]);
    let client = connect(shell).await.unwrap();
    assert_eq!(client.revision(), Some(Revision::V2024_11_05));
}

#[tokio::test]
async fn a_modern_program_is_never_greeted() {
    for (answers, says) in [
        (vec![error(1, -32022, &["2031-01-01"])], "no revision in common: the server speaks 2031-01-01"),
        (vec![error(1, -32021, &[])], "`server/discover` was refused (-32021)"),
        (
            vec![error(1, -32022, &["2026-07-28"]), error(2, -32022, &["2026-07-28"])],
            "`server/discover` was refused (-32022)",
        ),
    ] {
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let error = connect(lines(&answers)).await.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    // The same revision once more is what the server wants.
    let found = json!({ "jsonrpc": "2.0", "id": 2, "result": {
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {} } });
    let client = connect(lines(&[&error(1, -32022, &["2026-07-28"]), &found.to_string()])).await.unwrap();
    assert_eq!(client.era(), Some(Era::Modern));
}

#[tokio::test]
async fn a_slow_modern_program_is_recognized_by_how_it_refuses_the_greeting() {
    let found = json!({ "jsonrpc": "2.0", "id": 3, "result": {
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {} } });
    let answers = ["", &error(2, -32022, &["2026-07-28"]), &found.to_string()];
    let client = connect(lines(&answers)).probe_timeout(Duration::from_millis(100)).await.unwrap();
    assert_eq!(client.era(), Some(Era::Modern));
}

#[tokio::test]
async fn a_revision_that_the_client_does_not_speak_is_named() {
    let answers = [error(1, -32601, &[]), initialized(2, "2031-01-01")];
    let error = connect(lines(&[&answers[0], &answers[1]])).await.unwrap_err();
    assert_eq!(error.to_string(), "the server wants to speak `2031-01-01`, which this client does not");
}

#[tokio::test]
async fn what_http_answers_to_the_first_question_decides() {
    // Status, JSON-RPC code (0 for none, with that text), and whether the client greets.
    for (status, code, greets) in [
        (400, 0, true),
        (404, 0, true),
        (405, 0, true),
        (500, 0, true),
        (400, -32600, true),
        (400, -32602, true),
        (404, -32601, true),
        (200, -32601, true),
        (200, -32602, true),
        (400, -32020, false),
        (400, -32021, false),
        (400, -32022, false),
        (200, -32022, false),
        (401, 0, false),
        (403, 0, false),
        (429, 0, false),
        (503, 0, false),
    ] {
        let (url, asked) = http(move |asked| match (asked.name(), code) {
            ("server/discover", 0) => (StatusCode::from_u16(status).unwrap(), "no").into_response(),
            ("server/discover", code) => asked.error(status, code, json!({ "supported": ["2031-01-01"] })),
            _ => greeted(asked).unwrap_or_else(|| StatusCode::METHOD_NOT_ALLOWED.into_response()),
        })
        .await;
        let client = connect(url).await;
        let met = asked.lock().unwrap().iter().any(|asked| asked.name() == "initialize");
        assert_eq!((client.is_ok(), met), (greets, greets), "{status} {code}: {client:?}");
    }
}

#[tokio::test]
async fn each_era_has_the_headers_of_its_own() {
    let (url, asked) = http(|asked| match asked.name() {
        "server/discover" => StatusCode::BAD_REQUEST.into_response(),
        "tools/list" => asked.result(json!({ "tools": [] })),
        _ => greeted(asked).unwrap_or_else(|| StatusCode::METHOD_NOT_ALLOWED.into_response()),
    })
    .await;
    let client = connect(url).await.unwrap();
    client.list_tools().await.unwrap();
    let all = asked.lock().unwrap().clone();
    let of = |name: &str| all.iter().find(|asked| asked.name() == name).unwrap().clone();
    assert_eq!(of("server/discover").header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(of("server/discover").header("mcp-method"), Some("server/discover"));
    // Nothing is agreed on yet.
    assert_eq!(of("initialize").header("mcp-protocol-version"), None);
    assert_eq!(of("initialize").header("mcp-method"), None);
    for name in ["notifications/initialized", "tools/list"] {
        assert_eq!(of(name).header("mcp-protocol-version"), Some("2025-11-25"), "{name}");
        assert_eq!(of(name).header("mcp-method"), None, "{name}");
        assert!(of(name).message["params"]["_meta"].is_null(), "{name}");
    }
}

#[tokio::test]
async fn a_request_that_wants_another_revision_is_made_again() {
    let (url, asked) = http(|asked| match asked.name() {
        "server/discover" => discovered(asked),
        // Each process behind a balancer learns of the others in its time.
        "tools/list" if asked.message["id"] == 2 => {
            asked.error(400, -32022, json!({ "supported": ["2026-07-28"] }))
        }
        "tools/list" => asked.result(json!({ "resultType": "complete", "tools": [] })),
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    })
    .await;
    let client = connect(url).await.unwrap();
    client.list_tools().await.unwrap();
    assert_eq!(asked.lock().unwrap().len(), 3);
    let error = client.request("no/such", ()).await.unwrap_err();
    assert!(matches!(error, Error::Http { status: 405, .. }), "{error:?}");
}

/// In 2025-03-26, and in no other revision, several messages may come as one.
#[tokio::test]
async fn batches_are_read_where_they_exist() {
    let changed = json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" });
    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": {} });
    let batch = json!([changed, answer]).to_string();
    let client =
        connect(lines(&[&initialized(1, "2025-03-26"), "", &batch])).era(Era::Handshake).await.unwrap();
    let mut changes = client.changes([mcp_runtime::mcp::Change::Prompts]).await.unwrap();
    client.request("x", ()).await.unwrap();
    assert_eq!(changes.next().await, Some(mcp_runtime::mcp::Change::Prompts));
}

/// A server that has become another is asked anew which era it speaks.
#[tokio::test]
async fn a_server_that_has_become_modern_is_found_to_be() {
    let is_new = std::sync::atomic::AtomicBool::new(false);
    let (url, _) = http(move |asked| {
        let new = is_new.load(std::sync::atomic::Ordering::Relaxed);
        match asked.name() {
            "server/discover" if new => discovered(asked),
            "initialize" if new => asked.error(400, -32601, json!(null)),
            "server/discover" => asked.error(400, -32601, json!(null)),
            "initialize" => ([("mcp-session-id", "s1")], greeted(asked).unwrap()).into_response(),
            "ends" => {
                is_new.store(true, std::sync::atomic::Ordering::Relaxed);
                asked.result(json!({}))
            }
            "GET" => StatusCode::METHOD_NOT_ALLOWED.into_response(),
            _ if new && asked.header("mcp-session-id").is_some() => StatusCode::NOT_FOUND.into_response(),
            _ => greeted(asked).unwrap_or_else(|| asked.result(json!({ "resultType": "complete" }))),
        }
    })
    .await;
    let client = connect(url).await.unwrap();
    assert_eq!(client.era(), Some(Era::Handshake));
    client.request("ends", ()).await.unwrap();
    client.request("x", ()).await.unwrap();
    assert_eq!(client.era(), Some(Era::Modern));
}
