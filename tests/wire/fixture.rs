//! The server that the rows are about, in its configurations.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use mcp_runtime::prelude::*;
use mcp_runtime::{Library, Server, Sessions};
use mcp_runtime_tests::listen::listen;
use tokio::sync::{Barrier, Semaphore};

/// How often a handler of this file has run.
pub static RUNS: AtomicUsize = AtomicUsize::new(0);

/// The turn of one test: rows tell by [`RUNS`] whether a handler ran, so that no other test may run any.
pub fn turn() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ran() {
    RUNS.fetch_add(1, Ordering::SeqCst);
}

/// Says it again.
#[mcp::tool(title = "Echo")]
async fn echo(text: String) -> String {
    ran();
    text
}

/// Where something is.
#[derive(mcp::Args)]
struct Place {
    #[x_mcp_header("Zone")]
    zone: Option<String>,
    street: Option<String>,
}

/// Has arguments that are mirrored.
#[mcp::tool(open)]
async fn mirrored(
    #[x_mcp_header] region: Option<String>,
    #[x_mcp_header("Count")] count: Option<i64>,
    #[x_mcp_header("Flag")] flag: Option<bool>,
    place: Option<Place>,
) -> String {
    ran();
    format!("{region:?} {count:?} {flag:?} {:?}", place.map(|place| (place.zone, place.street)))
}

/// Has a mirrored argument with a default, and one whose name on the wire is not that of the parameter.
#[mcp::tool]
async fn defaulted(
    #[x_mcp_header("Depth")]
    #[arg(default = 3)]
    depth: i64,
    #[x_mcp_header("Kind")]
    #[arg(name = "type")]
    kind: Option<String>,
) -> String {
    ran();
    format!("{depth} {kind:?}")
}

/// What calls have added up to.
#[derive(Clone, Default)]
pub struct Tally(Arc<AtomicUsize>);

/// Adds to what all callers share; none begins anew.
#[mcp::tool]
async fn tally(add: Option<usize>, tally: mcp::State<Tally>) -> String {
    match add {
        None => tally.0.0.store(0, Ordering::SeqCst),
        Some(add) => _ = tally.0.0.fetch_add(add, Ordering::SeqCst),
    }
    tally.0.0.load(Ordering::SeqCst).to_string()
}

/// Takes another tool away, or brings it back.
#[mcp::tool]
async fn offer(on: bool, handle: mcp::Handle) -> Result<(), mcp::UnknownName> {
    if on { handle.enable("extra") } else { handle.disable("extra") }
}

fn changed(what: String) -> mcp::Change {
    match what.as_str() {
        "tools" => mcp::Change::Tools,
        "prompts" => mcp::Change::Prompts,
        "resources" => mcp::Change::Resources,
        _ => mcp::Change::resource(what),
    }
}

/// Tells that something has changed, and what became of that.
#[mcp::tool]
async fn change(what: String, ctx: mcp::Context) -> String {
    format!("{:?}", ctx.notify(changed(what)))
}

/// Tells that something has changed, and does not end.
#[mcp::tool]
async fn change_and_wait(ctx: mcp::Context) -> &'static str {
    ctx.notify(mcp::Change::Tools);
    std::future::pending().await
}

#[derive(mcp::Form)]
struct Person {
    name: String,
}

/// Asks who calls.
#[mcp::tool]
async fn asks(ctx: mcp::Context) -> Result<String, mcp::AskError> {
    ran();
    ctx.progress(1).await;
    Ok(ctx.elicit::<Person>("Who are you?").key("who").await?.name)
}

/// Is busy for ever, and lets others work in between.
#[mcp::tool]
async fn busy() {
    loop {
        tokio::task::consume_budget().await;
    }
}

/// Comes and goes.
#[mcp::tool]
async fn extra() -> &'static str {
    "here"
}

/// Shows which trace the call is a part of, and tells one thing.
#[mcp::tool]
async fn traced(ctx: mcp::Context) -> String {
    ctx.progress(1).await;
    let meta = ctx.meta();
    let parts = ["traceparent", "tracestate", "baggage"];
    parts.map(|part| meta.get(part).cloned().unwrap_or_default().to_string()).join(" ")
}

/// Tells one thing, then refuses.
#[mcp::tool]
async fn tells_and_fails(ctx: mcp::Context) -> Result<String, mcp::ProtocolError> {
    ctx.progress(1).await;
    Err(mcp::ProtocolError::new(-32602, "refused"))
}

/// Ends once it is called a second time.
#[mcp::tool]
async fn meet() -> &'static str {
    static BOTH: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(2));
    BOTH.wait().await;
    "met"
}

