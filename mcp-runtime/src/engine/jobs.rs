//! What a request calls, found by its method and target, no longer borrowing from its bytes.

use std::sync::Arc;

use bytes::Bytes;

use super::Engine;
use super::draft::log_level;
use super::frame::Cacheable;
use crate::call::{Connected, LogGate, Span};
use crate::hub::{LONGEST_URI, Listener, MOST_URIS, Wants};
use crate::protocol::envelope::{Params, Raw, Text};
use crate::protocol::fault::Fault;
use crate::protocol::method::Method;
use crate::protocol::{Cache, Era, LogLevel, Revision};
use crate::registry::{
    CompletionDef, Found, List, MethodDef, PromptDef, ResourceDef, Surface, TemplateDef, ToolDef,
};
use crate::schema::faults::nearest;
use crate::schema::value::{Arguments, Unusable};

/// What a request calls.
pub(crate) enum Job {
    /// Nothing: this is wrong with it.
    Refuse(Fault),
    /// Nothing: it is answered by `{}`.
    Acknowledge,
    /// The level is set, where something remembers it.
    SetLevel(LogLevel, Option<Arc<LogGate>>),
    Initialize(Initialize),
    Discover,
    List {
        list: List,
        cursor: Option<String>,
    },
    Tool {
        tool: Arc<ToolDef>,
        arguments: Given,
    },
    Prompt {
        prompt: Arc<PromptDef>,
        arguments: Option<Span>,
    },
    Read {
        target: Target,
        uri: String,
    },
    Complete {
        completion: Option<Arc<CompletionDef>>,
        texts: Vec<(String, String)>,
    },
    Custom(Arc<MethodDef>),
    /// To be told what changes, from now on.
    Listen(Wants),
    /// To be told of a resource, or not any more; of a connection or session, which is whom it tells.
    Subscribe {
        uri: String,
        on: bool,
        whom: Option<Arc<Listener>>,
    },
}

/// What a handshake agrees on.
pub(crate) struct Initialize {
    /// Whether there is a way to tell the client what changes.
    pub(crate) is_told: bool,
    pub(crate) revision: Revision,
    pub(crate) client: Connected,
}

/// What a URI leads to.
pub(crate) enum Target {
    Fixed(Arc<ResourceDef>),
    Member(Arc<TemplateDef>, Vec<(String, String)>),
}

impl Target {
    fn cache(&self) -> Option<Cache> {
        match self {
            Self::Fixed(resource) => resource.cache,
            Self::Member(template, _) => template.cache,
        }
    }

    pub(super) fn cacheable(&self, otherwise: Cache) -> Cacheable {
        Cacheable::Yes(self.cache().unwrap_or(otherwise))
    }
}

/// The arguments of a tool: read already where headers mirror them, else where they lie.
pub(crate) enum Given {
    Raw(Option<Span>),
    Read(Result<Arguments, Unusable>),
}

impl Given {
    pub(super) fn of(body: &[u8], raw: Raw<'_>) -> Self {
        Self::Raw(raw.0.map(|raw| Span::of(body, raw)))
    }

    pub(super) fn read(self, body: &Bytes) -> Result<Arguments, Unusable> {
        match self {
            Self::Raw(span) => Arguments::read(span.map(|span| span.text(body))),
            Self::Read(read) => read,
        }
    }
}

impl Engine {
    /// Whether a handler answers the request, which may have to wait.
    pub(crate) fn waits(&self, job: &Job) -> bool {
        match job {
            Job::Refuse(_)
            | Job::Acknowledge
            | Job::SetLevel(..)
            | Job::Initialize(_)
            | Job::List { .. }
            | Job::Subscribe { .. } => false,
            Job::Discover => self.settings.discover.is_some(),
            Job::Complete { completion, .. } => completion.is_some(),
            Job::Tool { .. } | Job::Prompt { .. } | Job::Read { .. } | Job::Custom(_) | Job::Listen(_) => {
                true
            }
        }
    }

