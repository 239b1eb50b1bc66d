//! Servers that others wrote, spoken to by our client: a trial for each server, era and transport.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use mcp_runtime::client::{Client, Connecting, Subscription, connect};
use mcp_runtime::mcp::{Answer, Change, ContentBlock, Era, ResourceContents, Root, SamplingResult};
use serde_json::json;

use crate::absent;
use crate::node::Node;
use crate::python::Python;

type Outcome = Result<(), Failed>;

/// All servers, over stdio and over HTTP.
pub fn trials(node: &Result<Node, String>, python: &Result<Python, String>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for transport in ["stdio", "http"] {
        // By itself the client finds the newer era.
        for pin in [None, Some(Era::Handshake)] {
            let node = node.as_ref().map(|node| node.program("server.mjs"));
            trials.push(trial("typescript-2", pin, transport, node, whole));
            let python = python.as_ref().map(|python| python.program("server.py"));
            trials.push(trial("python-2", pin, transport, python, whole));
        }
        let everything = node.as_ref().map(Node::everything);
        trials.push(trial("everything", None, transport, everything, everything_there));
    }
    trials
}

fn trial<F, Fut>(
    name: &str,
    pin: Option<Era>,
    transport: &'static str,
    program: Result<Command, &String>,
    body: F,
) -> Trial
where
    F: FnOnce(Connecting, Option<Era>) -> Fut + Send + 'static,
    Fut: Future<Output = Outcome>,
{
    let era = pin.map_or("found", |_| "handshake");
    let name = format!("servers::{name}::{era}::{transport}");
    let program = match program {
        Ok(program) => program,
        Err(why) => return absent::trial(name, why),
    };
    Trial::test(name, move || {
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(async move {
            let (connecting, _server) = reach(program, transport)?;
            let connecting =
                connecting.client_info("outside-client", "1.0.0").timeout(Duration::from_secs(20));
            tokio::time::timeout(Duration::from_secs(60), body(connecting, pin)).await?
        })
    })
}

/// A server that listens, ended when dropped.
struct Listening(Child);

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A client on its way to a server that it starts itself, or to one that listens.
fn reach(mut program: Command, transport: &str) -> Result<(Connecting, Option<Listening>), Failed> {
    if transport == "stdio" {
        program.arg("stdio");
        return Ok((connect(program), None));
    }
    // Some choose a port and say which; others have to be told, and say when they listen.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    program.arg(if program.get_args().any(|arg| arg.to_string_lossy().contains("everything")) {
        "streamableHttp"
    } else {
        "http"
    });
    program.arg(port.to_string()).env("PORT", port.to_string());
    let mut child = program.stdin(Stdio::null()).stderr(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let stderr = child.stderr.take().ok_or("stderr is piped")?;
    let server = Listening(child);
    // What it logs goes where the test's own output goes, and never fills the pipe.
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            eprintln!("{line}");
            let _ = sender.send(line);
        }
    });
    let url = loop {
        let line =
            lines.recv_timeout(Duration::from_secs(30)).map_err(|_| "it does not say that it listens")?;
        if let Some((_, url)) = line.split_once("serving http") {
            break format!("http{url}");
        }
        if line.contains("Uvicorn running on") || line.contains("listening on port") {
            break format!("http://127.0.0.1:{port}/mcp");
        }
    };
    Ok((connect(url), Some(server)))
}

