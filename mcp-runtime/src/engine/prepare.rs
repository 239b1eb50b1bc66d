//! From what a request calls to its handler at work: parameters are read and judged here.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::Engine;
use super::draft::Work;
use super::finish::Task;
use super::frame::{Cacheable, error, open};
use super::jobs::{Job, subscribe};
use crate::call::{Context, Shared};
use crate::handler::{ArgumentFault, Running, Scope, Source};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::protocol::{Answer, Frame};
use crate::protocol::{CallToolResult, Meta};
use crate::registry::{NotificationDef, PromptDef};
use crate::schema::faults::{shown, told, unknown};
use crate::schema::value::{Arguments, Unusable};

/// What became of a request.
pub(crate) enum Prepared {
    /// It is answered.
    Answer(Answer),
    /// Its handler is at work.
    Run(Run),
}

/// A handler at work.
pub(crate) struct Run {
    pub(crate) call: Arc<Shared>,
    pub(crate) task: Task,
}

impl Engine {
    /// Starts what a request calls, or answers it where there is nothing to start.
    pub(crate) fn prepare(&self, work: Work) -> Prepared {
        let Work { call, job } = work;
        let era = call.revision.era();
        match job {
            Job::Refuse(fault) => Prepared::Answer(error(&fault, Leg::Era(era), Some(call.id_json()))),
            Job::Acknowledge => self.answer(&call, &Meta::new(), Cacheable::No),
            Job::SetLevel(level, gate) => {
                if let Some(gate) = gate {
                    gate.set(level);
                }
                self.answer(&call, &Meta::new(), Cacheable::No)
            }
            Job::Subscribe { uri, on, whom } => match subscribe(whom.as_deref(), &uri, on) {
                Ok(()) => self.answer(&call, &Meta::new(), Cacheable::No),
                Err(fault) => Prepared::Answer(error(&fault, Leg::Era(era), Some(call.id_json()))),
            },
            Job::Initialize(agreed) => {
                self.answer(&call, &self.initialized(agreed.revision, agreed.is_told), Cacheable::No)
            }
            Job::Discover => self.discover(call),
            Job::List { list, cursor } => {
                Prepared::Answer(match self.page(call.id_json(), list, cursor.as_deref(), call.revision) {
                    Ok(frame) => Answer::result(frame),
                    Err(fault) => error(&fault, Leg::Era(era), Some(call.id_json())),
                })
            }
            Job::Tool { tool, arguments } => match arguments.read(&call.body) {
                Err(Unusable::NotAnObject) => {
                    let fault =
                        Fault::invalid_params("Invalid params: `params.arguments` has to be an object");
                    Prepared::Answer(error(&fault, Leg::Era(era), Some(call.id_json())))
                }
                Err(Unusable::NotJson(text)) => Prepared::Answer(not_json(&call, &text)),
                Err(Unusable::Unclear(text)) => {
                    self.misfit(&call, &tool.definition.name, &[ArgumentFault::new("", text)])
                }
                Ok(mut arguments) => match tool.input.accept(&mut arguments) {
                    Err(faults) => self.misfit(&call, &tool.definition.name, &faults),
                    Ok(()) => run(call, Source::Json(arguments.value), |scope| {
                        let running = (tool.call)(scope);
                        Task::Tool(tool, running)
                    }),
                },
            },
            Job::Prompt { prompt, arguments } => {
                match prompt_arguments(&prompt, arguments.map(|span| span.text(&call.body))) {
                    Err(fault) => Prepared::Answer(error(&fault, Leg::Era(era), Some(call.id_json()))),
                    Ok(texts) => run(call, Source::Text(texts), |scope| {
                        let running = (prompt.call)(scope);
                        Task::Prompt(prompt, running)
                    }),
                }
            }
            Job::Read { mut target, uri } => {
                let cacheable = target.cacheable(self.settings.cache);
                let values = match &mut target {
                    super::jobs::Target::Fixed(_) => Vec::new(),
                    super::jobs::Target::Member(_, values) => std::mem::take(values),
                };
                run(call, Source::Text(values), |scope| {
                    let running = match &target {
                        super::jobs::Target::Fixed(resource) => (resource.call)(scope, uri.clone()),
                        super::jobs::Target::Member(template, _) => (template.call)(scope, uri.clone()),
                    };
                    Task::Read { uri, cacheable, running }
                })
            }
            Job::Complete { completion, texts } => match completion {
                None => self.answer(&call, &crate::protocol::CompleteResult::default(), Cacheable::No),
                Some(completion) => run(call, Source::Text(texts), |scope| {
                    let running = (completion.call)(scope);
                    Task::Complete(completion, running)
                }),
            },
            Job::Listen(wants) => match self.listen(wants, self.surface().offers, call.transport) {
                Err(fault) => Prepared::Answer(error(&fault, Leg::Era(era), Some(call.id_json()))),
                Ok(listening) => Prepared::Run(Run { call, task: Task::Listen(listening) }),
            },
            Job::Custom(method) => match own_params(&call) {
                Err(fault) => Prepared::Answer(error(&fault, Leg::Era(era), Some(call.id_json()))),
                Ok(params) => run(call, Source::Json(params), |scope| {
                    let running = (method.call)(scope);
                    Task::Custom(method, running)
                }),
            },
        }
    }

