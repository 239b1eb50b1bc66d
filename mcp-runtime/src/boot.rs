//! From what a server was told to one that runs: everything is checked, and every problem told at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::CancellationToken;

use crate::call::States;
use crate::dispatch::Dispatcher;
use crate::engine::{Engine, Sealing, Settings};
use crate::protocol::{Era, Implementation, Revision};
use crate::registry::{Built, Definitions, Handle, Problem, Problems, Selection, build, found, weak_points};
use crate::schema::input::Unknown;
use crate::seal::KeyRing;
use crate::server::{Options, StateSource, Versions};
use crate::transport::stdio;
use crate::{Error, Result};

/// A server that was checked, whose states are not made yet.
pub(crate) struct Checked {
    pub(crate) options: Options,
    pub(crate) definitions: Definitions,
    pub(crate) info: Implementation,
    packages: BTreeMap<&'static str, &'static str>,
    modern: Vec<Revision>,
    handshake: Vec<Revision>,
    keys: Option<KeyRing>,
}

/// A server that can serve.
pub(crate) struct Booted {
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) stop: CancellationToken,
    stdio_concurrency: usize,
    max_body: usize,
    pub(crate) grace: std::time::Duration,
    /// Who the server is and what was found, for people.
    summary: String,
    #[cfg(feature = "http")]
    pub(crate) http: crate::http::Options,
}

/// Checks everything, makes the states, and starts the engine.
pub(crate) async fn boot(options: Options) -> Result<Booted> {
    let mut checked = check(options)?;
    let states = make_states(std::mem::take(&mut checked.options.states)).await?;
    Ok(checked.start(states))
}

/// Checks what is registered against what the server was told.
pub(crate) fn check(mut options: Options) -> Result<Checked, Problems> {
    let unknown = if options.open_arguments { Unknown::Ignore } else { Unknown::Refuse };
    let (built, mut problems) =
        build(&options.selection, &options.state_types, unknown, options.lenient_arguments);
    let Built { mut definitions, packages, mut warnings } = built;
    problems.append(&mut options.problems);
    problems.extend(options.selection.unknown().into_iter().map(Problem::new));
    #[cfg(feature = "http")]
    problems.extend(options.http.problems().into_iter().map(Problem::new));

    for tool in std::mem::take(&mut options.tools) {
        let at = tool.at();
        match tool.define() {
            Ok(tool) => {
                let name = &tool.definition.name;
                if definitions.tools.iter().any(|known| known.definition.name == *name) {
                    problems.push(Problem::by(
                        at,
                        format!(
                            "second tool named `{name}`: an annotated function, or another tool, has the name"
                        ),
                    ));
                } else {
                    let words = weak_points(&tool.definition);
                    warnings.extend(
                        words.into_iter().map(|text| Problem::by(at, format!("tool `{name}`: {text}"))),
                    );
                    definitions.add(tool);
                }
            }
            Err(more) => problems.extend(more),
        }
    }
    for method in std::mem::take(&mut options.methods) {
        if crate::protocol::method::Method::parse(&method.name).is_some() {
            problems.push(Problem::new(format!("method `{}` is one of the protocol's own", method.name)));
        } else if definitions.methods.iter().any(|known| known.name == method.name) {
            problems.push(Problem::new(format!("second method named `{}`", method.name)));
        } else {
            // A closure may log, and nothing tells whether it does.
            definitions.logs = true;
            definitions.methods.push(Arc::new(method));
        }
    }
    definitions.sort();

    if definitions.is_empty() && !options.allow_empty && problems.is_empty() {
        problems.push(nothing(&options.selection));
    }
    let modern = revisions(&options.modern, Era::Modern, &mut problems);
    let handshake = revisions(&options.handshake, Era::Handshake, &mut problems);
    if modern.is_empty() && handshake.is_empty() && problems.is_empty() {
        problems
            .push(Problem::new("no era is served: leave out `.modern_only()` or `.without_modern_era()`"));
    }
    #[cfg(feature = "http")]
    if handshake.is_empty() && options.http.sessions.is_some() {
        problems.push(Problem::new(
            "`.sessions(…)` is for clients of the handshake era, and none is served: leave it out",
        ));
    }
    let info = match options.info.take() {
        Some(info) => info,
        None => own_info(&packages).unwrap_or_else(|problem| {
            // Where nothing is served, that is what there is to say.
            if problems.is_empty() {
                problems.push(problem);
            }
            Implementation::default()
        }),
    };
    let keys = match options.state_keys.as_slice() {
        [] => None,
        keys => KeyRing::read(keys).map_err(|more| problems.extend(more.into_iter().map(Problem::new))).ok(),
    };
    for warning in warnings {
        crate::log::warn(&warning.to_string());
    }
    crate::log::flush();
    if problems.is_empty() {
        Ok(Checked { options, definitions, info, packages, modern, handshake, keys })
    } else {
        Err(Problems(problems))
    }
}