fn text(blocks: &[ContentBlock]) -> String {
    let texts = blocks.iter().map(|block| match block {
        ContentBlock::Text(block) => block.text.clone(),
        other => format!("{other:?}"),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Everything that the small servers have.
async fn whole(connecting: Connecting, pin: Option<Era>) -> Outcome {
    let mut connecting =
        connecting.on_form(|form, _| async move { Ok::<_, std::io::Error>(Answer::Accept(form.defaults())) });
    if let Some(era) = pin {
        connecting = connecting.era(era);
    }
    let client = connecting.await?;
    let era = pin.unwrap_or(Era::Modern);
    let agreed = client.agreed().ok_or("it is connected")?;
    assert_eq!(client.era(), Some(era));
    assert_eq!(agreed.server.name, "outside-server");
    assert_eq!(agreed.instructions.as_deref(), Some("For tests."));

    let mut tools: Vec<_> = client.list_tools().await?.into_iter().map(|tool| tool.name).collect();
    tools.sort();
    assert_eq!(tools, ["add", "change", "count", "greet", "place"]);
    assert_eq!(client.list_prompts().await?[0].name, "review");
    assert_eq!(client.list_resources().await?[0].uri, "test://fixed");

    let call = async |tool: &str, arguments: serde_json::Value| {
        client.call_tool(tool, arguments).await.map(|result| text(&result.content))
    };
    assert_eq!(call("add", json!({ "a": 1, "b": 2 })).await?, "3");
    for region in ["eu", " zürich "] {
        assert_eq!(call("place", json!({ "region": region })).await?, region);
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let count = client.call_tool("count", json!({}));
    let count = count.on_progress(move |progress| told.lock().unwrap().push(progress.progress));
    assert_eq!(text(&count.await?.content), "done");
    assert_eq!(*seen.lock().unwrap(), [1.0, 2.0, 3.0]);
    let prompt = client.prompt("review", json!({ "code": "x" })).await?;
    assert_eq!(text(std::slice::from_ref(&prompt.messages[0].content)), "Review x");
    let read = client.read_resource("test://fixed").await?;
    assert!(matches!(&read.contents[0], ResourceContents::Text { text, .. } if text == "fixed"), "{read:?}");
    let refused = client.call_tool("nothing", json!({})).await;
    assert!(refused.as_ref().map_or(true, |result| result.is_error), "{refused:?}");
    client.ping().await?;
    asks_and_tells(&client, era).await?;
    client.close().await;
    Ok(())
}

/// What a server that has no way back to its client cannot do.
async fn asks_and_tells(client: &Client, era: Era) -> Outcome {
    if client.call_tool("greet", json!({})).await.is_ok_and(|result| !result.is_error) {
        let greeted = client.call_tool("greet", json!({})).await?;
        assert_eq!(text(&greeted.content), "hello, Ali");
    } else if era == Era::Modern {
        return Err("a modern server can ask".into());
    }
    if era == Era::Modern {
        let mut changes = client.changes([Change::Tools]).await?;
        client.call_tool("change", json!({})).await?;
        assert_eq!(next(&mut changes).await?, Change::Tools);
    }
    Ok(())
}

async fn next(changes: &mut Subscription) -> Result<Change, Failed> {
    let change = tokio::time::timeout(Duration::from_secs(20), changes.next()).await?;
    Ok(change.ok_or("the subscription has ended")?)
}

/// The reference server of the handshake era.
async fn everything_there(connecting: Connecting, _: Option<Era>) -> Outcome {
    let client = connecting
        .on_form(|form, _| async move {
            assert!(form.schema["properties"]["name"].is_object(), "{form:?}");
            Ok::<_, std::io::Error>(Answer::Accept(json!({ "name": "Ali" })))
        })
        .on_sampling(|_, _| async move { Ok::<_, std::io::Error>(SamplingResult::of("parrot", "polly")) })
        .roots([Root::new("file:///work").named("work")])
        .await?;
    assert_eq!(client.era(), Some(Era::Handshake));
    let tools = client.list_tools().await?;
    assert!(tools.iter().any(|tool| tool.name == "echo"), "{tools:?}");
    assert!(!client.list_resources().await?.is_empty());
    assert!(!client.list_resource_templates().await?.is_empty());
    let prompts = client.list_prompts().await?;
    assert!(!prompts.is_empty());
    client.prompt("simple-prompt", ()).await?;

    let call = async |tool: &str, arguments: serde_json::Value| {
        client.call_tool(tool, arguments).await.map(|result| text(&result.content))
    };
    assert_eq!(call("echo", json!({ "message": "hello" })).await?, "Echo: hello");
    assert!(call("get-sum", json!({ "a": 1, "b": 2 })).await?.contains('3'));
    let structured = client.call_tool("get-structured-content", json!({ "location": "Chicago" })).await?;
    assert!(structured.structured_content.is_some(), "{structured:?}");
    assert!(call("trigger-elicitation-request", json!({})).await?.contains("Ali"));
    assert!(
        call("trigger-sampling-request", json!({ "prompt": "hi", "maxTokens": 10 })).await?.contains("polly")
    );
    assert!(call("get-roots-list", json!({})).await?.contains("file:///work"));
    let seen = Arc::new(Mutex::new(0));
    let told = Arc::clone(&seen);
    let long = client.call_tool("trigger-long-running-operation", json!({ "duration": 0.2, "steps": 4 }));
    long.on_progress(move |_| *told.lock().unwrap() += 1).await?;
    assert_eq!(*seen.lock().unwrap(), 4);
    client.close().await;
    Ok(())
}
