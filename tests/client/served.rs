//! What the servers of these tests have: in this process, over HTTP, and as a program.

use std::time::Duration;

use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp::tool(read_only)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says where it runs.
#[mcp::tool]
fn place(
    /// The region.
    #[x_mcp_header("Region")]
    region: String,
    /// How far it is.
    #[x_mcp_header("Distance")]
    distance: Option<i64>,
) -> String {
    format!("{region} {distance:?}")
}

#[derive(mcp::Form)]
struct Name {
    /// How you are called.
    #[arg(default = "Ali".to_owned())]
    name: String,
}

#[derive(mcp::Form)]
struct Age {
    age: u32,
}

/// Asks two things, one after the other.
#[mcp::tool]
async fn greet(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let Name { name } = ctx.elicit("Who are you?").await?;
    let Age { age } = ctx.elicit(format!("How old are you, {name}?")).await?;
    Ok(format!("{name}, {age}"))
}

/// Asks everything at once.
#[mcp::tool]
async fn ask_all(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    let (name, said, roots) = tokio::join!(
        ctx.elicit::<Name>("Who are you?"),
        ctx.sample(mcp::SamplingRequest::text("Say something")),
        ctx.list_roots(),
    );
    Ok(format!("{} {} {}", name?.name, said?.text(), roots?.len()))
}

/// Sends the person to a page.
#[mcp::tool]
async fn pay(ctx: mcp::Context) -> Result<&'static str, mcp::AskError> {
    ctx.elicit_url("Pay here", "https://pay.example/7").await?;
    Ok("paid")
}

/// Tells how far it is, and logs.
#[mcp::tool]
async fn count(ctx: mcp::Context) -> &'static str {
    for step in 1..=3 {
        ctx.log(mcp::LogLevel::Info, format!("step {step}")).await;
        ctx.progress(step).of(3).message(format!("step {step}")).await;
        // Progress is told at a pace; the last is always told.
        tokio::time::sleep(Duration::from_millis(120)).await;
    }
    "done"
}

/// Fails.
#[mcp::tool]
fn fail() -> Result<(), mcp::ToolError> {
    Err(mcp::ToolError::new("this is how it fails"))
}

/// Never ends by itself; says so when it is ended.
#[mcp::tool]
async fn hang(name: String, ctx: mcp::Context) {
    struct Ended(String, mcp::Context);
    impl Drop for Ended {
        fn drop(&mut self) {
            self.1.notify(mcp::Change::resource(format!("test://hang/{}", self.0)));
        }
    }
    let _ended = Ended(name, ctx.clone());
    ctx.log(mcp::LogLevel::Info, "it hangs").await;
    ctx.progress(1).await;
    std::future::pending::<()>().await;
}

/// Ends the whole program.
#[mcp::tool]
fn crash() {
    std::process::exit(3);
}

/// Says that something has changed.
#[mcp::tool]
fn change(what: String, ctx: mcp::Context) {
    ctx.notify(match what.as_str() {
        "tools" => mcp::Change::Tools,
        "prompts" => mcp::Change::Prompts,
        "resources" => mcp::Change::Resources,
        uri => mcp::Change::resource(uri),
    });
}

/// The process that this runs in.
#[mcp::tool]
fn process() -> u32 {
    std::process::id()
}

/// What does not change.
#[mcp::resource("test://fixed", mime_type = "text/plain")]
fn fixed() -> &'static str {
    "fixed"
}

/// What ends in its name.
#[mcp::resource("test://hang/{name}")]
fn hung(name: String) -> String {
    name
}

/// A prompt.
#[mcp::prompt]
fn review(code: String) -> String {
    format!("Review {code}")
}

#[mcp::completion(prompt = "review", argument = "code")]
fn complete_code(typed: String) -> Vec<String> {
    ["alpha", "beta"].into_iter().filter(|one| one.starts_with(&typed)).map(str::to_owned).collect()
}

/// A method of its own.
#[mcp::method("test/echo")]
fn echo(text: String) -> mcp::Json<Value> {
    mcp::Json(serde_json::json!({ "text": text }))
}

/// The trace that the call is a part of.
#[mcp::tool]
fn trace(ctx: mcp::Context) -> String {
    ctx.trace_parent().unwrap_or_default()
}

/// Ends the whole program the first time, and leaves a file that says so.
#[mcp::tool]
fn crash_once(mark: String) -> &'static str {
    end_at_first(&mark)
}

/// The same as a resource.
#[mcp::resource("test://crash-once/{+mark}")]
fn crash_once_to_read(mark: String) -> &'static str {
    end_at_first(&mark)
}

fn end_at_first(mark: &str) -> &'static str {
    if std::fs::File::create_new(mark).is_ok() {
        std::process::exit(3);
    }
    "again"
}
