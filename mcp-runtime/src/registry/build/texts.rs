//! Arguments that are text on the wire: those of prompts, completions and templates.

use super::{Builder, text};
use crate::handler::Describe;
use crate::protocol::PromptArgument;
use crate::registry::completions::Choice;
use crate::registry::definition::{About, Owner};
use crate::registry::words::{is_text_like, words};

/// Arguments that are text on the wire.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) arguments: Vec<PromptArgument>,
    /// The names of those that are a `PathBuf`.
    pub(super) paths: Vec<String>,
}

impl Builder<'_> {
    /// Describes arguments that are text on the wire, and refuses types that no text gives. Those of `owner` that
    /// have but few values complete themselves.
    pub(super) fn texts(
        &mut self,
        about: About,
        what: &str,
        describe: fn(&mut Describe),
        owner: Option<&Owner>,
    ) -> Texts {
        let mut texts = Texts::default();
        let Some(site) = about.site else { return texts };
        let mut described = self.describe(site, what, describe);
        let definitions = described.definitions();
        for one in described.arguments {
            let name = one.argument.name;
            if one.is_path {
                texts.paths.push(name.clone());
            }
            if !is_text_like(&one.argument.schema, &definitions) {
                self.problem(
                    site,
                    format!(
                        "{what}: `{name}` is text on the wire, and its type does not read from one text: use a string, \
                         a number, a boolean or an enum without data"
                    ),
                );
            }
            let words = words(&one.argument.schema, &definitions);
            let description = text(one.description)
                .or_else(|| words.as_ref().map(|words| format!("One of: {}.", words.join(", "))));
            if let (Some(owner), Some(words)) = (owner, words) {
                let (owner, argument) = (owner.clone(), name.clone());
                self.choices.push(Choice { about, owner, argument, words });
            }
            let title = one.title.map(str::to_owned);
            let required = one.argument.required;
            texts.arguments.push(PromptArgument { name, title, description, required });
        }
        texts
    }
}
