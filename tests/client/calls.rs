//! Calls of every kind, the same on each way and in each era.

use std::sync::{Arc, Mutex};

use mcp_runtime::client::{Completing, Error};
use mcp_runtime::mcp::{ContentBlock, ResourceContents, Revision};
use serde_json::json;

use crate::ways::{Way, each};

fn text(blocks: &[ContentBlock]) -> &str {
    match blocks {
        [ContentBlock::Text(block)] => &block.text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_method_has_a_typed_call() {
    each(
        |client| client,
        |client, way, era| async move {
            let agreed = client.agreed().expect("it is connected");
            assert_eq!(agreed.server.name, "served", "{way:?} {era}");
            assert_eq!(agreed.instructions.as_deref(), Some("For tests."));
            assert!(agreed.capabilities.tools.is_some() && agreed.capabilities.completions.is_some());

            let tools = client.list_tools().await.unwrap();
            assert!(tools.iter().any(|tool| tool.name == "add"), "{tools:?}");
            assert_eq!(client.list_prompts().await.unwrap()[0].name, "review");
            assert_eq!(client.list_resources().await.unwrap()[0].uri, "test://fixed");
            let templates = client.list_resource_templates().await.unwrap();
            assert!(templates.iter().any(|template| template.uri_template == "test://hang/{name}"));

            let sum = client.call_tool("add", json!({ "a": 1, "b": 2 })).await.unwrap();
            assert_eq!(text(&sum.content), "3");
            let failed = client.call_tool("fail", ()).await.unwrap();
            assert!(failed.is_error);
            assert_eq!(text(&failed.content), "this is how it fails");
            let read = client.read_resource("test://fixed").await.unwrap();
            let [ResourceContents::Text { text, .. }] = read.contents.as_slice() else { panic!("{read:?}") };
            assert_eq!(text, "fixed");
            let prompt = client.prompt("review", json!({ "code": "x" })).await.unwrap();
            assert_eq!(crate::calls::text(std::slice::from_ref(&prompt.messages[0].content)), "Review x");
            let completed =
                client.complete(Completing::Prompt("review".into()), "code", "al", ()).await.unwrap();
            assert_eq!(completed.values, ["alpha"]);
            let echoed = client.request("test/echo", json!({ "text": "hello" })).await.unwrap();
            assert_eq!(echoed["text"], "hello");
            client.ping().await.unwrap();
        },
    )
    .await;
}

#[tokio::test]
async fn arguments_are_mirrored_on_every_path() {
    each(
        |client| client,
        |client, way, era| async move {
            // Without having listed the tools.
            for (region, distance) in [("eu", Some(7)), (" zürich ", None), ("=?base64?eA==?=", Some(-1))] {
                let arguments = json!({ "region": region, "distance": distance });
                let placed = client.call_tool("place", arguments).await.unwrap();
                assert_eq!(text(&placed.content), format!("{region} {distance:?}"), "{way:?} {era}");
            }
        },
    )
    .await;
}

#[tokio::test]
async fn refusals_say_what_is_wrong() {
    each(
        |client| client,
        |client, _, _| async move {
            let error = client.call_tool("nothing", ()).await.unwrap_err();
            assert_eq!(error.code(), Some(-32602), "{error}");
            assert!(
                error.to_string().starts_with("`tools/call` was refused (-32602): Unknown tool"),
                "{error}"
            );
            let error = client.request("no/such", ()).await.unwrap_err();
            assert_eq!(error.code(), Some(-32601), "{error}");
            let error = client.call_tool("add", 7).await.unwrap_err();
            assert!(matches!(error, Error::Unsupported(_)), "{error:?}");
            assert!(error.to_string().contains("an object is wanted"), "{error}");
        },
    )
    .await;
}

#[tokio::test]
async fn progress_and_log_messages_come_before_the_answer() {
    let logged = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&logged);
    each(
        move |client| {
            let taken = Arc::clone(&taken);
            client.on_log(move |message| {
                let taken = Arc::clone(&taken);
                async move { taken.lock().unwrap().push(message.data) }
            })
        },
        |client, way, era| {
            let logged = Arc::clone(&logged);
            async move {
                let seen = Arc::new(Mutex::new(Vec::new()));
                let told = Arc::clone(&seen);
                let count = client.call_tool("count", ()).on_progress(move |progress| {
                    told.lock().unwrap().push((progress.progress, progress.total));
                });
                assert_eq!(text(&count.await.unwrap().content), "done");
                assert_eq!(seen.lock().unwrap().last(), Some(&(3.0, Some(3.0))), "{way:?} {era}");
                // What was logged goes to a handler in the order in which it came, behind the answer's back.
                while logged.lock().unwrap().len() < 3 {
                    tokio::task::yield_now().await;
                }
                let logged = std::mem::take(&mut *logged.lock().unwrap());
                assert_eq!(logged, ["step 1", "step 2", "step 3"], "{way:?} {era}");
            }
        },
    )
    .await;
}

#[tokio::test]
async fn every_revision_can_be_pinned() {
    for revision in Revision::ALL {
        let client = Way::Within.connect().await.revision(revision).await.unwrap();
        assert_eq!(client.revision(), Some(revision));
        let sum = client.call_tool("add", json!({ "a": 1, "b": 2 })).await.unwrap();
        assert_eq!(text(&sum.content), "3");
    }
}

/// A result that the caller wanted as another type is not the server's fault.
#[tokio::test]
async fn a_type_of_the_callers_own_is_named() {
    each(
        |client| client,
        |client, way, era| async move {
            let error = client.request_as::<Vec<u8>>("test/echo", json!({ "text": "x" })).await.unwrap_err();
            assert!(
                error.to_string().contains(
                    "the result of `test/echo` does not read as the `alloc::vec::Vec<u8>` that is wanted"
                ),
                "{way:?} {era}: {error}"
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_name_that_is_nearly_right_is_told() {
    let client = Way::Within.connect().await.await.unwrap();
    let error = client.call_tool("ad", json!({ "a": 1, "b": 2 })).await.unwrap_err().to_string();
    assert!(error.contains("Unknown tool: ad; did you mean `add`?"), "{error}");
}

#[tokio::test]
async fn nothing_to_listen_for_is_told() {
    each(
        |client| client,
        |client, way, era| async move {
            let error = client.changes([]).await.unwrap_err();
            assert!(error.to_string().contains("no change is listened for"), "{error}");
            if way == Way::Http && era == mcp_runtime::mcp::Era::Handshake {
                let error =
                    client.changes([mcp_runtime::mcp::Change::resource("test://fixed")]).await.unwrap_err();
                assert!(error.to_string().contains("`.sessions(…)`"), "{error}");
            }
        },
    )
    .await;
}
