//! What a schema says of one value alone: its type, bounds, pattern, format, and keywords that are seldom used.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::faults::{listed, nearest, shown};
use super::ordered::is_order;

/// The keywords that are walked by [`super::explain`], and those that say nothing of values.
const ELSEWHERE: [&str; 24] = [
    "$ref",
    "$defs",
    "definitions",
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "x-mcp-header",
    "allOf",
    "anyOf",
    "oneOf",
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "items",
    "prefixItems",
];

/// The keywords of one schema that are judged without looking into the value.
pub(super) struct Leaf(Validator);

impl Leaf {
    /// None where the schema has no such keyword, or one that cannot be judged alone.
    pub(super) fn of(node: &Map<String, Value>) -> Option<Self> {
        let own: Map<String, Value> = node
            .iter()
            .filter(|(keyword, value)| {
                !ELSEWHERE.contains(&keyword.as_str()) && !is_order(keyword) && !refers(value)
            })
            .map(|(keyword, value)| (keyword.clone(), value.clone()))
            .collect();
        if own.is_empty() { None } else { compile(&Value::Object(own)) }
    }

    /// What text of that form fits.
    pub(super) fn pattern(pattern: &str) -> Option<Self> {
        compile(&json!({ "pattern": pattern }))
    }

    /// Why the value does not fit.
    pub(super) fn misfit(&self, value: &Value) -> Option<String> {
        if self.0.is_valid(value) {
            return None;
        }
        self.0.iter_errors(value).next().map(|error| text(&error))
    }
}

fn compile(schema: &Value) -> Option<Leaf> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .build(schema)
        .ok()
        .map(Leaf)
}

/// Whether a reference stands in the value of a keyword: it would lead out of it.
fn refers(value: &Value) -> bool {
    match value {
        Value::Object(node) => node.contains_key("$ref") || node.values().any(refers),
        Value::Array(list) => list.iter().any(refers),
        _ => false,
    }
}

fn text(error: &ValidationError<'_>) -> String {
    let came = || shown(error.instance());
    match error.kind() {
        ValidationErrorKind::Type { kind } => format!("expected {}, got {}", kind_text(kind), came()),
        ValidationErrorKind::Enum { options } => {
            let options = options.as_array().map_or(&[][..], Vec::as_slice);
            let texts = options.iter().filter_map(Value::as_str);
            let near = error.instance().as_str().and_then(|came| nearest(came, texts));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
            format!("expected one of {}, got {}{near}", listed(options.iter()), came())
        }
        ValidationErrorKind::Constant { expected_value } => {
            format!("expected {}, got {}", shown(&**expected_value), came())
        }
        ValidationErrorKind::Minimum { limit } => format!("expected at least {limit}, got {}", came()),
        ValidationErrorKind::Maximum { limit } => format!("expected at most {limit}, got {}", came()),
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            format!("expected more than {limit}, got {}", came())
        }
        ValidationErrorKind::ExclusiveMaximum { limit } => {
            format!("expected less than {limit}, got {}", came())
        }
        ValidationErrorKind::MinLength { limit } => {
            format!("expected at least {}, got {}", counted(*limit, "character"), came())
        }
        ValidationErrorKind::MaxLength { limit } => {
            format!("expected at most {}, got {}", counted(*limit, "character"), came())
        }
        ValidationErrorKind::MinItems { limit } => {
            format!("expected at least {}, got {}", counted(*limit, "item"), came())
        }
        ValidationErrorKind::MaxItems { limit } => {
            format!("expected at most {}, got {}", counted(*limit, "item"), came())
        }
        ValidationErrorKind::Pattern { pattern } => {
            format!("expected text that matches `{pattern}`, got {}", came())
        }
        ValidationErrorKind::Format { format } => {
            let article = if format.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
            format!("expected {article} {format}, got {}", came())
        }
        kind => format!("does not fit `{}`, got {}", kind.keyword(), came()),
    }
}

/// What a schema expects, in few words, where it says so.
pub(super) fn expected(schema: &Value) -> Option<String> {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str).map(str::to_owned);
    match schema.get("enum").and_then(Value::as_array) {
        Some(options) => Some(format!("one of {}", listed(options.iter()))),
        None => text("format").or_else(|| text("type")),
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn kind_text(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind.to_string(),
        TypeKind::Multiple(kinds) => {
            kinds.iter().map(|kind| kind.to_string()).collect::<Vec<_>>().join(" or ")
        }
    }
}