    /// Finds what a request calls. What is wrong with it becomes the job, since middleware sees it first.
    #[expect(clippy::too_many_arguments, reason = "the parts of one borrowed message, told apart")]
    pub(super) fn job(
        &self,
        surface: &Surface,
        era: Era,
        known: Option<Method>,
        method: &str,
        body: &Bytes,
        params: Option<&Params<'_>>,
        given: Given,
    ) -> Job {
        self.find(surface, era, known, method, body, params, given).unwrap_or_else(Job::Refuse)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one borrowed message, told apart")]
    fn find(
        &self,
        surface: &Surface,
        era: Era,
        known: Option<Method>,
        method: &str,
        body: &Bytes,
        params: Option<&Params<'_>>,
        given: Given,
    ) -> Result<Job, Fault> {
        let offers = surface.offers;
        let absent;
        let params = match params {
            Some(params) => params,
            None => {
                absent = Params::default();
                &absent
            }
        };
        let missing = || Err(Fault::method_not_found(method));
        let Some(known) = known else {
            return match surface.method(method) {
                Some(custom) => Ok(Job::Custom(Arc::clone(custom))),
                None => missing(),
            };
        };
        if !known.is_of(era) {
            return missing();
        }
        match known {
            Method::Ping => Ok(Job::Acknowledge),
            Method::SetLevel => {
                log_level(params.level.text(), "params.level").map(|level| Job::SetLevel(level, None))
            }
            Method::Initialize => self.initialize(params).map(Job::Initialize),
            Method::Discover => Ok(Job::Discover),
            Method::ToolsList if offers.tools => page(List::Tools, params),
            Method::PromptsList if offers.prompts => page(List::Prompts, params),
            Method::ResourcesList if offers.resources => page(List::Resources, params),
            Method::TemplatesList if offers.resources => page(List::Templates, params),
            Method::ToolsCall if offers.tools => {
                let name = needed(&params.name, "params.name")?;
                let tool = surface.tool(name).ok_or_else(|| {
                    unknown("tool", name, surface.definitions.tools.iter().map(|one| &one.definition.name))
                })?;
                Ok(Job::Tool { tool: Arc::clone(tool), arguments: given })
            }
            Method::PromptsGet if offers.prompts => {
                let name = needed(&params.name, "params.name")?;
                let prompt = surface.prompt(name).ok_or_else(|| unknown_prompt(surface, name))?;
                let arguments = params.arguments.0.map(|raw| Span::of(body, raw));
                Ok(Job::Prompt { prompt: Arc::clone(prompt), arguments })
            }
            Method::ResourcesRead if offers.resources => {
                let uri = needed(&params.uri, "params.uri")?;
                let target = match surface.resource(uri) {
                    Ok(Some(Found::Fixed(resource))) => Target::Fixed(resource),
                    Ok(Some(Found::Member(template, values))) => Target::Member(template, values),
                    Ok(None) => return Err(Fault::resource_not_found(uri)),
                    Err(bad) => {
                        let data = serde_json::json!({ "uri": uri });
                        return Err(Fault::invalid_params(format!("Invalid URI: {}", bad.0)).with(data));
                    }
                };
                Ok(Job::Read { target, uri: uri.to_owned() })
            }
            Method::Listen => Self::wants(params).map(Job::Listen),
            Method::Subscribe | Method::Unsubscribe if offers.resources => {
                let uri = needed(&params.uri, "params.uri")?.to_owned();
                if uri.len() > LONGEST_URI {
                    return Err(Fault::invalid_params(format!(
                        "Invalid params: `params.uri` is longer than {LONGEST_URI} bytes"
                    )));
                }
                Ok(Job::Subscribe { uri, on: known == Method::Subscribe, whom: None })
            }
            Method::Complete if offers.completions => super::completion::completion(surface, params),
            Method::TasksGet | Method::TasksUpdate | Method::TasksCancel if era == Era::Modern => {
                Err(Fault::new(
                    crate::protocol::fault::FaultKind::MethodNotFound,
                    format!(
                        "Method not found: {method} (the extension io.modelcontextprotocol/tasks is not served)"
                    ),
                ))
            }
            _ => missing(),
        }
    }
}

/// Has a connection or session told of a resource, or not any more.
pub(super) fn subscribe(listener: Option<&Listener>, uri: &str, on: bool) -> Result<(), Fault> {
    match listener {
        None => {
            Err(Fault::method_not_found(if on { "resources/subscribe" } else { "resources/unsubscribe" }))
        }
        Some(listener) if on && !listener.subscribe(uri) => Err(Fault::invalid_params(format!(
            "Invalid params: there are {MOST_URIS} subscriptions, as many as there may be; end one first"
        ))),
        Some(listener) => {
            if !on {
                listener.unsubscribe(uri);
            }
            Ok(())
        }
    }
}

pub(super) fn needed<'t>(text: &'t Text<'_>, member: &str) -> Result<&'t str, Fault> {
    text.text().ok_or_else(|| Fault::invalid_params(format!("Invalid params: `{member}` has to be a text")))
}

/// The page of a list that is asked for.
fn page(list: List, params: &Params<'_>) -> Result<Job, Fault> {
    let cursor = match &params.cursor {
        Text::Absent | Text::Null => None,
        // Of another kind it is none that a server gives.
        cursor => Some(cursor.text().unwrap_or_default().to_owned()),
    };
    Ok(Job::List { list, cursor })
}

/// A name that nothing has, and the one that may be meant.
fn unknown<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k String>) -> Fault {
    let meant = nearest(name, known.map(String::as_str))
        .map(|known| format!("; did you mean `{known}`?"))
        .unwrap_or_default();
    Fault::invalid_params(format!("Unknown {what}: {name}{meant}"))
}

/// The same of a prompt.
pub(super) fn unknown_prompt(surface: &Surface, name: &str) -> Fault {
    unknown("prompt", name, surface.definitions.prompts.iter().map(|one| &one.definition.name))
}
