//! The forms of a union, as people tell them apart: by a key, by a tag, or as plain texts.

use serde_json::{Map, Value};

use super::faults::nearest;
use super::walk::only_value;

/// One form of a union.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form<'s> {
    /// A text: a variant without data.
    Text(&'s str),
    /// An object of one key: a variant with its data.
    Key(&'s str),
    /// An object with a member that names the variant.
    Tag(&'s str, &'s str),
    /// Anything of a type.
    Kind(&'s str),
}

/// The forms of a union's branches; `None` where one cannot be told.
pub(super) fn forms(branches: &[Value]) -> Option<Vec<Form<'_>>> {
    let mut forms = Vec::new();
    for branch in branches {
        match branch.get("enum").and_then(Value::as_array) {
            Some(texts) => {
                for text in texts {
                    forms.push(Form::Text(text.as_str()?));
                }
            }
            None => forms.push(form(branch.as_object()?)?),
        }
    }
    Some(forms)
}

/// The branch that a value means by its only key.
pub(super) fn keyed(branches: &[Value], value: &Value) -> Option<usize> {
    let mut keys = value.as_object()?.keys();
    let (key, None) = (keys.next()?, keys.next()) else { return None };
    branches.iter().position(|branch| {
        branch.as_object().and_then(form).is_some_and(|form| matches!(form, Form::Key(own) if own == key))
    })
}

/// A word on the form that was most likely meant, where there is one.
pub(super) fn near(forms: &[Form<'_>], value: &Value) -> String {
    let near = match value {
        Value::String(text) => nearest(text, forms.iter().filter_map(|form| form.name())),
        Value::Object(members) => forms.iter().find_map(|form| match form {
            Form::Tag(tag, _) => {
                nearest(members.get(*tag)?.as_str()?, forms.iter().filter_map(|form| form.name()))
            }
            _ => nearest(members.keys().next()?, forms.iter().filter_map(|form| form.name())),
        }),
        _ => None,
    };
    match near.and_then(|near| forms.iter().find(|form| form.name() == Some(near))) {
        Some(form) => format!("; did you mean {form}?"),
        None => String::new(),
    }
}

fn form(branch: &Map<String, Value>) -> Option<Form<'_>> {
    if let Some(Value::String(text)) = branch.get("const") {
        return Some(Form::Text(text));
    }
    let kind = branch.get("format").or_else(|| branch.get("type"))?.as_str()?;
    let Some(properties) = branch.get("properties").and_then(Value::as_object) else {
        return Some(Form::Kind(kind));
    };
    let tag = properties.iter().find_map(|(name, member)| Some((name, only_value(member)?.as_str()?)));
    if let Some((name, value)) = tag {
        return Some(Form::Tag(name, value));
    }
    let mut names = properties.keys();
    match (names.next(), names.next()) {
        (Some(key), None) if branch.get("required")?.as_array()?.iter().any(|one| one == key) => {
            Some(Form::Key(key))
        }
        _ => None,
    }
}

impl Form<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Text(name) | Self::Key(name) | Self::Tag(_, name) => Some(name),
            Self::Kind(_) => None,
        }
    }
}

impl std::fmt::Display for Form<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Key(key) => write!(f, "{{{key:?}: …}}"),
            Self::Tag(tag, value) => write!(f, "{{{tag:?}: {value:?}, …}}"),
            Self::Kind(kind) => write!(f, "any {kind}"),
        }
    }
}