    /// Starts the handler of a notification.
    pub(crate) fn notified(
        &self,
        call: Arc<Shared>,
        notification: &NotificationDef,
    ) -> (String, Option<Running<Meta>>) {
        let name = notification.name.clone();
        match own_params(&call) {
            Err(fault) => {
                crate::log::warn(&format!("notification `{name}`: {}", fault.message));
                (name, None)
            }
            Ok(params) => {
                let scope = Scope::new(Context(call), Source::Json(params));
                (name, Some((notification.call)(scope)))
            }
        }
    }

    fn discover(&self, call: Arc<Shared>) -> Prepared {
        match &self.settings.discover {
            None => self.answer(&call, &self.discovered(), Cacheable::Yes(self.settings.cache)),
            Some(handler) => {
                // One JSON object whatever the handler sends on the way.
                call.outbox.close();
                run(call, Source::Json(Value::Object(Meta::new())), |scope| Task::Discover(handler(scope)))
            }
        }
    }

    fn answer(&self, call: &Shared, result: &impl serde::Serialize, cacheable: Cacheable) -> Prepared {
        let mut out = open(call.id_json(), 256);
        self.result(&mut out, call.revision.era(), result, None, cacheable);
        out.push(b'}');
        Prepared::Answer(Answer::result(Frame::from(out)))
    }

    /// The answer to a call whose arguments do not fit: one that the model reads, and can mend.
    fn misfit(&self, call: &Shared, tool: &str, faults: &[ArgumentFault]) -> Prepared {
        let text = told(&format!("tool `{tool}`"), faults);
        Prepared::Answer(self.tool_result(call, CallToolResult::error(text)))
    }
}

fn run(call: Arc<Shared>, source: Source, task: impl FnOnce(Scope) -> Task) -> Prepared {
    let task = task(Scope::new(Context(Arc::clone(&call)), source));
    Prepared::Run(Run { call, task })
}

fn not_json(call: &Shared, text: &str) -> Answer {
    let fault = Fault::new(FaultKind::Parse, format!("Parse error: `params.arguments`: {text}"));
    error(&fault, Leg::Edge, Some(call.id_json()))
}

/// The arguments of a prompt, which are texts.
fn prompt_arguments(prompt: &PromptDef, raw: Option<&str>) -> Result<Vec<(String, String)>, Fault> {
    let what = format!("prompt `{}`", prompt.definition.name);
    let texts = texts(raw, &what)?;
    let known = prompt.definition.arguments.iter().map(|argument| argument.name.as_str());
    let faults: Vec<ArgumentFault> = texts
        .iter()
        .filter(|(name, _)| !known.clone().any(|known| known == name))
        .map(|(name, _)| ArgumentFault::new(name.as_str(), unknown(name, known.clone())))
        .collect();
    if faults.is_empty() { Ok(texts) } else { Err(Fault::invalid_params(told(&what, &faults))) }
}

/// The members of an object of texts.
pub(super) fn texts(raw: Option<&str>, what: &str) -> Result<Vec<(String, String)>, Fault> {
    let refused = |text: &str| Fault::invalid_params(format!("Invalid arguments for {what}: {text}"));
    let arguments = Arguments::read(raw).map_err(|unusable| match unusable {
        Unusable::NotAnObject => refused("they have to be an object of texts"),
        Unusable::Unclear(text) | Unusable::NotJson(text) => refused(&text),
    })?;
    let Value::Object(members) = arguments.value else { return Ok(Vec::new()) };
    let mut faults = Vec::new();
    let mut texts = Vec::with_capacity(members.len());
    for (name, value) in members {
        match value {
            Value::String(text) => texts.push((name, text)),
            Value::Null => {}
            other => faults.push(ArgumentFault::new(name, format!("expected a text, got {}", shown(&other)))),
        }
    }
    if faults.is_empty() { Ok(texts) } else { Err(Fault::invalid_params(told(what, &faults))) }
}

/// The parameters of a method of the author's own: all but `_meta`.
fn own_params(call: &Shared) -> Result<Value, Fault> {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        params: Option<&'a RawValue>,
    }
    let message: Message<'_> = serde_json::from_slice(&call.body)
        .map_err(|error| Fault::invalid_params(format!("Invalid params: {error}")))?;
    let read = Arguments::read(message.params.map(RawValue::get)).map_err(|unusable| {
        Fault::invalid_params(match unusable {
            Unusable::NotAnObject => "Invalid params: `params` has to be an object".to_owned(),
            Unusable::Unclear(text) | Unusable::NotJson(text) => format!("Invalid params: {text}"),
        })
    })?;
    let mut params = read.value;
    if let Some(members) = params.as_object_mut() {
        members.remove("_meta");
    }
    Ok(params)
}
