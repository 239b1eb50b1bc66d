//! What belongs to one call stays with it: its token, and what the server told its caller.

use std::sync::{Arc, Mutex};

use axum::response::IntoResponse;
use http::StatusCode;
use mcp_runtime::client::reqwest::header::{AUTHORIZATION, HeaderValue};
use mcp_runtime::client::{Bearer, Client, connect};
use mcp_runtime::mcp::Era;
use serde_json::json;

use crate::scripted::{Asked, discovered, events, greeted, http};

/// A server of either era that answers everything, and whose calls of `breaks` break off once.
async fn server() -> (String, Arc<Mutex<Vec<Asked>>>) {
    http(|asked| match asked.name() {
        "server/discover" => discovered(asked),
        "initialize" => ([("mcp-session-id", "s1")], greeted(asked).unwrap()).into_response(),
        "notifications/initialized" => StatusCode::ACCEPTED.into_response(),
        "GET" => match asked.header("last-event-id") {
            Some(id) => {
                let answer = json!({ "jsonrpc": "2.0", "id": id.parse::<u64>().unwrap(), "result": {} });
                events(format!("data: {answer}\n\n"))
            }
            None => events(": nothing yet\n\n"),
        },
        "DELETE" => StatusCode::NO_CONTENT.into_response(),
        "breaks" => events(format!("id: {}\nretry: 1\ndata:\n\n", asked.message["id"])),
        "resources/read" => {
            let who = asked.header("authorization").unwrap_or("nobody");
            asked.result(json!({
                "resultType": "complete",
                "contents": [{ "uri": "test://mine", "text": format!("of {who}") }],
                "ttlMs": 60_000,
                "cacheScope": "private",
            }))
        }
        _ => asked.result(json!({ "resultType": "complete", "tools": [], "content": [] })),
    })
    .await
}

fn token(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("it is a header")
}

/// Whose token came with what, in order.
fn whose(asked: &Mutex<Vec<Asked>>) -> Vec<(String, Option<String>)> {
    let told = |one: &Asked| (one.name().to_owned(), one.header("authorization").map(str::to_owned));
    asked.lock().unwrap().iter().map(told).collect()
}

#[tokio::test]
async fn a_token_of_one_call_goes_with_no_other() {
    for (era, base) in [(Era::Modern, None), (Era::Handshake, Some("the client"))] {
        let (url, asked) = server().await;
        let mut client = connect(url).era(era);
        if let Some(base) = base {
            client = client.header(AUTHORIZATION, token(base));
        }
        let client = client.await.unwrap();
        client.call_tool("t", json!({})).header(AUTHORIZATION, token("Ann")).await.unwrap();
        if era == Era::Handshake {
            client.request("breaks", ()).header(AUTHORIZATION, token("Ann")).await.unwrap();
        }
        client.list_prompts().await.unwrap();
        client.close().await;
        let whose = whose(&asked);
        for (name, who) in &whose {
            let is_hers = name == "tools/call"
                || name == "breaks"
                // What is to be known of the tool is what its caller may know.
                || (era == Era::Modern && name == "tools/list");
            let resumed = name == "GET" && who.as_deref() == Some("Ann");
            let expected = if is_hers || resumed { Some("Ann") } else { base };
            assert_eq!(who.as_deref(), expected, "{era} {name}: {whose:?}");
        }
        // The stream of her call was taken up again in her name, and only that.
        let asked = asked.lock().unwrap();
        let mut again = asked.iter().filter(|one| one.header("last-event-id").is_some());
        assert_eq!(again.clone().count(), usize::from(era == Era::Handshake), "{whose:?}");
        assert!(again.all(|one| one.header("authorization") == Some("Ann")), "{whose:?}");
    }
}

#[tokio::test]
async fn the_token_of_a_call_stands_before_that_of_everything() {
    let (url, asked) = server().await;
    let client = connect(url).era(Era::Handshake).send_middleware(Bearer::token("all")).await.unwrap();
    client.request("x", ()).header(AUTHORIZATION, token("Ann")).await.unwrap();
    client.request("y", ()).await.unwrap();
    client.close().await;
    let whose = whose(&asked);
    for (name, who) in &whose {
        let expected = if name == "x" { "Ann" } else { "Bearer all" };
        assert_eq!(who.as_deref(), Some(expected), "{name}: {whose:?}");
    }
    assert!(whose.iter().any(|(name, _)| name == "DELETE"), "{whose:?}");
}

