//! What completes an argument, found by the parameters of `completion/complete`.

use serde::Deserialize;

use super::jobs::{Job, needed, unknown_prompt};
use super::prepare::texts;
use crate::protocol::envelope::{Params, Raw, Text};
use crate::protocol::fault::Fault;
use crate::registry::{Owner, Surface};
use crate::schema::faults::unknown;

/// `params.ref`
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Reference<'a> {
    #[serde(rename = "type")]
    kind: Text<'a>,
    name: Text<'a>,
    uri: Text<'a>,
}

/// `params.argument`
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Argument<'a> {
    name: Text<'a>,
    value: Text<'a>,
}

/// `params.context`
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Chosen<'a> {
    arguments: Raw<'a>,
}

/// Finds what completes an argument: nothing, where nobody registered a completion for it.
pub(super) fn completion(surface: &Surface, params: &Params<'_>) -> Result<Job, Fault> {
    let reference: Reference<'_> = object(params.reference, "params.ref")?;
    let argument: Argument<'_> = object(params.argument, "params.argument")?;
    let name = needed(&argument.name, "params.argument.name")?;
    let value = needed(&argument.value, "params.argument.value")?;
    let chosen: Chosen<'_> = match params.context.non_null() {
        Some(_) => object(params.context, "params.context")?,
        None => Chosen::default(),
    };

    let (owner, known) = match reference.kind.text() {
        Some("ref/prompt") => {
            let name = needed(&reference.name, "params.ref.name")?;
            let prompt = surface.prompt(name).ok_or_else(|| unknown_prompt(surface, name))?;
            let known = prompt.definition.arguments.iter().map(|argument| argument.name.clone()).collect();
            (Owner::Prompt(name.to_owned()), known)
        }
        Some("ref/resource") => {
            let uri = needed(&reference.uri, "params.ref.uri")?;
            let template =
                surface.definitions.templates.iter().find(|one| one.definition.uri_template == uri);
            match template {
                Some(template) => (Owner::Template(uri.to_owned()), template.variables()),
                // A plain resource has nothing to complete.
                None if surface.resource(uri).is_ok_and(|found| found.is_some()) => {
                    return Ok(Job::Complete { completion: None, texts: Vec::new() });
                }
                None => return Err(Fault::invalid_params(format!("Unknown resource or template: {uri}"))),
            }
        }
        _ => {
            return Err(Fault::invalid_params(
                "Invalid params: `params.ref.type` has to be \"ref/prompt\" or \"ref/resource\"",
            ));
        }
    };
    if !known.iter().any(|known| known == name) {
        let what = unknown(name, known.iter().map(String::as_str));
        return Err(Fault::invalid_params(format!("`{name}` of {owner}: {what}")));
    }
    let completion = surface.completion(&owner, name).cloned();
    let mut values = Vec::new();
    if let Some(typed) = completion.as_ref().and_then(|completion| completion.typed.clone()) {
        values.push((typed, value.to_owned()));
    }
    values.extend(texts(chosen.arguments.0, "params.context.arguments")?);
    Ok(Job::Complete { completion, texts: values })
}

/// Reads an object. A derived struct takes a positional array for one, so the first byte decides.
fn object<'de, T: Deserialize<'de>>(raw: Raw<'de>, member: &str) -> Result<T, Fault> {
    let refused = |what: String| Fault::invalid_params(format!("Invalid params: `{member}` {what}"));
    if raw.0.is_none() {
        return Err(refused("is missing".to_owned()));
    }
    let object = raw.object().ok_or_else(|| refused("has to be an object".to_owned()))?;
    // What is left to be wrong is a member that is there twice, or text that is none.
    serde_json::from_str(object).map_err(|error| refused(format!("cannot be read: {error}")))
}
