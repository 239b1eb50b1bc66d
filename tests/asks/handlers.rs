//! What asks.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use mcp_runtime::prelude::*;

/// How often each effect has happened.
pub struct Effects(Mutex<HashMap<String, usize>>);

pub static EFFECTS: LazyLock<Effects> = LazyLock::new(|| Effects(Mutex::default()));

impl Effects {
    pub fn count(&self, name: &str) -> usize {
        self.lock().get(name).copied().unwrap_or_default()
    }

    fn happens(&self, name: &str) {
        *self.lock().entry(name.to_owned()).or_default() += 1;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(mcp::Form)]
struct Person {
    name: String,
    age: Option<u8>,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Takes an order.
#[mcp::tool]
async fn order(what: String, ctx: mcp::Context) -> Result<String, Failure> {
    let person: Person = ctx.elicit("Who are you?").await?;
    let receipt: u32 = ctx
        .once("charge", async || {
            EFFECTS.happens("order");
            Ok::<_, std::io::Error>(1)
        })
        .await?;
    ctx.elicit_url("Pay here", "https://pay.example/1").await?;
    let (note, roots) = tokio::join!(ctx.sample(mcp::SamplingRequest::text(what.as_str())), ctx.list_roots());
    let (note, roots) = (note?.text(), roots?);
    let folder = roots[0].name.clone().unwrap_or_default();
    let age = person.age.unwrap_or_default();
    Ok(format!("{} ({age}) ordered {what}: receipt {receipt}; {note} in {folder}", person.name))
}

/// Does not take a no.
#[mcp::tool]
async fn insist(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let person: Person = ctx.elicit("Really?").await?;
    Ok(person.name)
}

/// Takes a no.
#[mcp::tool]
async fn accept_a_no(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let answer = ctx.elicit::<Person>("Really?").key("really").answer().await?;
    Ok(match answer {
        mcp::Answer::Accept(person) => person.name,
        mcp::Answer::Decline => "no: Decline".to_owned(),
        mcp::Answer::Cancel => "no: Cancel".to_owned(),
    })
}

/// Asks, and does without where that fails.
#[mcp::tool]
async fn do_without(ctx: mcp::Context) -> String {
    match ctx.elicit::<Person>("Who are you?").await {
        Ok(person) => person.name,
        Err(_) => "without".to_owned(),
    }
}

/// Greets whoever answers.
#[mcp::prompt]
async fn greet(ctx: mcp::Context) -> Result<String, mcp::ProtocolError> {
    let person: Person = ctx.elicit("Who are you?").await?;
    Ok(format!("Greet {}", person.name))
}

#[mcp::resource("who://asks", cache_ttl_ms = 60_000)]
async fn who(ctx: mcp::Context) -> Result<String, Failure> {
    Ok(ctx.elicit::<Person>("Who are you?").await?.name)
}

#[derive(mcp::Args)]
enum Plain {
    Red,
    Green,
}

#[derive(mcp::Args)]
enum Titled {
    /// Red
    #[serde(rename = "#f00")]
    Red,
    /// Green
    #[serde(rename = "#0f0")]
    Green,
}

#[derive(mcp::Form)]
struct Everything {
    /// Your name.
    #[arg(length = 1..=80)]
    name: String,
    #[arg(default = 18, range = 0..=150)]
    age: u8,
    #[schemars(title = "Height in metres")]
    height: f64,
    #[arg(default = true)]
    subscribe: bool,
    plain: Plain,
    titled: Titled,
    several: Vec<Plain>,
    titles: Vec<Titled>,
}

/// Asks everything.
#[mcp::tool]
async fn fill_in(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let all: Everything = ctx.elicit("Fill this in").await?;
    let plain = |colour: &Plain| matches!(colour, Plain::Red);
    let titled = |colour: &Titled| matches!(colour, Titled::Red);
    Ok(format!(
        "{} {} {} {} {} {} {} {}",
        all.name,
        all.age,
        all.height,
        all.subscribe,
        plain(&all.plain),
        titled(&all.titled),
        all.several.iter().filter(|one| plain(one)).count(),
        all.titles.iter().filter(|one| titled(one)).count(),
    ))
}

/// Asks by a text that is another each time.
#[mcp::tool]
async fn restless(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    EFFECTS.happens("restless");
    let text = format!("Attempt {}", EFFECTS.count("restless"));
    let person: Person = ctx.elicit(text).await?;
    Ok(person.name)
}

/// Asks where it should not.
#[mcp::tool]
async fn asks_inside_once(ctx: mcp::Context) -> Result<String, Failure> {
    let inner = ctx.clone();
    Ok(ctx.once("a", async || inner.elicit::<Person>("Who are you?").await.map(|person| person.name)).await?)
}

/// Uses a key twice.
#[mcp::tool]
async fn key_twice(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let first: Person = ctx.elicit("Who are you?").key("who").await?;
    let second: Person = ctx.elicit("Who are you?").key("who").await?;
    Ok(first.name + &second.name)
}

/// Gives up what it has asked, and asks it again under the same key.
#[mcp::tool]
async fn asks_again(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let soon = std::time::Duration::from_millis(5);
    let given_up = tokio::time::timeout(soon, ctx.elicit::<Person>("Who are you?").key("who").answer()).await;
    assert!(given_up.is_err(), "nobody answers as fast");
    Ok(ctx.elicit::<Person>("Who are you?").key("who").await?.name)
}

/// Asks once more what nobody has answered, under the same key.
#[mcp::tool]
async fn asks_once_more(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    match ctx.elicit::<Person>("Who are you?").key("who").await {
        Err(mcp::AskError::Unanswered) => Ok(ctx.elicit::<Person>("Who are you?").key("who").await?.name),
        other => Ok(other?.name),
    }
}

/// Uses the key of a `once` twice.
#[mcp::tool]
async fn once_twice(ctx: mcp::Context) -> Result<String, mcp::OnceError> {
    let first: u8 = ctx.once("a", async || Ok::<_, std::io::Error>(1)).await?;
    let second: u8 = ctx.once("a", async || Ok::<_, std::io::Error>(2)).await?;
    Ok(format!("{first} {second}"))
}

/// Asks in a task of its own.
#[mcp::tool]
async fn asks_elsewhere(ctx: mcp::Context) -> Result<String, Failure> {
    let asked = tokio::spawn(async move { ctx.elicit::<Person>("Who are you?").await });
    Ok(asked.await??.name)
}

/// Asks two things that race.
#[mcp::tool]
async fn races(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let slow = async {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        ctx.elicit::<Person>("Who are you?").await
    };
    tokio::select! {
        person = slow => Ok(person?.name),
        roots = ctx.list_roots() => Ok(roots?.len().to_string()),
    }
}
