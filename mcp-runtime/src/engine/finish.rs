//! From what a handler returned to the bytes of its answer: projected to the revision, stamped, encoded.

use std::sync::Arc;
use std::task::{Context, Poll};

use super::Engine;
use super::frame::{Cacheable, error, open};
use super::listen::Listening;
use crate::call::Shared;
use crate::handler::{Failure, Outcome, Running};
use crate::protocol::asking::Need;
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::protocol::project::{Project, is_object_schema, structured_must_be_object, wrap_structured};
use crate::protocol::{Answer, Frame};
use crate::protocol::{
    CallToolResult, CompleteResult, ContentBlock, Era, GetPromptResult, Meta, ReadResourceResult,
    ResourceContents,
};
use crate::registry::{CompletionDef, MethodDef, PromptDef, ToolDef};
use crate::schema::faults::told;

/// A handler at work, with what its result is judged by.
pub(crate) enum Task {
    Tool(Arc<ToolDef>, Running<CallToolResult>),
    Prompt(Arc<PromptDef>, Running<GetPromptResult>),
    Read {
        uri: String,
        cacheable: Cacheable,
        running: Running<ReadResourceResult>,
    },
    Complete(Arc<CompletionDef>, Running<CompleteResult>),
    Custom(Arc<MethodDef>, Running<Meta>),
    Discover(Running<Meta>),
    Listen(Listening),
    /// The handler is gone.
    Done,
}

impl Task {
    /// Drives the handler; once it is done, its answer is ready.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>, engine: &Engine, call: &Shared) -> Poll<Answer> {
        match self {
            Self::Tool(tool, running) => {
                running.as_mut().poll(cx).map(|outcome| engine.tool_done(call, tool, outcome))
            }
            Self::Prompt(prompt, running) => running.as_mut().poll(cx).map(|outcome| {
                let outcome = outcome.map(|mut result| {
                    result.description =
                        result.description.take().or_else(|| prompt.definition.description.clone());
                    result
                });
                engine.done(
                    call,
                    outcome,
                    Cacheable::No,
                    &|| format!("prompt `{}`", prompt.definition.name),
                    None,
                )
            }),
            Self::Read { uri, cacheable, running } => running.as_mut().poll(cx).map(|outcome| {
                let what = || format!("resource `{uri}`");
                engine.done(call, outcome, *cacheable, &what, Some(uri))
            }),
            Self::Complete(completion, running) => running.as_mut().poll(cx).map(|outcome| {
                let what = || format!("completion of `{}` of {}", completion.argument, completion.owner);
                engine.done(call, outcome, Cacheable::No, &what, None)
            }),
            Self::Custom(method, running) => running.as_mut().poll(cx).map(|outcome| {
                engine.members(call, outcome, Cacheable::No, &|| format!("method `{}`", method.name))
            }),
            Self::Discover(running) => running.as_mut().poll(cx).map(|outcome| {
                let cacheable = Cacheable::Yes(engine.settings.cache);
                engine.members(call, outcome, cacheable, &|| "method `server/discover`".to_owned())
            }),
            Self::Listen(listening) => listening.poll(cx, engine, call),
            Self::Done => Poll::Pending,
        }
    }

    /// Whether it goes on until somebody ends it.
    pub(crate) fn is_endless(&self) -> bool {
        matches!(self, Self::Listen(_))
    }

    /// What is at work, for logs.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Tool(tool, _) => format!("tool `{}`", tool.definition.name),
            Self::Prompt(prompt, _) => format!("prompt `{}`", prompt.definition.name),
            Self::Read { uri, .. } => format!("resource `{uri}`"),
            Self::Complete(completion, _) => {
                format!("completion of `{}` of {}", completion.argument, completion.owner)
            }
            Self::Custom(method, _) => format!("method `{}`", method.name),
            Self::Discover(_) => "handler of `server/discover`".to_owned(),
            Self::Listen(_) => "subscription".to_owned(),
            Self::Done => "ended handler".to_owned(),
        }
    }
}

/// A result that has a `_meta`.
trait Body: serde::Serialize + Project {
    fn meta_mut(&mut self) -> &mut Option<Meta>;
    /// About how many bytes it becomes.
    fn size(&self) -> usize;
}

