//! Completion: what somebody registered for it is checked against what it belongs to, and enums complete themselves.

use std::sync::Arc;

use super::definition::{About, CompletionDef, Definitions, Owner};
use super::entry::{CompletionOf, Site};
use crate::call::Context;
use crate::handler::{IntoCompletion, Outcome, Source};
use crate::protocol::{CompleteResult, PromptArgument};
use crate::schema::faults::instead;

/// A completion that somebody registered, until it is known that what it completes exists.
pub(super) struct Registered {
    pub(super) site: Site,
    pub(super) definition: Arc<CompletionDef>,
    /// Its parameters beside the one that takes what was typed.
    pub(super) others: Vec<PromptArgument>,
}

/// An argument of a prompt or a variable of a template that has but few values.
pub(super) struct Choice {
    pub(super) about: About,
    pub(super) owner: Owner,
    pub(super) argument: String,
    pub(super) words: Vec<String>,
}

impl Registered {
    /// What is wrong with it, beside what it belongs to.
    pub(super) fn problems(&self, definitions: &Definitions) -> Vec<String> {
        let completion = &*self.definition;
        let known = match arguments(&completion.owner, definitions) {
            Ok(known) => known,
            Err(problem) => return vec![problem],
        };
        if !known.contains(&completion.argument) {
            let kind = format!("argument of {}", completion.owner);
            return vec![no_such(&kind, &completion.argument, &known)];
        }
        let what = format!("completion of `{}` of {}", completion.argument, completion.owner);
        let mut problems = Vec::new();
        for other in &self.others {
            let name = &other.name;
            if !known.contains(name) {
                problems.push(format!(
                    "{what}: the parameter `{name}` is no argument of {}: {}",
                    completion.owner,
                    instead(name, names(&known))
                ));
            } else if other.required {
                problems.push(format!(
                    "{what}: the parameter `{name}` is there only once it was chosen: take it as an `Option`"
                ));
            }
        }
        problems
    }
}

impl Choice {
    /// The words that begin with what was typed, in whatever case.
    pub(super) fn completion(self) -> CompletionDef {
        let Self { about, owner, argument, words } = self;
        let words: Arc<[String]> = words.into();
        let name = argument.clone();
        let call = move |_: Context, source: Source| -> Outcome<CompleteResult> {
            let typed = match source {
                Source::Text(texts) => texts.into_iter().find(|(known, _)| *known == name),
                Source::Json(_) => None,
            };
            let typed = typed.map(|(_, text)| text.to_lowercase()).unwrap_or_default();
            let fit: Vec<&str> = words
                .iter()
                .map(String::as_str)
                .filter(|word| word.to_lowercase().starts_with(&typed))
                .collect();
            fit.into_completion()
        };
        CompletionDef {
            about,
            owner,
            typed: Some(argument.clone()),
            argument,
            call: Arc::new(move |scope| {
                let (context, source) = scope.into_parts();
                Box::pin(std::future::ready(call(context, source)))
            }),
        }
    }
}

pub(super) fn owner(of: CompletionOf) -> Owner {
    match of {
        CompletionOf::Prompt(name) => Owner::Prompt(name.to_owned()),
        CompletionOf::Resource(uri) => Owner::Template(uri.to_owned()),
    }
}

/// The names of what the owner takes; or that there is no such owner.
fn arguments(owner: &Owner, definitions: &Definitions) -> Result<Vec<String>, String> {
    match owner {
        Owner::Prompt(name) => {
            let mut prompts = definitions.prompts.iter().map(|prompt| &prompt.definition);
            let found = prompts.clone().find(|prompt| prompt.name == *name);
            let taken = |prompt: &crate::protocol::PromptDefinition| {
                prompt.arguments.iter().map(|argument| argument.name.clone()).collect()
            };
            found.map(taken).ok_or_else(|| {
                let known: Vec<String> = prompts.by_ref().map(|prompt| prompt.name.clone()).collect();
                no_such("prompt", name, &known)
            })
        }
        Owner::Template(uri) => {
            let found = definitions.templates.iter().find(|one| one.definition.uri_template == *uri);
            found.map(|template| template.variables()).ok_or_else(|| {
                let known: Vec<String> =
                    definitions.templates.iter().map(|one| one.definition.uri_template.clone()).collect();
                no_such("resource template", uri, &known)
            })
        }
    }
}

fn no_such(kind: &str, name: &str, known: &[String]) -> String {
    format!("completion for an unknown {kind}, `{name}`: {}", instead(name, names(known)))
}

fn names(known: &[String]) -> impl Iterator<Item = &str> + Clone {
    known.iter().map(String::as_str)
}
