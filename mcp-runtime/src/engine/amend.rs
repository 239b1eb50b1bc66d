//! What the stacks made of an answer: where it is another than what was written, it is projected to the revision, stamped
//! and written again, so that no middleware gets past either.

use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::Value;

use super::Engine;
use super::finish::internal;
use super::frame::{SERVER_INFO, SUBSCRIPTION, error, open, write};
use crate::call::Shared;
use crate::middleware::{Outcome, Reply};
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::protocol::method::{Method, MethodName};
use crate::protocol::project::Project;
use crate::protocol::{
    Answer, CacheScope, CallToolResult, CompleteResult, Era, Frame, GetPromptResult, Implementation, Meta,
    OverHttp, PromptDefinition, ReadResourceResult, ResourceDefinition, ResourceTemplateDefinition, Revision,
    ServerCapabilities, ToolDefinition,
};

/// What makes an answer of changed members. A server without middleware does not link it.
pub(crate) type Amend = fn(&Engine, &Shared, Meta) -> Answer;

impl Engine {
    /// The answer that a reply is; none where it was dropped.
    pub(crate) fn answered(&self, call: &Shared, reply: Reply) -> Option<Answer> {
        let leg = Leg::Era(call.revision.era());
        let id = Some(call.id_json());
        let (outcome, format) = reply.into_outcome();
        let answer = match outcome {
            Outcome::None => return None,
            Outcome::Written(written) => written.answer,
            Outcome::Result(members) => match self.settings.amend {
                Some(amend) => amend(self, call, members),
                // Nothing else gives results that are not written.
                None => return None,
            },
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

    pub(crate) fn amended(&self, call: &Shared, mut members: Meta) -> Answer {
        if let Err(why) = project(&call.method, &mut members, call.revision) {
            let text = format!("what middleware made of the result of `{}` is none: {why}", name(call));
            let fault = internal(&crate::log::masked_text(&text));
            return error(&fault, Leg::Era(call.revision.era()), Some(call.id_json()));
        }
        match call.revision.era() {
            Era::Handshake => unstamped(&mut members),
            Era::Modern => self.stamped(&call.method, &mut members),
        }
        let mut out = open(call.id_json(), 512);
        write(&mut out, &members);
        out.push(b'}');
        Answer::result(Frame::from(out))
    }

    /// Adds what every result of the modern era has, where it is not there or not what it has to be.
    fn stamped(&self, method: &MethodName, members: &mut Meta) {
        if !members.get("resultType").is_some_and(Value::is_string) {
            members.insert("resultType".to_owned(), "complete".into());
        }
        if is_cacheable(method) && !asks_for_input(members) {
            let cache = self.settings.cache;
            if !members.get("ttlMs").is_some_and(Value::is_u64) {
                members.insert("ttlMs".to_owned(), cache.ttl_ms.into());
            }
            if members.get("cacheScope").is_none_or(|scope| CacheScope::deserialize(scope).is_err()) {
                members.insert("cacheScope".to_owned(), serde_json::json!(cache.scope));
            }
        }
        let mut meta = match members.remove("_meta") {
            Some(Value::Object(meta)) => meta,
            _ => Meta::new(),
        };
        if !meta.get(SERVER_INFO).is_some_and(Value::is_object) {
            meta.insert(SERVER_INFO.to_owned(), serde_json::json!(self.settings.info));
        }
        members.insert("_meta".to_owned(), meta.into());
    }
}

/// Takes out what no result of the handshake era has.
fn unstamped(members: &mut Meta) {
    for member in MODERN {
        members.remove(member);
    }
    if let Some(Value::Object(mut meta)) = members.remove("_meta") {
        meta.retain(|name, _| ![SERVER_INFO, SUBSCRIPTION].contains(&name.as_str()));
        if !meta.is_empty() {
            members.insert("_meta".to_owned(), meta.into());
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

/// Whether a result is a question to the client.
fn asks_for_input(members: &Meta) -> bool {
    members.get("resultType").is_some_and(|kind| kind == "input_required")
}

/// Leaves of a result what the revision defines for its method.
fn project(method: &MethodName, members: &mut Meta, revision: Revision) -> Result<(), String> {
    let MethodName::Known(known) = method else { return Ok(()) };
    if !is_cacheable(method) {
        members.remove("ttlMs");
        members.remove("cacheScope");
    }
    let may_ask = matches!(known, Method::ToolsCall | Method::PromptsGet | Method::ResourcesRead);
    if asks_for_input(members) && may_ask && revision.era() == Era::Modern {
        return question(members);
    }
    members.remove("resultType");
    match known {
        Method::ToolsCall => whole::<CallToolResult>(members, revision),
        Method::PromptsGet => whole::<GetPromptResult>(members, revision),
        Method::ResourcesRead => whole::<ReadResourceResult>(members, revision),
        Method::Complete => whole::<CompleteResult>(members, revision),
        Method::ToolsList => each::<ToolDefinition>(members, "tools", revision),
        Method::PromptsList => each::<PromptDefinition>(members, "prompts", revision),
        Method::ResourcesList => each::<ResourceDefinition>(members, "resources", revision),
        Method::TemplatesList => each::<ResourceTemplateDefinition>(members, "resourceTemplates", revision),
        Method::Initialize => {
            text(members, "protocolVersion")?;
            // It is what both agreed on.
            members.insert("protocolVersion".to_owned(), revision.as_str().into());
            projected::<Implementation>(members, "serverInfo", revision)?;
            greeting(members, &["protocolVersion", "serverInfo"], revision)
        }
        Method::Discover => {
            let versions = members.get("supportedVersions").cloned().unwrap_or_default();
            let versions: Vec<String> =
                read(versions).map_err(|error| format!("`supportedVersions`: {error}"))?;
            if versions.is_empty() || versions.iter().any(|version| Revision::parse(version).is_none()) {
                return Err(format!(
                    "`supportedVersions` has to name revisions that are served, not {versions:?}"
                ));
            }
            greeting(members, &["supportedVersions"], revision)
        }
        _ => {
            members.retain(|name, _| ENVELOPE.contains(&name.as_str()));
            Ok(())
        }
    }
}

/// A question to the client, which is of no method's own form.
fn question(members: &mut Meta) -> Result<(), String> {
    let own = ["resultType", "inputRequests", "requestState", "_meta"];
    members.retain(|name, _| own.contains(&name.as_str()));
    let asked = members.get("inputRequests").and_then(Value::as_object);
    if asked.is_some_and(|asked| asked.values().any(|one| !one["method"].is_string())) {
        return Err("each of `inputRequests` has to have a method".to_owned());
    }
    match (members.get("inputRequests"), members.get("requestState")) {
        (Some(_), None) if asked.is_some_and(serde_json::Map::is_empty) => {
            Err("it asks for input, and says not which".to_owned())
        }
        (None, None) => Err("it asks for input, and says neither which nor with what state".to_owned()),
        (None | Some(Value::Object(_)), None | Some(Value::String(_))) => Ok(()),
        _ => Err("`inputRequests` has to be an object, and `requestState` a text".to_owned()),
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
    if members.contains_key("nextCursor") { text(members, "nextCursor") } else { Ok(()) }
}

fn greeting(members: &mut Meta, own: &[&str], revision: Revision) -> Result<(), String> {
    members.retain(|name, _| {
        let name = name.as_str();
        ENVELOPE.contains(&name) || own.contains(&name) || ["capabilities", "instructions"].contains(&name)
    });
    projected::<ServerCapabilities>(members, "capabilities", revision)?;
    if members.contains_key("instructions") { text(members, "instructions") } else { Ok(()) }
}

/// Whether a member is a text.
fn text(members: &Meta, member: &str) -> Result<(), String> {
    match members.get(member) {
        Some(Value::String(_)) => Ok(()),
        _ => Err(format!("`{member}` has to be a text")),
    }
}

fn projected<T: Project + Serialize + DeserializeOwned>(
    members: &mut Meta,
    member: &str,
    revision: Revision,
) -> Result<(), String> {
    let mut value: T =
        read(members.remove(member).unwrap_or_default()).map_err(|error| format!("`{member}`: {error}"))?;
    value.project(revision);
    members.insert(member.to_owned(), serde_json::json!(value));
    Ok(())
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}
