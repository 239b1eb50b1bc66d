//! Middleware of clients, and the way of a call through all four stacks.

use std::sync::{Arc, Mutex};

use mcp_runtime::client::{Bearer, Connecting, Error, Retry, TraceParent, connect};
use mcp_runtime::mcp::{self, Answer, Era, Principal, Refusal};
use mcp_runtime::{Library, Server, Sessions};
use serde_json::json;

use crate::ways::{Way, each, http, program, server};

/// What was seen, in its order.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// A middleware that notes what goes in, and of requests what comes out.
    fn middleware(
        &self,
        place: &'static str,
    ) -> impl Fn(mcp::Call, mcp::Next) -> std::pin::Pin<Box<dyn Future<Output = mcp::Reply> + Send>>
    + Send
    + Sync
    + 'static {
        let seen = self.clone();
        move |call, next| {
            let seen = seen.clone();
            Box::pin(async move {
                let told = format!("{place} {:?} {}", call.kind(), call.method()).to_lowercase();
                let is_request = call.kind() == mcp::middleware::Kind::Request;
                seen.note(told.clone());
                let reply = next.run(call).await;
                if is_request {
                    seen.note(format!("{told} is answered"));
                }
                reply
            })
        }
    }

    fn on_client(&self, client: Connecting) -> Connecting {
        client
            .send_middleware(self.middleware("client send"))
            .receive_middleware(self.middleware("client receive"))
    }

    fn on_server(&self, server: Server<Library>) -> Server<Library> {
        server
            .receive_middleware(self.middleware("server receive"))
            .send_middleware(self.middleware("server send"))
    }
}

fn answering(client: Connecting) -> Connecting {
    client.on_form(|form, _| async move {
        let age = form.message.starts_with("How old");
        Ok::<_, std::io::Error>(Answer::Accept(if age { json!({ "age": 7 }) } else { form.defaults() }))
    })
}

/// The steps of one call without asks.
const STEPS: [&str; 7] = [
    "client send request tools/call",
    "server receive request tools/call",
    "server receive request tools/call is answered",
    "server send answer tools/call",
    "client receive answer tools/call",
    "client send request tools/call is answered",
    "the caller has it",
];

#[tokio::test]
async fn a_call_passes_all_four_stacks_once_each() {
    for era in [Era::Modern, Era::Handshake] {
        for over_http in [false, true] {
            let seen = Seen::default();
            let server = seen.on_server(server());
            let connecting = if over_http { connect(http(server).await) } else { connect(server) };
            let client = seen.on_client(connecting).era(era).await.unwrap();
            client.list_tools().await.unwrap();
            seen.take();
            client.call_tool("add", json!({ "a": 1, "b": 2 })).await.unwrap();
            seen.note("the caller has it".to_owned());
            assert_eq!(seen.take(), STEPS, "{era} {over_http}");
        }
    }
}