async fn reads(client: &Client, who: Option<&str>) -> String {
    let mut reading = client.read_resource("test://mine");
    if let Some(who) = who {
        reading = reading.header(AUTHORIZATION, token(who));
    }
    format!("{:?}", reading.await.unwrap().contents)
}

#[tokio::test]
async fn what_one_caller_was_told_no_other_is() {
    let (url, asked) = server().await;
    let client = connect(url).era(Era::Modern).await.unwrap();
    for who in [Some("Ann"), Some("Bob"), None, Some("Ann"), None] {
        let said = reads(&client, who).await;
        assert!(said.contains(&format!("of {}", who.unwrap_or("nobody"))), "{who:?}: {said}");
    }
    let reads = asked.lock().unwrap().iter().filter(|one| one.name() == "resources/read").count();
    assert_eq!(reads, 4, "what belongs to no call alone is kept");
}

#[tokio::test]
async fn a_call_that_is_taken_back_is_so_by_its_caller() {
    let (url, asked) = server().await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let call = client.request("breaks", ()).header(AUTHORIZATION, token("Ann"));
    let error = call.timeout(std::time::Duration::from_millis(50)).await.unwrap_err();
    assert!(error.to_string().contains("within 50ms"), "{error}");
    let taken_back = || {
        let asked = asked.lock().unwrap();
        let back = asked.iter().find(|one| one.name() == "notifications/cancelled")?;
        Some(back.header("authorization").map(str::to_owned))
    };
    let who = tokio::time::timeout(std::time::Duration::from_secs(20), async {
        loop {
            match taken_back() {
                Some(who) => return who,
                None => tokio::task::yield_now().await,
            }
        }
    });
    assert_eq!(who.await.expect("it is taken back").as_deref(), Some("Ann"));
}

/// What is asked on the stream of a call is answered by whoever has called.
#[tokio::test]
async fn an_answer_comes_from_the_caller_of_its_call() {
    let (url, asked) = http(|asked| match asked.name() {
        "initialize" => greeted(asked).unwrap(),
        "asks" => {
            let ping = json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" });
            let answer = json!({ "jsonrpc": "2.0", "id": asked.message["id"], "result": {} });
            events(format!("data: {ping}\n\ndata: {answer}\n\n"))
        }
        "GET" => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        _ => StatusCode::ACCEPTED.into_response(),
    })
    .await;
    let client = connect(url).era(Era::Handshake).header(AUTHORIZATION, token("the client")).await.unwrap();
    client.request("asks", ()).header(AUTHORIZATION, token("Ann")).await.unwrap();
    let who = || {
        let asked = asked.lock().unwrap();
        let answer = asked.iter().find(|one| one.message["id"] == "p")?;
        Some(answer.header("authorization").map(str::to_owned))
    };
    let answered = tokio::time::timeout(std::time::Duration::from_secs(20), async {
        loop {
            match who() {
                Some(who) => return who,
                None => tokio::task::yield_now().await,
            }
        }
    });
    assert_eq!(answered.await.expect("the ping is answered").as_deref(), Some("Ann"));
}

/// Members of `_meta` come together, whoever gives them.
#[tokio::test]
async fn every_member_of_the_meta_is_sent() {
    let (url, asked) = server().await;
    let client = connect(url).era(Era::Handshake).await.unwrap();
    let call = client.request("x", json!({ "_meta": { "mine": 1 } })).meta("acme/other", 2).on_progress(drop);
    call.await.unwrap();
    let asked = asked.lock().unwrap();
    let meta = &asked.iter().find(|one| one.name() == "x").unwrap().message["params"]["_meta"];
    assert_eq!((&meta["mine"], &meta["acme/other"]), (&json!(1), &json!(2)), "{meta}");
    assert!(meta["progressToken"].is_u64(), "{meta}");
}

/// What may be secret in a URL is in no error.
#[tokio::test]
async fn errors_show_no_secrets() {
    let error = connect("http://ann:SECRET@127.0.0.1:9/mcp?key=SECRET").await.unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(shown.contains("127.0.0.1:9/mcp") && !shown.contains("SECRET"), "{shown}");
}

/// Nor do those of what broke off.
#[tokio::test]
async fn what_breaks_off_shows_no_secrets() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        // Whoever connects is left alone.
        while let Ok((socket, _)) = listener.accept().await {
            drop(socket);
        }
    });
    let error = connect(format!("http://{address}/mcp?key=SECRET")).await.unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains("SECRET"), "{shown}");
}
