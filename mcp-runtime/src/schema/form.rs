//! What a person fills in: the flat schema of a form, as each revision knows it (2026-07-28, "Elicitation").

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::clean::{Contract, clean};
use super::faults::ArgumentFault;
use super::input::Input;
use super::ordered::{note_order, order};
use super::value::Arguments;
use crate::protocol::Revision;

/// One form.
pub(crate) struct Form {
    input: Input,
}

impl Form {
    /// The form of a type, by its schema, as it is asked of clients of that revision.
    pub(crate) fn of(schema: Value, revision: Revision) -> Result<Self, Vec<String>> {
        let mut schema = clean(schema, Contract::Form).map_err(|_| {
            vec!["the form holds more than 20000 parts once its definitions are written out".to_owned()]
        })?;
        if let Some(root) = schema.as_object_mut() {
            // What a client adds of its own is no fault of the person's.
            root.remove("additionalProperties");
            let fields = root.get("properties").and_then(Value::as_object).into_iter().flatten();
            let flaws: Vec<String> = fields
                .filter_map(|(name, field)| Some(format!("the field `{name}` {}", flaw(field, revision)?)))
                .collect();
            if !flaws.is_empty() {
                return Err(flaws);
            }
        }
        Input::verbatim(schema).map(|input| Self { input })
    }

    /// The schema as a client of that revision knows it: an object of fields.
    pub(crate) fn schema(&self, revision: Revision) -> Value {
        let none = Map::new();
        let fields = self.input.schema["properties"].as_object().unwrap_or(&none);
        let fields: Map<String, Value> =
            fields.iter().map(|(name, schema)| (name.clone(), field(schema, revision))).collect();
        let mut form = json!({ "type": "object", "properties": fields });
        if let Some(required) = self.input.schema.get("required") {
            form["required"] = required.clone();
        }
        if let (Some(form), Some(own)) = (form.as_object_mut(), self.input.schema.as_object()) {
            note_order(form, order(own));
        }
        form
    }

    /// Judges what a person filled in.
    pub(crate) fn accept(&self, content: Option<&Value>) -> Result<Value, String> {
        let text = content.map(Value::to_string);
        let mut answers =
            Arguments::read(text.as_deref()).map_err(|_| "`content` has to be an object".to_owned())?;
        self.input
            .accept(&mut answers)
            .map_err(|faults| faults.iter().map(without_value).collect::<Vec<_>>().join("; "))?;
        Ok(answers.value)
    }
}

/// What is wrong with an answer, without the answer: it is the person's, and not the model's or the log's to read.
fn without_value(fault: &ArgumentFault) -> String {
    let text = fault.to_string();
    match text.split_once(", got ") {
        Some((expected, _)) => expected.to_owned(),
        None => text,
    }
}

/// Why a field cannot be asked for. The fields of derived forms are flat; those of a flattened struct or of a type parameter
/// are seen here alone.
fn flaw(field: &Value, revision: Revision) -> Option<&'static str> {
    let is =
        |schema: &Value, kinds: &[&str]| schema["type"].as_str().is_some_and(|kind| kinds.contains(&kind));
    let is_choice = |schema: &Value| choices(schema).is_some() || schema["enum"].is_array();
    if is(field, &["array"]) {
        if !is_choice(&field["items"]) {
            return Some("is a list of what is no enum, and forms have lists of choices");
        }
        let known = revision >= Revision::V2025_11_25;
        return (!known).then_some("is a list, which forms have from 2025-11-25 on");
    }
    let is_flat = is(field, &["string", "number", "integer", "boolean"]) || is_choice(field);
    (!is_flat).then_some("is no text, number, boolean or enum, and forms are flat")
}

/// The members of a field's schema that the protocol has.
const MEMBERS: [&str; 13] = [
    "type",
    "title",
    "description",
    "default",
    "minLength",
    "maxLength",
    "format",
    "minimum",
    "maximum",
    "enum",
    "enumNames",
    "minItems",
    "maxItems",
];

fn field(schema: &Value, revision: Revision) -> Value {
    let mut field = Map::new();
    for member in MEMBERS {
        if let Some(value) = schema.get(member) {
            field.insert(member.to_owned(), value.clone());
        }
    }
    bound(&mut field, schema, ("exclusiveMinimum", "minimum"), 1);
    bound(&mut field, schema, ("exclusiveMaximum", "maximum"), -1);
    if let Some(choices) = choices(schema) {
        field.insert("type".to_owned(), "string".into());
        choose(&mut field, "oneOf", choices, revision);
    } else if let Some(items) = schema.get("items") {
        let items = match choices(items) {
            Some(choices) => {
                let mut several = Map::new();
                choose(&mut several, "anyOf", choices, revision);
                Value::Object(several)
            }
            None => json!({ "type": "string", "enum": items["enum"] }),
        };
        field.insert("items".to_owned(), items);
    }
    if revision < Revision::V2025_11_25 && field.get("type").is_some_and(|kind| kind != "boolean") {
        field.remove("default");
    }
    Value::Object(field)
}

/// Says a bound that forms do not have by one that they have: of whole numbers the next, of others the bound itself.
fn bound(field: &mut Map<String, Value>, schema: &Value, (own, known): (&str, &str), step: i64) {
    let Some(limit) = schema.get(own) else { return };
    let next =
        limit.as_i64().filter(|_| schema["type"] == "integer").and_then(|limit| limit.checked_add(step));
    field.insert(known.to_owned(), next.map_or_else(|| limit.clone(), Value::from));
}

/// One of several values, and what people call it.
struct Choice<'s> {
    value: &'s Value,
    title: Cow<'s, str>,
}

/// The choices of an enum whose values have titles or descriptions; none for one that is a list of values.
fn choices(schema: &Value) -> Option<Vec<Choice<'_>>> {
    let all = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    let mut choices = Vec::new();
    for one in all {
        let said = one["description"].as_str().and_then(|text| text.split("\n\n").next());
        let title = one["title"].as_str().or(said).map(|title| match title.contains('\n') {
            true => Cow::Owned(title.replace('\n', " ")),
            false => Cow::Borrowed(title),
        });
        match (one.get("const"), one["enum"].as_array()) {
            (Some(value), _) => choices.push(Choice {
                value,
                title: match title {
                    Some(title) => title,
                    None => value.as_str()?.into(),
                },
            }),
            (None, Some(values)) => {
                for value in values {
                    choices.push(Choice { value, title: value.as_str()?.into() });
                }
            }
            (None, None) => return None,
        }
    }
    Some(choices)
}

fn choose(field: &mut Map<String, Value>, keyword: &str, choices: Vec<Choice<'_>>, revision: Revision) {
    if revision >= Revision::V2025_11_25 {
        let all: Vec<Value> =
            choices.iter().map(|choice| json!({ "const": choice.value, "title": choice.title })).collect();
        field.insert(keyword.to_owned(), all.into());
    } else {
        let (values, titles): (Vec<&Value>, Vec<&str>) =
            choices.iter().map(|choice| (choice.value, &*choice.title)).unzip();
        field.insert("enum".to_owned(), json!(values));
        field.insert("enumNames".to_owned(), json!(titles));
    }
}