/// Nothing is registered, or nothing of what was selected: what to do about it.
fn nothing(selection: &Selection) -> Problem {
    Problem::new(match (&selection.groups, &selection.crates) {
        (None, None) => {
            "nothing is registered: no linked crate has an annotated function.\n\
             A crate that nothing names is not linked, and that goes for a package's own lib.rs under its main.rs:\n\
             add `use my_tools as _;` (or `mcp_runtime::link!(my_tools);`) to main.rs for the crate with the tools.\n\
             A server that is meant to be empty says `.allow_empty()`."
        }
        (Some(_), Some(_)) => {
            "nothing is registered in both one of the `.groups(…)` and one of the `.crates(…)`"
        }
        (Some(_), None) => "`.groups([])` selects nothing: name a group, or leave it out to serve everything",
        (None, Some(_)) => "`.crates([])` selects nothing: name a crate, or leave it out to serve everything",
    })
}

fn revisions(versions: &Versions, era: Era, problems: &mut Vec<Problem>) -> Vec<Revision> {
    let all = || Revision::ALL.into_iter().rev().filter(|revision| revision.era() == era);
    let names: Vec<&str> = all().map(Revision::as_str).collect();
    match versions {
        Versions::All => all().collect(),
        Versions::None => Vec::new(),
        Versions::Only(wanted) => {
            if wanted.is_empty() {
                problems.push(Problem::new(match era {
                    Era::Modern => "`.modern_versions([])` names none: say `.without_modern_era()`",
                    Era::Handshake => "`.handshake_versions([])` names none: say `.modern_only()`",
                }));
            }
            for name in wanted.iter().filter(|name| !names.contains(&name.as_str())) {
                problems.push(Problem::new(format!(
                    "`{name}` is no revision of the {era} era; there are {}",
                    names.join(", ")
                )));
            }
            all().filter(|revision| wanted.iter().any(|name| name == revision.as_str())).collect()
        }
    }
}

/// The package that registered something; of several, the one named like the executable.
fn own_info(packages: &BTreeMap<&'static str, &'static str>) -> Result<Implementation, Problem> {
    let executable = std::env::current_exe()
        .ok()
        .and_then(|path| path.file_stem().map(|name| name.to_string_lossy().replace('-', "_")));
    let own = packages.iter().find(|(name, _)| Some(name.replace('-', "_")) == executable);
    match (own, packages.len()) {
        (Some((name, version)), _) => Ok(Implementation::new(*name, *version)),
        (None, 1) => {
            let (name, version) = packages.iter().next().unwrap_or((&"", &""));
            Ok(Implementation::new(*name, *version))
        }
        (None, 0) => Err(Problem::new(
            "the server has no name: no package registers anything, so say `.server_info(name, version)`",
        )),
        (None, _) => {
            let names: Vec<&str> = packages.keys().copied().collect();
            Err(Problem::new(format!(
                "the server has no name: {} register something and none is named like the executable, so say \
                 `.server_info(name, version)`",
                names.join(", ")
            )))
        }
    }
}

