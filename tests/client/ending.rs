//! How calls and connections end: timeouts, calls that are dropped, programs that crash, clients that close.

use std::time::Duration;

use mcp_runtime::client::{Error, connect};
use mcp_runtime::mcp::{Change, Era};
use serde_json::json;
use tokio::sync::mpsc;

use crate::ways::{Way, each, program};

/// Waits for a change, or for too long.
async fn next(changes: &mut mcp_runtime::client::Subscription) -> Change {
    let next = tokio::time::timeout(Duration::from_secs(20), changes.next()).await;
    next.expect("it is told").expect("it goes on")
}

#[tokio::test]
async fn a_call_that_is_dropped_is_taken_back() {
    each(
        |client| client,
        |client, way, era| async move {
            if way == Way::Http && era == Era::Handshake {
                // Without a session there is nothing to take back, and nothing to listen on.
                return;
            }
            let ended = Change::resource("test://hang/dropped");
            let mut changes = client.changes([ended.clone()]).await.unwrap();
            let (began, mut beginning) = mpsc::unbounded_channel();
            let call = client
                .call_tool("hang", json!({ "name": "dropped" }))
                .on_progress(move |_| began.send(()).unwrap_or_default());
            tokio::select! {
                result = call => panic!("{result:?}"),
                began = beginning.recv() => assert!(began.is_some()),
            }
            assert_eq!(next(&mut changes).await, ended, "{way:?} {era}");
        },
    )
    .await;
}

#[tokio::test]
async fn what_takes_too_long_is_told_and_taken_back() {
    each(
        |client| client,
        |client, way, era| async move {
            let call =
                client.call_tool("hang", json!({ "name": "slow" })).timeout(Duration::from_millis(100));
            let error = call.await.unwrap_err();
            assert!(matches!(error, Error::Timeout { .. }), "{way:?} {era}: {error}");
            assert!(error.to_string().contains("100ms"), "{error}");
            client.ping().await.unwrap();
        },
    )
    .await;
}

#[tokio::test]
async fn a_program_that_ends_is_started_again() {
    for era in [Era::Modern, Era::Handshake] {
        let client = connect(program()).era(era).await.unwrap();
        let first = client.call_tool("process", ()).await.unwrap();
        let error = client.call_tool("crash", ()).await.unwrap_err();
        assert!(matches!(error, Error::Disconnected { .. }), "{error:?}");
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        let second = client.call_tool("process", ()).await.unwrap();
        assert_ne!(first, second);
    }
}

#[tokio::test]
async fn a_subscription_outlives_the_program() {
    for era in [Era::Modern, Era::Handshake] {
        let client = connect(program()).era(era).await.unwrap();
        let mut changes = client.changes([Change::Prompts]).await.unwrap();
        client.call_tool("change", json!({ "what": "prompts" })).await.unwrap();
        assert_eq!(next(&mut changes).await, Change::Prompts);
        client.call_tool("crash", ()).await.unwrap_err();
        // What has changed in between nobody knows.
        assert_eq!(next(&mut changes).await, Change::Prompts);
        client.call_tool("change", json!({ "what": "prompts" })).await.unwrap();
        assert_eq!(next(&mut changes).await, Change::Prompts);
    }
}

#[tokio::test]
async fn changes_are_told_in_either_era() {
    each(
        |client| client,
        |client, way, era| async move {
            if way == Way::Http && era == Era::Handshake {
                return;
            }
            let uri = Change::resource("test://fixed");
            let mut changes = client.changes([Change::Tools, uri.clone()]).await.unwrap();
            // Of prompts nothing was asked.
            for what in ["prompts", "tools"] {
                client.call_tool("change", json!({ "what": what })).await.unwrap();
            }
            assert_eq!(next(&mut changes).await, Change::Tools, "{way:?} {era}");
            client.call_tool("change", json!({ "what": "test://fixed" })).await.unwrap();
            assert_eq!(next(&mut changes).await, uri, "{way:?} {era}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_client_that_is_closed_says_so() {
    each(
        |client| client,
        |client, way, era| async move {
            let other = client.clone();
            client.close().await;
            let error = other.call_tool("add", json!({ "a": 1, "b": 2 })).await.unwrap_err();
            assert!(matches!(error, Error::Closed), "{way:?} {era}: {error:?}");
        },
    )
    .await;
}

#[tokio::test]
async fn what_cannot_be_reached_is_named() {
    for (error, says) in [
        (connect("http://127.0.0.1:9/mcp").await, "`http://127.0.0.1:9/mcp` cannot be reached"),
        (connect("weather").await, "`weather` is no URL"),
        (
            connect(tokio::process::Command::new("/no/such/program")).await,
            "the program `/no/such/program` cannot be started: No such file",
        ),
        (
            connect(tokio::process::Command::new("true")).await,
            "`true` has ended (exit status: 0) before it answered: does it speak MCP by its standard streams?",
        ),
    ] {
        let error = error.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}