impl Body for CallToolResult {
    fn meta_mut(&mut self) -> &mut Option<Meta> {
        &mut self.meta
    }

    fn size(&self) -> usize {
        // Structured content is shown as text too.
        let copies = if self.structured_content.is_some() { 2 } else { 1 };
        64 + copies * self.content.iter().map(block_size).sum::<usize>()
    }
}

impl Body for GetPromptResult {
    fn meta_mut(&mut self) -> &mut Option<Meta> {
        &mut self.meta
    }

    fn size(&self) -> usize {
        64 + self.messages.iter().map(|message| 32 + block_size(&message.content)).sum::<usize>()
    }
}

impl Body for ReadResourceResult {
    fn meta_mut(&mut self) -> &mut Option<Meta> {
        &mut self.meta
    }

    fn size(&self) -> usize {
        64 + self.contents.iter().map(contents_size).sum::<usize>()
    }
}

impl Body for CompleteResult {
    fn meta_mut(&mut self) -> &mut Option<Meta> {
        &mut self.meta
    }

    fn size(&self) -> usize {
        64 + self.completion.values.iter().map(|value| 3 + value.len()).sum::<usize>()
    }
}

fn block_size(block: &ContentBlock) -> usize {
    64 + match block {
        ContentBlock::Text(text) => text.text.len(),
        ContentBlock::Image(image) => image.data.len(),
        ContentBlock::Audio(audio) => audio.data.len(),
        ContentBlock::ResourceLink(link) => link.uri.len() + link.name.len(),
        ContentBlock::Resource(resource) => contents_size(&resource.resource),
    }
}

fn contents_size(contents: &ResourceContents) -> usize {
    64 + match contents {
        ResourceContents::Text { text, .. } => text.len(),
        ResourceContents::Blob { blob, .. } => blob.len(),
    }
}

impl Engine {
    fn tool_done(&self, call: &Shared, tool: &ToolDef, outcome: Outcome<CallToolResult>) -> Answer {
        let what = || format!("tool `{}`", tool.definition.name);
        match outcome {
            Ok(result) if result.is_error && lacks(call).is_some() => lacking(call),
            Ok(mut result) => {
                tell_as_text(&mut result);
                if result.is_error {
                    result.structured_content = None;
                } else if let Some(misfit) = output_misfit(tool, &result) {
                    let id = crate::log::masked_text(&format!("{}: {misfit}", what()));
                    return error(&internal(&id), Leg::Era(call.revision.era()), Some(call.id_json()));
                }
                if structured_must_be_object(call.revision)
                    && tool.output.as_ref().is_some_and(|output| !is_object_schema(&output.schema))
                {
                    result.structured_content = result.structured_content.take().map(wrap_structured);
                }
                self.tool_result(call, result)
            }
            Err(Failure::Arguments(faults)) => {
                self.tool_result(call, CallToolResult::error(told(&what(), &faults)))
            }
            Err(_) if lacks(call).is_some() => lacking(call),
            Err(failure) => failed(call, failure, &what, None),
        }
    }

    pub(super) fn tool_result(&self, call: &Shared, result: CallToolResult) -> Answer {
        self.written(call, result, Cacheable::No)
    }

    fn done<R: Body>(
        &self,
        call: &Shared,
        outcome: Outcome<R>,
        cacheable: Cacheable,
        what: &dyn Fn() -> String,
        uri: Option<&str>,
    ) -> Answer {
        match outcome {
            // What answers of the client's own went into is not for others.
            Ok(result) if call.asks.is_continued() => self.written(call, result, Cacheable::No),
            Ok(result) => self.written(call, result, cacheable),
            Err(_) if lacks(call).is_some() => lacking(call),
            Err(failure) => failed(call, failure, what, uri),
        }
    }

    fn written<R: Body>(&self, call: &Shared, mut result: R, cacheable: Cacheable) -> Answer {
        result.project(call.revision);
        let meta = result.meta_mut().take();
        let mut out = open(call.id_json(), result.size() + self.stamp.len());
        self.result(&mut out, call.revision.era(), &result, meta, cacheable);
        out.push(b'}');
        Answer::result(Frame::from(out))
    }

