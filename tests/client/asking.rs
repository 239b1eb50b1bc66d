//! What a server asks: one set of handlers for both eras.

use mcp_runtime::client::{Connecting, Error};
use mcp_runtime::mcp::{Answer, ContentBlock, Root, SamplingResult};
use serde_json::json;

use crate::ways::{Way, each};

fn answering(client: Connecting) -> Connecting {
    client
        .on_form(|form, context| async move {
            assert_eq!(context.method(), "elicitation/create");
            Ok::<_, std::io::Error>(if form.message.starts_with("How old") {
                Answer::Accept(json!({ "age": 7 }))
            } else {
                Answer::Accept(form.defaults())
            })
        })
        .on_page(|page, _| async move {
            assert_eq!(page.url, "https://pay.example/7");
            Ok::<_, std::io::Error>(Answer::Accept(()))
        })
        .on_sampling(|asked, _| async move {
            assert_eq!(asked.max_tokens, Some(1024));
            Ok::<_, std::io::Error>(SamplingResult::of(
                "parrot",
                format!("{} messages", asked.messages.len()),
            ))
        })
        .roots([Root::new("file:///work").named("work")])
}

fn text(blocks: &[ContentBlock]) -> &str {
    match blocks {
        [ContentBlock::Text(block)] => &block.text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn one_set_of_handlers_serves_both_eras() {
    each(answering, |client, way, era| async move {
        if !way.asks(era) {
            let refused = client.call_tool("greet", ()).await.unwrap();
            assert!(refused.is_error, "{refused:?}");
            return;
        }
        // The default of a field is told from 2025-11-25 on.
        let greeted = client.call_tool("greet", ()).await.unwrap();
        assert_eq!(text(&greeted.content), "Ali, 7", "{way:?} {era}");
        let asked = client.call_tool("ask_all", ()).await.unwrap();
        assert_eq!(text(&asked.content), "Ali 1 messages 1", "{way:?} {era}");
        let paid = client.call_tool("pay", ()).await.unwrap();
        assert_eq!(text(&paid.content), "paid", "{way:?} {era}");
    })
    .await;
}

#[tokio::test]
async fn what_nothing_answers_is_not_declared() {
    each(
        |client| client,
        |client, way, era| async move {
            match client.call_tool("greet", ()).await {
                // A modern server says which capability it wants.
                Err(error) => assert_eq!(error.code(), Some(-32021), "{way:?} {era}: {error}"),
                Ok(result) => assert!(result.is_error, "{way:?} {era}: {result:?}"),
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_handler_that_fails_ends_the_call() {
    let failing = |client: Connecting| {
        client.on_form(|_, _| async move { Err::<Answer<_>, _>(std::io::Error::other("nobody is here")) })
    };
    each(failing, |client, way, era| async move {
        if !way.asks(era) {
            return;
        }
        let told = match client.call_tool("greet", ()).await {
            Err(error @ Error::Unanswered { .. }) => error.to_string(),
            Ok(result) => text(&result.content).to_owned(),
            other => panic!("{way:?} {era}: {other:?}"),
        };
        assert!(told.contains("nobody is here"), "{way:?} {era}: {told}");
    })
    .await;
}

#[tokio::test]
async fn declining_is_told() {
    let declining =
        |client: Connecting| client.on_form(|_, _| async move { Ok::<_, std::io::Error>(Answer::Decline) });
    each(declining, |client, way, era| async move {
        if way.asks(era) {
            let result = client.call_tool("greet", ()).await.unwrap();
            assert!(
                result.is_error && text(&result.content).contains("declined"),
                "{way:?} {era}: {result:?}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn rounds_are_bounded() {
    let client = answering(Way::Within.connect().await).max_rounds(1).await.unwrap();
    let error = client.call_tool("greet", ()).await.unwrap_err();
    assert!(error.to_string().contains("asked for input 1 times"), "{error}");
}

/// What is filled in has to fit the form: whoever filled it in is told, before the server is.
#[tokio::test]
async fn an_answer_that_does_not_fit_its_form_is_told() {
    each(
        |client| client.on_form(|_, _| async move { Answer::Accept(json!({ "name": 7 })) }),
        |client, way, era| async move {
            if !way.asks(era) {
                return;
            }
            let told = match client.call_tool("greet", ()).await {
                Ok(result) => text(&result.content).to_owned(),
                Err(error @ Error::Unanswered { .. }) => error.to_string(),
                Err(error) => panic!("{error:?}"),
            };
            assert!(
                told.contains("what was filled in does not fit the form: `name`: expected string, got 7"),
                "{way:?} {era}: {told}"
            );
        },
    )
    .await;
}

/// What a client lacks is told with the option that gives it.
#[tokio::test]
async fn what_is_not_declared_is_named_with_its_option() {
    for (tool, option) in [("greet", ".on_form(…)"), ("pay", ".on_page(…)")] {
        let client = Way::Within.connect().await.await.unwrap();
        let error = client.call_tool(tool, ()).await.unwrap_err().to_string();
        assert!(error.contains(&format!("`{option}` of the client's builder declares it")), "{error}");
    }
}