async fn make_states(sources: Vec<StateSource>) -> Result<States, Problems> {
    let mut states = States::default();
    let mut problems = Vec::new();
    for source in sources {
        match source {
            StateSource::Given(put) => put(&mut states),
            StateSource::Made(name, make) => match make().await {
                Ok(put) => put(&mut states),
                Err(error) => {
                    let mut text = format!("the state `{name}` could not be made: {error}");
                    let mut source = error.source();
                    while let Some(inner) = source {
                        text.push_str(": ");
                        text.push_str(&inner.to_string());
                        source = inner.source();
                    }
                    problems.push(Problem::new(text));
                }
            },
        }
    }
    if problems.is_empty() { Ok(states) } else { Err(Problems(problems)) }
}

impl Checked {
    /// Starts the engine. Without an executor: nothing here waits.
    pub(crate) fn start(self, mut states: States) -> Booted {
        let Self { options, definitions, info, packages, modern, handshake, keys } = self;
        let summary = format!("{} {}: {}", info.name, info.version, found(&definitions, &packages));
        states.insert(Handle(Arc::clone(&options.live)));
        options.live.install(definitions);
        let settings = Settings {
            info,
            modern,
            handshake,
            instructions: options.instructions,
            cache: options.cache,
            max_subscriptions: options.max_subscriptions,
            subscription_lifetime: options.subscription_lifetime,
            stop: options.stop.clone(),
            page_size: options.page_size,
            sealing: Sealing { keys, ttl: options.state_ttl },
            discover: options.discover,
            amend: options.amend,
        };
        let engine = Engine::new(settings, options.live, Arc::new(states));
        Booted {
            dispatcher: Arc::new(Dispatcher::new(engine, options.limits, options.receive, options.send)),
            stop: options.stop,
            stdio_concurrency: options.stdio_concurrency,
            max_body: options.max_body,
            grace: options.grace,
            summary,
            #[cfg(feature = "http")]
            http: options.http,
        }
    }

    /// The states that were given; one that has to be made is a problem where nothing can wait for it.
    pub(crate) fn given_states(&mut self) -> Result<States, Problems> {
        let mut states = States::default();
        for source in std::mem::take(&mut self.options.states) {
            match source {
                StateSource::Given(put) => put(&mut states),
                StateSource::Made(name, _) => {
                    return Err(Problems(vec![Problem::new(format!(
                        "`.state_with(…)` of `{name}` has to wait, and a router is made without waiting: make the value \
                         first, and give it by `.state(…)`",
                    ))]));
                }
            }
        }
        Ok(states)
    }
}

impl Booted {
    /// Tells people what was found and how it is served.
    pub(crate) fn report(&self, how: &str) {
        crate::log::info(&format!("{}; serving {how}", self.summary));
        crate::log::flush();
    }

    pub(crate) fn max_body(&self) -> usize {
        self.max_body
    }

    pub(crate) fn stdio_settings(&self) -> stdio::Settings {
        stdio::Settings { max_line: self.max_body, concurrency: self.stdio_concurrency, grace: self.grace }
    }

    /// Serves this process's own standard input and output.
    pub(crate) async fn claimed_stdio(self) -> Result<stdio::End> {
        let _flushed = crate::log::Flushed;
        static CLAIMED: AtomicBool = AtomicBool::new(false);
        if CLAIMED.swap(true, Ordering::AcqRel) {
            return Err(Error::usage("standard input and output are served already, once per process"));
        }
        let failed = |error| Error::io("standard input and output cannot be served", error);
        let (input, output) = crate::platform::claim().map_err(failed)?;
        let settings = self.stdio_settings();
        stdio::serve(self.dispatcher, input, output, settings, self.stop).await.map_err(failed)
    }
}