    /// The same for a result that is nothing but members: what the handler set stands, but for the vocabulary of the
    /// modern era before it.
    fn members(
        &self,
        call: &Shared,
        outcome: Outcome<Meta>,
        cacheable: Cacheable,
        what: &dyn Fn() -> String,
    ) -> Answer {
        let mut members = match outcome {
            Ok(members) => members,
            Err(failure) => return failed(call, failure, what, None),
        };
        let meta = match members.remove("_meta") {
            Some(serde_json::Value::Object(meta)) => Some(meta),
            _ => None,
        };
        let era = call.revision.era();
        let mut out = open(call.id_json(), 256);
        let stamped = |name: &str| ["resultType", "ttlMs", "cacheScope"].contains(&name);
        let asks = |name: &str| ["inputRequests", "requestState"].contains(&name);
        if era == Era::Handshake {
            members.retain(|name, _| !stamped(name) && !asks(name));
        }
        if era == Era::Modern && members.keys().any(|name| stamped(name)) {
            self.restamp(&mut members, meta, cacheable);
            super::frame::write(&mut out, &members);
        } else {
            self.result(&mut out, era, &members, meta, cacheable);
        }
        out.push(b'}');
        Answer::result(Frame::from(out))
    }

    fn restamp(&self, members: &mut Meta, meta: Option<Meta>, cacheable: Cacheable) {
        members.entry("resultType").or_insert_with(|| "complete".into());
        if let Cacheable::Yes(cache) = cacheable {
            members.entry("ttlMs").or_insert_with(|| cache.ttl_ms.into());
            members.entry("cacheScope").or_insert_with(|| serde_json::json!(cache.scope));
        }
        let mut meta = meta.unwrap_or_default();
        meta.entry(super::frame::SERVER_INFO).or_insert_with(|| serde_json::json!(self.settings.info));
        members.insert("_meta".to_owned(), meta.into());
    }
}

/// What is data alone, is told as text too: clients that know no data read it there, and models everywhere.
fn tell_as_text(result: &mut CallToolResult) {
    if let Some(value) = result.structured_content.as_ref().filter(|_| result.content.is_empty()) {
        result.content.push(ContentBlock::text(value.to_string()));
    }
}

fn output_misfit(tool: &ToolDef, result: &CallToolResult) -> Option<String> {
    let output = tool.output.as_ref()?;
    match &result.structured_content {
        None => Some("it declares an output schema, but its result has no structured content".to_owned()),
        Some(value) => {
            output.misfit(value).map(|text| format!("its result does not fit its output schema: {text}"))
        }
    }
}

/// What the client of a modern call could not be asked for.
fn lacks(call: &Shared) -> Option<Need> {
    call.asks.refused().filter(|_| call.revision.era() == Era::Modern)
}

/// The answer to a call that failed after its client could not be asked: whatever the handler made of that, the client
/// is told what it takes (2026-07-28, "Error Codes").
fn lacking(call: &Shared) -> Answer {
    let need = call.asks.refused().unwrap_or(Need::Form);
    let text = format!("The client has to declare the capability `{}` for this call", need.name());
    let fault = Fault::new(FaultKind::MissingCapability, text)
        .with(serde_json::json!({ "requiredCapabilities": need.capability() }));
    error(&fault, Leg::Era(Era::Modern), Some(call.id_json()))
}

/// The answer to a request whose handler has no result.
fn failed(call: &Shared, failure: Failure, what: &dyn Fn() -> String, uri: Option<&str>) -> Answer {
    let fault = match failure {
        Failure::Arguments(faults) => Fault::invalid_params(told(&what(), &faults)),
        Failure::Protocol(error) => error.into_fault(),
        Failure::NotFound => Fault::resource_not_found(uri.unwrap_or_default()),
        Failure::Unsendable(text) => internal(&crate::log::masked_text(&format!("{}: {text}", what()))),
    };
    error(&fault, Leg::Era(call.revision.era()), Some(call.id_json()))
}

/// What a client reads of a failure of the server's own: the log has what happened under the id.
pub(crate) fn internal(id: &str) -> Fault {
    Fault::new(FaultKind::Internal, format!("Internal error {id}; the server's log says more"))
}