/// How many calls of `held` have begun, have ended, and have been dropped before their end.
pub static HELD: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// What calls of `held` wait for.
pub static LET_GO: Semaphore = Semaphore::const_new(0);

/// Counts a call that is dropped before its end.
struct Unended;

impl Drop for Unended {
    fn drop(&mut self) {
        HELD[2].fetch_add(1, Ordering::SeqCst);
    }
}

/// Is held until it is let go.
#[mcp::tool]
async fn held(ctx: mcp::Context) -> &'static str {
    let unended = Unended;
    ctx.progress(1).await;
    HELD[0].fetch_add(1, Ordering::SeqCst);
    if let Ok(permit) = LET_GO.acquire().await {
        permit.forget();
    }
    std::mem::forget(unended);
    HELD[1].fetch_add(1, Ordering::SeqCst);
    "let go"
}

/// Tells how far it has come, three times.
#[mcp::tool]
async fn progress(ctx: mcp::Context) -> &'static str {
    for step in 1..=3 {
        ctx.progress(step).of(3).await;
    }
    "done"
}

/// Tells that it has come less far than before.
#[mcp::tool]
async fn falters(ctx: mcp::Context) -> &'static str {
    for step in [0.0, 1.0, 1.0, 0.5, f64::NAN, -1.0, 1.5, 1.25] {
        ctx.progress(step).await;
    }
    "done"
}

/// Logs at every level.
#[mcp::tool]
async fn logs(ctx: mcp::Context) -> &'static str {
    for level in mcp::LogLevel::ALL {
        ctx.log(level, level.as_str()).await;
    }
    "done"
}

/// Does not end.
#[mcp::tool]
async fn forever() -> &'static str {
    ran();
    std::future::pending().await
}

/// Panics.
#[mcp::tool]
async fn panics() -> String {
    panic!("the secret is 1234")
}

/// Panics with what panics again when it is dropped.
#[mcp::tool]
async fn panics_twice() -> String {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            std::panic::panic_any("dropped")
        }
    }
    std::panic::panic_any(Bomb)
}

/// Returns a list as data.
#[mcp::tool]
async fn numbers() -> mcp::Json<Vec<u8>> {
    mcp::Json(vec![1, 2])
}

/// Returns what does not fit its schema.
#[mcp::tool]
async fn misfit() -> mcp::Json<f64> {
    mcp::Json(f64::NAN)
}

/// Tells what the request's `_meta` holds.
#[mcp::tool]
async fn tells_meta(ctx: mcp::Context) -> String {
    ctx.meta().get("own").map(ToString::to_string).unwrap_or_default()
}

/// Refuses by an error of the protocol.
#[mcp::tool]
async fn refuses(code: i32) -> Result<String, mcp::ProtocolError> {
    Err(mcp::ProtocolError::new(code, "refused"))
}

/// Review a piece of code.
#[mcp::prompt]
async fn review(code: String, lines: Option<u8>) -> String {
    ran();
    format!("{code} {lines:?}")
}

/// How a poem is written.
#[derive(mcp::Args)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Haiku,
    HeroicCouplet,
    Sonnet,
}

/// Write a poem.
#[mcp::prompt]
async fn poem(form: Form, rhymes: Option<bool>) -> String {
    let form = match form {
        Form::Haiku => "haiku",
        Form::HeroicCouplet => "couplet",
        Form::Sonnet => "sonnet",
    };
    format!("{form} {rhymes:?}")
}

#[mcp::completion(prompt = "review", argument = "lines")]
async fn complete_lines(typed: String, code: Option<String>) -> Vec<String> {
    vec![typed, code.unwrap_or_default()]
}

#[mcp::resource("config://app", mime_type = "text/plain", cache_ttl_ms = 60_000, cache_scope = "public")]
async fn config() -> &'static str {
    ran();
    "debug = false"
}

#[mcp::resource("item://{id}")]
async fn item(id: u8) -> Result<String, mcp::ResourceError> {
    if id < 100 { Ok(format!("item {id}")) } else { Err(mcp::ResourceError::not_found()) }
}

/// Templates that share URIs; in their list the closest comes last.
mod shared_uris {
    use super::*;

    #[mcp::resource("shared://{+path}", name = "any", order = 1)]
    async fn any(path: String) -> String {
        format!("any {path}")
    }

    #[mcp::resource("shared://{a}/{b}", name = "two", order = 2)]
    async fn two(a: String, b: String) -> String {
        format!("two {a} {b}")
    }

    #[mcp::resource("shared://{a}/{b}{?c}", name = "query", order = 1)]
    async fn query(a: String, b: String, c: Option<String>) -> String {
        format!("query {a} {b} {c:?}")
    }

    #[mcp::resource("shared://docs/{b}", name = "docs", order = 3)]
    async fn docs(b: String) -> String {
        format!("docs {b}")
    }