#[tokio::test]
async fn with_asks_it_passes_them_once_a_round() {
    for era in [Era::Modern, Era::Handshake] {
        let seen = Seen::default();
        let client = answering(seen.on_client(connect(seen.on_server(server())))).era(era).await.unwrap();
        seen.take();
        client.call_tool("greet", json!({})).await.unwrap();
        seen.note("the caller has it".to_owned());
        let all = seen.take();
        let round = &STEPS[..6];
        match era {
            // Each question ends a round.
            Era::Modern => assert_eq!(all, [round, round, &STEPS].concat()),
            Era::Handshake => {
                let count = |part: &str| all.iter().filter(|step| step.as_str() == part).count();
                for once in STEPS {
                    assert_eq!(count(once), 1, "{once}: {all:#?}");
                }
                for twice in [
                    "server send request elicitation/create",
                    "client receive request elicitation/create",
                    "client receive request elicitation/create is answered",
                    "client send answer elicitation/create",
                    "server receive answer elicitation/create",
                ] {
                    assert_eq!(count(twice), 2, "{twice}: {all:#?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn everything_passes_the_stacks_of_a_client() {
    let seen = Seen::default();
    let own = seen.clone();
    each(
        move |client| own.on_client(client),
        |client, way, era| {
            let seen = seen.clone();
            async move {
                let greeting = seen.take();
                let first = match era {
                    Era::Modern => "client send request server/discover",
                    Era::Handshake => "client send request initialize",
                };
                assert_eq!(greeting[0], first, "{way:?}");
                let initialized =
                    greeting.contains(&"client send notification notifications/initialized".into());
                assert_eq!(initialized, era == Era::Handshake, "{way:?} {greeting:?}");
                client.call_tool("count", json!({})).on_progress(drop).await.unwrap();
                let told = "client receive notification notifications/progress".to_owned();
                assert!(seen.take().contains(&told), "{way:?} {era}");
                client.close().await;
                seen.take();
            }
        },
    )
    .await;
}

#[tokio::test]
async fn middleware_refuses_changes_and_drops() {
    async fn refusing(call: mcp::Call, next: mcp::Next) -> mcp::Reply {
        if call.method() == "tools/call" && call.params()["name"] == "fail" {
            return mcp::ProtocolError::invalid_params("not this one").into();
        }
        if call.method() == "prompts/list" {
            return mcp::Reply::none();
        }
        let mut reply = next.run(call).await;
        reply.set("added", 7);
        reply
    }
    async fn losing(call: mcp::Call, next: mcp::Next) -> mcp::Reply {
        if call.method() == "resources/list" { mcp::Reply::none() } else { next.run(call).await }
    }
    each(
        |client| client.send_middleware(refusing).receive_middleware(losing),
        |client, way, era| async move {
            let error = client.call_tool("fail", json!({})).await.unwrap_err();
            // It is not the server that refuses.
            assert_eq!(
                error.to_string(),
                "a middleware of the client stopped it: not this one",
                "{way:?} {era}"
            );
            assert!(error.has_not_run());
            let error = client.list_prompts().await.unwrap_err();
            assert!(matches!(error, Error::Stopped(_)), "{way:?} {era}: {error:?}");
            let error = client.list_resources().await.unwrap_err();
            assert!(error.to_string().contains("the answer to `resources/list` was dropped"), "{error}");
            let result = client.request("test/echo", json!({ "text": "x" })).await.unwrap();
            assert_eq!(result["added"], 7);
        },
    )
    .await;
}

async fn by_token(parts: ::http::request::Parts) -> Result<Principal, Refusal> {
    match parts.headers.get("authorization").map(::http::HeaderValue::as_bytes) {
        Some(b"Bearer good") => Ok(Principal::new("ali")),
        _ => Err(Refusal::unauthorized("Bearer realm=\"test\"")),
    }
}

#[tokio::test]
async fn a_bearer_token_goes_with_everything() {
    for era in [Era::Modern, Era::Handshake] {
        let url = http(server().authenticate(by_token).sessions(Sessions::default())).await;
        let error = connect(&url).era(era).await.unwrap_err();
        assert!(error.to_string().contains("WWW-Authenticate: Bearer realm=\"test\""), "{error}");

        // The first is good no more, and another is asked for.
        let asked = Arc::new(Mutex::new(0));
        let bearer = Bearer::from(move || {
            let mut asked = asked.lock().unwrap();
            *asked += 1;
            let token = if *asked == 1 { "old" } else { "good" };
            async move { Ok::<_, std::io::Error>(token.to_owned()) }
        });
        let client = connect(&url).era(era).send_middleware(bearer).await.unwrap();
        // The stream of changes is not one of the messages, and is for the same caller.
        let mut changes = client.changes([mcp::Change::Tools]).await.unwrap();
        client.call_tool("change", json!({ "what": "tools" })).await.unwrap();
        assert_eq!(changes.next().await, Some(mcp::Change::Tools), "{era}");
        client.close().await;
    }
}

#[tokio::test]
async fn the_trace_is_told_over_every_way() {
    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    each(
        |client| client.send_middleware(TraceParent::from(|| Some(PARENT.to_owned()))),
        |client, way, era| async move {
            if era == Era::Handshake && matches!(way, Way::Within | Way::Program) {
                // That revisions of this era have it in `_meta` is not said anywhere, and there are no headers.
                return;
            }
            let trace = client.call_tool("trace", json!({})).await.unwrap();
            assert!(format!("{trace:?}").contains(PARENT), "{way:?} {era}: {trace:?}");
        },
    )
    .await;
    let client = Way::Within.connect().await.send_middleware(TraceParent::fresh()).await.unwrap();
    let trace = client.call_tool("trace", json!({})).await.unwrap();
    assert!(format!("{trace:?}").contains("00-"), "{trace:?}");
}

#[tokio::test]
async fn what_may_run_twice_is_tried_again() {
    for era in [Era::Modern, Era::Handshake] {
        let folder = tempfile::tempdir().unwrap();
        let mark = |name: &str| folder.path().join(name).display().to_string();
        let retry = Retry::times(2).pause(std::time::Duration::from_millis(1));
        let client = connect(program()).era(era).send_middleware(retry.clone()).await.unwrap();
        let read = client.read_resource(format!("test://crash-once/{}", mark("read"))).await.unwrap();
        assert!(format!("{read:?}").contains("again"), "{read:?}");
        // A tool may do anything.
        let error = client.call_tool("crash_once", json!({ "mark": mark("once") })).await.unwrap_err();
        assert!(matches!(error, Error::Disconnected { .. }), "{era}: {error:?}");

        let also = retry.also(|call| call.params()["name"] == "crash_once");
        let client = connect(program()).era(era).send_middleware(also).await.unwrap();
        let called = client.call_tool("crash_once", json!({ "mark": mark("twice") })).await.unwrap();
        assert!(format!("{called:?}").contains("again"), "{called:?}");
    }
}
