//! What the stacks made of an answer: where it is another than what was written, it is projected to the revision, stamped
//! and written again, so that no middleware gets past either.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Engine;
use super::finish::internal;
use super::frame::{SERVER_INFO, error, open, write};
use crate::call::Shared;
use crate::middleware::{Outcome, Reply};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::protocol::method::{Method, MethodName};
use crate::protocol::project::Project;
use crate::protocol::{
    Answer, CallToolResult, CompleteResult, Era, Frame, GetPromptResult, Implementation, Meta, OverHttp,
    PromptDefinition, ReadResourceResult, ResourceDefinition, ResourceTemplateDefinition, Revision,
    ServerCapabilities, ToolDefinition,
};

impl Engine {
    /// The answer that a reply is; none where it was dropped.
    pub(crate) fn answered(&self, call: &Shared, reply: Reply) -> Option<Answer> {
        let leg = Leg::Era(call.revision.era());
        let id = Some(call.id_json());
        let (outcome, format) = reply.into_outcome();
        let answer = match outcome {
            Outcome::None => return None,
            Outcome::Written(written) => written.answer,
            Outcome::Result(members) => self.amended(call, members),
            Outcome::Error(refused) => error(&refused.into_fault(), leg, id),
            Outcome::Refused(refusal) => {
                let fault = Fault::new(FaultKind::Forbidden, refusal.message);
                let mut answer = error(&fault, leg, id);
                answer.status = refusal.status;
                answer.http = Some(Box::new(OverHttp { challenge: refusal.challenge, format: None }));
                answer
            }
            // An error of the other side is none of a server's own.
            Outcome::Told(other) => {
                let (code, message) = (other.code, &other.message);
                let told =
                    format!("middleware answered `{}` by another's error {code}: {message}", name(call));
                error(&internal(&crate::log::masked_text(&told)), leg, id)
            }
        };
        Some(answer.formatted(format))
    }

    fn amended(&self, call: &Shared, mut members: Meta) -> Answer {
        if let Err(why) = project(&call.method, &mut members, call.revision) {
            let text = format!("what middleware made of the result of `{}` is none: {why}", name(call));
            let fault = internal(&crate::log::masked_text(&text));
            return error(&fault, Leg::Era(call.revision.era()), Some(call.id_json()));
        }
        self.stamped(call, &mut members);
        let mut out = open(call.id_json(), 512);
        write(&mut out, &members);
        out.push(b'}');
        Answer::result(Frame::from(out))
    }

    /// Adds what every result of the era has, and takes out what none has.
    fn stamped(&self, call: &Shared, members: &mut Meta) {
        if call.revision.era() == Era::Handshake {
            for member in MODERN {
                members.remove(member);
            }
            if let Some(Value::Object(meta)) = members.get_mut("_meta") {
                meta.remove(SERVER_INFO);
            }
            return;
        }
        members.entry("resultType").or_insert_with(|| "complete".into());
        if is_cacheable(&call.method) {
            let cache = self.settings.cache;
            members.entry("ttlMs").or_insert_with(|| cache.ttl_ms.into());
            members.entry("cacheScope").or_insert_with(|| serde_json::json!(cache.scope));
        }
        let meta = members.entry("_meta").or_insert_with(|| Meta::new().into());
        if let Value::Object(meta) = meta {
            meta.entry(SERVER_INFO).or_insert_with(|| serde_json::json!(self.settings.info));
        }
    }
}

fn name(call: &Shared) -> &str {
    call.method.as_str()
}

/// The members that only results of the modern era have.
const MODERN: [&str; 5] = ["resultType", "ttlMs", "cacheScope", "inputRequests", "requestState"];

/// Whether results of the method say how long they may be kept (2026-07-28, "Caching").
fn is_cacheable(method: &MethodName) -> bool {
    matches!(
        method,
        MethodName::Known(
            Method::Discover
                | Method::ToolsList
                | Method::PromptsList
                | Method::ResourcesList
                | Method::TemplatesList
                | Method::ResourcesRead
        )
    )
}

/// Leaves of a result what the revision defines for its method.
fn project(method: &MethodName, members: &mut Meta, revision: Revision) -> Result<(), String> {
    // A question to the client is of no method's own form.
    if members.get("resultType").is_some_and(|kind| kind == "input_required") {
        return Ok(());
    }
    let MethodName::Known(method) = method else { return Ok(()) };
    match method {
        Method::ToolsCall => whole::<CallToolResult>(members, revision),
        Method::PromptsGet => whole::<GetPromptResult>(members, revision),
        Method::ResourcesRead => whole::<ReadResourceResult>(members, revision),
        Method::Complete => whole::<CompleteResult>(members, revision),
        Method::ToolsList => each::<ToolDefinition>(members, "tools", revision),
        Method::PromptsList => each::<PromptDefinition>(members, "prompts", revision),
        Method::ResourcesList => each::<ResourceDefinition>(members, "resources", revision),
        Method::TemplatesList => each::<ResourceTemplateDefinition>(members, "resourceTemplates", revision),
        Method::Initialize => greeting(members, &["protocolVersion", "serverInfo"], revision),
        Method::Discover => greeting(members, &["supportedVersions"], revision),
        _ => Ok(()),
    }
}

/// What the envelope of a result has beside the members of its method.
const ENVELOPE: [&str; 4] = ["resultType", "ttlMs", "cacheScope", "_meta"];

fn whole<R: Project + Serialize + DeserializeOwned>(
    members: &mut Meta,
    revision: Revision,
) -> Result<(), String> {
    let mut result: R = read(Value::Object(members.clone()))?;
    result.project(revision);
    let envelope = members.iter().filter(|(name, _)| ENVELOPE.contains(&name.as_str()));
    let envelope: Meta = envelope.map(|(name, value)| (name.clone(), value.clone())).collect();
    *members = match serde_json::to_value(&result) {
        Ok(Value::Object(projected)) => projected,
        Ok(_) => return Err("it is no object".to_owned()),
        Err(error) => return Err(error.to_string()),
    };
    members.extend(envelope);
    Ok(())
}

fn each<T: Project + Serialize + DeserializeOwned>(
    members: &mut Meta,
    list: &str,
    revision: Revision,
) -> Result<(), String> {
    let mut entries: Vec<T> =
        read(members.remove(list).unwrap_or_default()).map_err(|error| format!("`{list}`: {error}"))?;
    entries.iter_mut().for_each(|entry| entry.project(revision));
    members.retain(|name, _| ENVELOPE.contains(&name.as_str()) || name == "nextCursor");
    members.insert(list.to_owned(), serde_json::json!(entries));
    Ok(())
}

fn greeting(members: &mut Meta, own: &[&str], revision: Revision) -> Result<(), String> {
    members.retain(|name, _| {
        let name = name.as_str();
        ENVELOPE.contains(&name) || own.contains(&name) || ["capabilities", "instructions"].contains(&name)
    });
    if let Some(capabilities) = members.get_mut("capabilities") {
        projected::<ServerCapabilities>(capabilities, revision)?;
    }
    if let Some(info) = members.get_mut("serverInfo") {
        projected::<Implementation>(info, revision)?;
    }
    match members.get("instructions") {
        None | Some(Value::String(_)) => Ok(()),
        Some(_) => Err("`instructions` has to be a text".to_owned()),
    }
}

fn projected<T: Project + Serialize + DeserializeOwned>(
    value: &mut Value,
    revision: Revision,
) -> Result<(), String> {
    let mut read: T = read(value.take())?;
    read.project(revision);
    *value = serde_json::json!(read);
    Ok(())
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}