    #[mcp::resource("shared://docs/index", name = "index", order = 4)]
    async fn index() -> &'static str {
        "index"
    }
}

/// Templates with variables that are paths.
mod paths {
    use std::path::PathBuf;

    use super::*;

    #[mcp::resource("file:///srv/{+path}")]
    async fn below(path: String) -> String {
        ran();
        path
    }

    #[mcp::resource("file:///logs/{name}.log")]
    async fn log(name: String) -> String {
        ran();
        name
    }

    #[mcp::resource("note://{+path}{?beside}")]
    async fn note(path: PathBuf, beside: Option<PathBuf>) -> String {
        ran();
        format!("{} {beside:?}", path.display())
    }

    #[mcp::resource("text://{+any}")]
    async fn text(any: String) -> String {
        any
    }
}

#[mcp::method("acme/sum")]
async fn sum(a: i64, b: i64) -> mcp::Json<Value> {
    mcp::Json(serde_json::json!({ "sum": a + b }))
}

/// Says by itself what the modern era has in every result.
#[mcp::method("acme/stamped")]
async fn stamped() -> Value {
    serde_json::json!({
        "resultType": "own", "ttlMs": 5, "cacheScope": "public", "kept": true,
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "own", "version": "1"}, "own": 1},
    })
}

#[mcp::notification("notifications/acme/note")]
async fn note(text: String) -> Result<(), String> {
    if text == "bad" { Err("a bad note".to_owned()) } else { Ok(()) }
}

/// Describes the server in its own words, and says something on the way.
async fn discover(ctx: mcp::Context) -> mcp::Json<Value> {
    ran();
    ctx.log(mcp::LogLevel::Alert, "asked").await;
    mcp::Json(
        serde_json::json!({"supportedVersions": ["2026-07-28"], "capabilities": {}, "own": true, "ttlMs": 5}),
    )
}

async fn by_name(parts: http::request::Parts) -> Result<mcp::Principal, mcp::Refusal> {
    let name = parts.headers.get("authorization").and_then(|name| name.to_str().ok());
    Ok(name.map_or_else(mcp::Principal::anonymous, mcp::Principal::new))
}

async fn by_token(parts: http::request::Parts) -> Result<mcp::Principal, mcp::Refusal> {
    match parts.headers.get("authorization") {
        Some(_) => Ok(mcp::Principal::new("ali")),
        None => Err(mcp::Refusal::unauthorized("Bearer")),
    }
}

#[mcp::notification("notifications/acme/hang")]
async fn hang() {
    std::future::pending::<()>().await;
}

/// A configuration of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Config {
    Default,
    ModernOnly,
    HandshakeOnly,
    /// Nothing is registered.
    Empty,
    /// One handshake revision alone.
    Narrow,
    /// No guards.
    Unguarded,
    /// Bodies of at most 1000 bytes.
    Small,
    /// The same, of the modern era alone.
    SmallModern,
    /// One modern revision alone.
    NarrowModern,
    /// No guards, in the modern era alone.
    UnguardedModern,
    /// A tool is disabled.
    Hidden,
    /// A handler of `server/discover` of its own.
    Discover,
    /// Handshake clients have sessions, each caller their own.
    Sessions,
    /// Callers have a token, and bodies have at most 1000 bytes.
    Authenticated,
}

impl Config {
    pub fn server(self) -> Server<Library> {
        let server = mcp_runtime::server()
            .server_info("fixture", "1.2.3")
            .instructions("Use it well.")
            .state(Tally::default());
        match self {
            Self::Default => server,
            Self::ModernOnly => server.modern_only(),
            Self::HandshakeOnly => server.without_modern_era(),
            Self::Empty => server.crates(Vec::<String>::new()).allow_empty(),
            Self::Narrow => server.handshake_versions(["2025-06-18"]),
            Self::Unguarded => server.http_guards(mcp_runtime::Guards::off()),
            Self::Small => server.max_body_bytes(1000),
            Self::SmallModern => server.modern_only().max_body_bytes(1000),
            Self::NarrowModern => server.modern_versions(["2026-07-28"]),
            Self::UnguardedModern => server.modern_only().http_guards(mcp_runtime::Guards::off()),
            Self::Hidden => {
                server.handle().disable("mirrored").expect("before the start any name is taken");
                server
            }
            Self::Discover => server.discover(discover),
            Self::Sessions => server.sessions(Sessions::default()).authenticate(by_name),
            Self::Authenticated => server.max_body_bytes(1000).authenticate(by_token),
        }
    }

    /// Serves HTTP on a thread of its own, for as long as the test's process lives.
    pub fn listen(self) -> SocketAddr {
        listen(move || self.server())
    }
}
