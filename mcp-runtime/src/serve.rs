//! `serve()`: a whole program. It reads the command line and the environment, and ends as programs should.

use std::ffi::OsString;
use std::pin::Pin;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::boot::{self, Booted, Checked};
use crate::cli::{Cli, Wish};
use crate::platform::Signals;
use crate::registry::table;
use crate::server::{Options, Server};
use crate::transport::stdio::End;
use crate::{Error, Result};

/// A server that is a whole program: awaiting it serves until the client or a signal ends it.
#[derive(Debug, Default)]
pub struct Program {
    args: Option<Vec<OsString>>,
    cli: Option<Cli>,
}

/// A whole server: everything annotated in every linked crate, in both eras, over stdio or HTTP as the command line
/// says.
///
/// ```no_run
/// use mcp_runtime::prelude::*;
///
/// /// Adds two numbers.
/// #[mcp::tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// #[tokio::main]
/// async fn main() -> mcp_runtime::Result {
///     mcp_runtime::serve().await
/// }
/// ```
///
/// Run bare, the program speaks stdio; `--http [ADDR]` serves Streamable HTTP at `http://127.0.0.1:8000/mcp`;
/// `--help` shows the rest.
pub fn serve() -> Server<Program> {
    Server { options: Options::default(), mode: Program::default() }
}

impl Server<Program> {
    /// Reads these arguments in place of the command line; the first is the program's name.
    pub fn args<I>(mut self, args: I) -> Self
    where
        I: IntoIterator<Item: Into<OsString>>,
    {
        self.mode.args = Some(args.into_iter().map(Into::into).collect());
        self
    }

    /// Takes what a command line of your own said, in place of reading it: flatten [`Cli`] into it.
    pub fn cli(mut self, cli: Cli) -> Self {
        self.mode.cli = Some(cli);
        self
    }

    async fn run(self) -> Result {
        let Self { mut options, mode } = self;
        if options.state_keys.is_empty()
            && let Ok(keys) = std::env::var("MCP_STATE_KEYS")
        {
            options.state_keys =
                keys.split(',').map(str::to_owned).filter(|key| !key.trim().is_empty()).collect();
        }
        let wish = match mode.cli {
            Some(cli) => cli.wish(),
            None => Cli::read(mode.args),
        };
        let wish = match wish {
            Ok(wish) => wish,
            Err(ended) => return ended.end(),
        };
        match wish {
            Wish::Version => {
                let checked = boot::check(options)?;
                print(&format!("{} {}\n", checked.info.name, checked.info.version));
                Ok(())
            }
            Wish::List => {
                let checked = boot::check(options)?;
                print(&table(&checked.definitions));
                Ok(())
            }
            Wish::ListJson => {
                let checked = boot::check(options)?;
                print(&surface(checked));
                Ok(())
            }
            Wish::Stdio => {
                let booted = start(options).await?;
                booted.report("stdio");
                let end = booted.claimed_stdio().await?;
                if end == End::Abandoned {
                    // A call that blocks a thread keeps a runtime from ending.
                    ended_by_watchdog(LAST_MOMENT);
                }
                Ok(())
            }
            #[cfg(feature = "http")]
            Wish::Http { address, allow_hosts, allow_origins } => {
                let mut options = options;
                options.http.hosts.extend(allow_hosts);
                options.http.origins.extend(allow_origins);
                let listener = crate::transport::http::bind(&address)
                    .await
                    .map_err(|error| Error::io(format!("`{address}` cannot be listened on"), error))?;
                let booted = start(options).await?;
                booted.http(listener).await
            }
        }
    }
}

impl IntoFuture for Server<Program> {
    type Output = Result;
    type IntoFuture = Pin<Box<dyn Future<Output = Result> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async {
            let _flushed = crate::log::Flushed;
            self.run().await
        })
    }
}

async fn start(options: Options) -> Result<Booted> {
    let booted = boot::boot(options).await?;
    end_on_signals(booted.stop.clone(), booted.grace)?;
    Ok(booted)
}

/// How long a program may take to end beyond the grace of its calls, before it is ended.
const LAST_MOMENT: Duration = Duration::from_secs(3);

/// Tells the server to stop at the first signal; ends the process at the second, or once its time is up.
///
/// Signals are waited for on a thread of its own: handlers may block all of the program's.
fn end_on_signals(stop: CancellationToken, grace: Duration) -> Result {
    let failed = |error| Error::io("signals cannot be waited for", error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::new().map_err(failed)?
    };
    let wait = move || {
        runtime.block_on(signals.next());
        stop.cancel();
        let most = grace.saturating_add(LAST_MOMENT);
        if runtime.block_on(async { tokio::time::timeout(most, signals.next()).await }).is_ok() {
            crate::log::flush();
            std::process::exit(130);
        }
        end_late();
    };
    std::thread::Builder::new().name("mcp-signals".to_owned()).spawn(wait).map(drop).map_err(failed)
}

/// Ends the process unless it ends by itself within that time.
fn ended_by_watchdog(time: Duration) {
    let watch = move || {
        std::thread::park_timeout(time);
        end_late();
    };
    // Where no thread can be had, whatever blocks the end has it for as long as it likes.
    let _ = std::thread::Builder::new().name("mcp-watchdog".to_owned()).spawn(watch);
}

fn end_late() -> ! {
    crate::log::warn("the program did not end in time, and is ended");
    crate::log::flush();
    std::process::exit(1);
}

/// What the clients of each revision get, as JSON.
fn surface(checked: Checked) -> String {
    let booted = checked.start(crate::call::States::default());
    let mut text =
        serde_json::to_string_pretty(&booted.dispatcher.engine.surface_by_revision()).unwrap_or_default();
    text.push('\n');
    text
}

/// Prints to standard output; a reader that is gone is no error.
fn print(text: &str) {
    use std::io::Write as _;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
