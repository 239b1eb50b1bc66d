//! The client for tests of handlers: its expectations, and the surface that it compares.

use mcp_runtime::mcp::{Answer, Revision};
use mcp_runtime::testing;
use serde_json::{Value, json};

/// What a body panics with.
async fn panic_of(body: impl Future<Output = ()> + Send + 'static) -> String {
    let ended = tokio::spawn(body).await.unwrap_err().into_panic();
    match ended.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast_ref::<&str>().copied().unwrap_or_default().to_owned(),
    }
}

#[tokio::test]
async fn one_body_serves_both_eras() {
    for era in testing::eras() {
        let client = testing::client().era(era).await;
        client.call("add", json!({ "a": 1, "b": 2 })).await.shows("3").gives(3);
        client.call("add", json!({ "a": 1 })).await.fails("`b`");
        client.call("fail", ()).await.fails("this is how it fails");
        client.read("test://fixed").await.holds("fixed");
        client.get("review", json!({ "code": "x" })).await.says("Review x");
        assert_eq!(client.refused("nothing", ()).await.code(), Some(-32602));
        let (told, tells) = std::sync::mpsc::channel();
        let counted = client.call("count", ()).meta("acme/by", "a test").on_progress(move |_| {
            told.send(()).unwrap_or_default();
        });
        counted.await.shows("done");
        assert!(tells.try_iter().count() > 0, "{era}");
    }
    for revision in Revision::ALL {
        let client = testing::client().revision(revision).await;
        let sum: i64 = client.call("add", json!({ "a": 1, "b": 2 })).await.output();
        assert_eq!(sum, 3, "{revision}");
    }
}

#[tokio::test]
async fn handlers_that_ask_are_answered() {
    for era in testing::eras() {
        let client = testing::client().era(era).with(|client| {
            client.on_form(|form, _| async move {
                let answer =
                    if form.message.starts_with("How old") { json!({ "age": 7 }) } else { form.defaults() };
                Ok::<_, std::io::Error>(Answer::Accept(answer))
            })
        });
        client.await.call("greet", ()).await.shows("Ali, 7");
    }
}

#[tokio::test]
async fn expectations_that_are_not_met_say_what_came() {
    async fn add() -> testing::Called {
        testing::client().await.call("add", json!({ "a": 1, "b": 2 })).await
    }
    let told = panic_of(async {
        add().await.shows("4");
    })
    .await;
    assert_eq!(told, "`add` (modern era) shows\n\"3\"\nin place of\n\"4\"");
    let told = panic_of(async {
        add().await.gives(4);
    })
    .await;
    assert_eq!(told, "`add` (modern era) gives\n3\nin place of\n4");
    let told = panic_of(async {
        add().await.fails("x");
    })
    .await;
    assert_eq!(told, "`add` (modern era) did not fail: 3");
    let told = panic_of(async {
        add().await.output::<bool>();
    })
    .await;
    assert!(told.starts_with("the output of `add` (modern era) is no `bool`: "), "{told}");
    let told = panic_of(async {
        testing::client().await.call("fail", ()).await.succeeded();
    })
    .await;
    assert_eq!(told, "`fail` (modern era) failed: this is how it fails");
    let told = panic_of(async { drop(testing::client().await.call("nothing", ()).await) }).await;
    assert!(
        told.starts_with("the call of `nothing` (modern era): ") && told.contains("Unknown tool"),
        "{told}"
    );
    // The place is that of the test, not of the library.
    assert!(
        told.contains("\n  at tests/client/testing.rs:") || told.contains("\n  at client/testing.rs:"),
        "{told}"
    );
    let told =
        panic_of(async { drop(testing::client().await.refused("add", json!({ "a": 1, "b": 2 })).await) })
            .await;
    assert!(told.contains("was to be refused"), "{told}");
}

#[tokio::test]
async fn a_server_that_cannot_start_says_why() {
    let server = mcp_runtime::server().groups(["no such group"]);
    let told = panic_of(async { drop(testing::client_of(server).await) }).await;
    assert!(told.contains("no such group"), "{told}");
}

const SURFACE: &str = "client/surface.json";

#[test]
fn the_surface_is_the_one_that_is_committed() {
    testing::surface(SURFACE);
}

#[tokio::test]
async fn a_surface_that_differs_says_what_breaks() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(SURFACE);
    let mut before: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for seen in before.as_object_mut().unwrap().values_mut() {
        let tools = seen["tools/list"]["tools"].as_array_mut().unwrap();
        tools.retain(|tool| tool["name"] != "process");
        tools.push(json!({ "name": "gone", "inputSchema": { "type": "object" } }));
        let add = tools.iter_mut().find(|tool| tool["name"] == "add").unwrap();
        add["inputSchema"]["required"] = json!(["a"]);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("surface.json");
    std::fs::write(&file, before.to_string()).unwrap();
    let name = file.display().to_string();
    let told = panic_of(async move { testing::surface(file) }).await;
    let all = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28";
    assert_eq!(
        told,
        format!(
            "what clients see differs from `{name}`:\n  \
             breaks {all}: the tool `add`: argument `b` has to be given now\n  \
             breaks {all}: the tool `gone` is gone\n  \
             changes {all}: the tool `process` is new\n\
             2 of these break clients.\n\
             MCP_UPDATE_SURFACE=1 writes the file anew; review it, and commit it."
        )
    );
}
