//! Code of the author's that panics ends what it was run for, and nothing else.

use std::time::Duration;

use mcp_runtime::client::Error;
use mcp_runtime::mcp::middleware::Kind;
use mcp_runtime::mcp::{self, Answer};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ways::each;

/// Panics at the messages of that kind and method.
fn panics(kind: Kind, method: &'static str) -> impl mcp::Middleware {
    move |call: mcp::Call, next: mcp::Next| async move {
        assert!(call.kind() != kind || call.method() != method, "the middleware");
        next.run(call).await
    }
}

/// Closes a client, which is to take no longer than that.
async fn closes(client: mcp_runtime::client::Client) {
    timeout(Duration::from_secs(20), client.close()).await.expect("it closes");
}

#[tokio::test]
async fn middleware_that_panics_stops_its_own_message() {
    for receives in [false, true] {
        let kind = if receives { Kind::Answer } else { Kind::Request };
        each(
            |client| match receives {
                true => client.receive_middleware(panics(kind, "tools/call")),
                false => client.send_middleware(panics(kind, "tools/call")),
            },
            |client, way, era| async move {
                for _ in 0..2 {
                    let error = client.call_tool("add", json!({ "a": 1, "b": 2 })).await.unwrap_err();
                    assert!(matches!(error, Error::Stopped(_)), "{way:?} {era}: {error:?}");
                    assert!(error.to_string().contains("panicked"), "{error}");
                    client.list_prompts().await.unwrap();
                }
                closes(client).await;
            },
        )
        .await;
    }
}

#[tokio::test]
async fn what_is_told_of_progress_may_panic() {
    each(
        |client| client,
        |client, way, era| async move {
            let call = client.call_tool("count", ()).on_progress(|_| panic!("the closure"));
            assert!(call.await.is_ok(), "{way:?} {era}");
            closes(client).await;
        },
    )
    .await;
}

#[tokio::test]
async fn what_takes_notifications_may_panic() {
    let (heard, mut hears) = tokio::sync::mpsc::unbounded_channel();
    let client = crate::ways::Way::Within.connect().await.on_log(move |message| {
        let heard = heard.clone();
        async move {
            assert!(message.data != json!("step 1"), "the handler");
            heard.send(message.data).unwrap_or_default();
        }
    });
    let client = client.log_level(mcp::LogLevel::Info).await.unwrap();
    client.call_tool("count", ()).await.unwrap();
    for step in ["step 2", "step 3"] {
        assert_eq!(hears.recv().await, Some(Value::from(step)));
    }
}

#[tokio::test]
async fn what_answers_the_server_may_panic() {
    for own in [true, false] {
        each(
            |client| {
                let client = client.on_form(move |form, _| async move {
                    assert!(!own, "the handler");
                    Ok::<_, std::io::Error>(Answer::Accept(form.defaults()))
                });
                if own {
                    client
                } else {
                    client.receive_middleware(panics(Kind::Request, "elicitation/create"))
                }
            },
            |client, way, era| async move {
                if !way.asks(era) || (!own && era == mcp::Era::Modern) {
                    // What is asked in rounds comes as the result of the call.
                    return;
                }
                let told = match client.call_tool("greet", ()).await {
                    Ok(result) => format!("{result:?}"),
                    Err(error) => error.to_string(),
                };
                assert!(told.contains("panicked"), "{way:?} {era}: {told}");
                client.ping().await.unwrap();
                closes(client).await;
            },
        )
        .await;
    }
}

/// Whoever asks is told that the answer got lost on its way out.
#[tokio::test]
async fn an_answer_that_panics_on_its_way_is_an_error() {
    each(
        |client| {
            client
                .on_form(|form, _| async move { Ok::<_, std::io::Error>(Answer::Accept(form.defaults())) })
                .send_middleware(panics(Kind::Answer, "elicitation/create"))
        },
        |client, way, era| async move {
            if era == mcp::Era::Modern || !way.asks(era) {
                return;
            }
            let told = format!("{:?}", client.call_tool("greet", ()).await.unwrap());
            assert!(told.contains("a send middleware panicked"), "{way:?}: {told}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_client_closes_whatever_its_middleware_waits_for() {
    each(
        |client| {
            client.receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
                if call.method() == "tools/call" {
                    std::future::pending::<()>().await;
                }
                next.run(call).await
            })
        },
        |client, way, era| async move {
            let call = client.call_tool("add", json!({ "a": 1, "b": 2 })).timeout(Duration::from_millis(100));
            let error = call.await.unwrap_err();
            assert!(matches!(error, Error::Timeout { .. }), "{way:?} {era}: {error}");
            closes(client).await;
        },
    )
    .await;
}

/// What panics when it is dropped does not keep a client from closing.
#[tokio::test]
async fn a_client_closes_whatever_panics_at_that() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "what the middleware holds");
        }
    }
    each(
        |client| {
            client.receive_middleware(|call: mcp::Call, next: mcp::Next| async move {
                let _bomb = (call.method() == "tools/call").then(|| Bomb);
                if call.method() == "tools/call" {
                    std::future::pending::<()>().await;
                }
                next.run(call).await
            })
        },
        |client, way, era| async move {
            let call = client.call_tool("add", json!({ "a": 1, "b": 2 })).timeout(Duration::from_millis(100));
            let error = call.await.unwrap_err();
            assert!(matches!(error, Error::Timeout { .. }), "{way:?} {era}: {error}");
            closes(client).await;
        },
    )
    .await;
}
