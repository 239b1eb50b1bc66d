//! Where schemas stand inside a schema (JSON Schema 2020-12): the one list of keywords that hold them.

use serde_json::{Map, Value, json};

/// How a keyword holds schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One schema.
    One,
    /// An array of schemas.
    List,
    /// An object whose values are schemas.
    Named,
}

/// How the keyword holds schemas, if it does.
pub(crate) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs"
        | "definitions" => Holds::Named,
        "oneOf" | "anyOf" | "allOf" | "prefixItems" => Holds::List,
        "items"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "contentSchema"
        | "not"
        | "if"
        | "then"
        | "else" => Holds::One,
        _ => return None,
    })
}

/// Calls `each` for every schema directly inside `node`, with the keyword that holds it.
pub(crate) fn each_held<'n>(node: &'n Map<String, Value>, mut each: impl FnMut(&'n str, &'n Value)) {
    for (keyword, value) in node {
        match (holds(keyword), value) {
            // `items: [..]` is how drafts before 2020-12 wrote `prefixItems`.
            (Some(Holds::One | Holds::List), Value::Array(list)) => {
                list.iter().for_each(|one| each(keyword, one));
            }
            (Some(Holds::Named), Value::Object(named)) => named.values().for_each(|one| each(keyword, one)),
            (Some(Holds::One), one) => each(keyword, one),
            _ => {}
        }
    }
}

/// The same for schemas that are to be changed.
pub(crate) fn each_child(node: &mut Map<String, Value>, mut each: impl FnMut(&str, &mut Value)) {
    for (keyword, value) in node {
        match (holds(keyword), value) {
            (Some(Holds::One | Holds::List), Value::Array(list)) => {
                list.iter_mut().for_each(|one| each(keyword, one));
            }
            (Some(Holds::Named), Value::Object(named)) => {
                named.values_mut().for_each(|one| each(keyword, one));
            }
            // `additionalProperties: true` says what leaving it out does not: that more is welcome.
            (Some(Holds::One), Value::Bool(_)) if keyword.ends_with("Properties") => {}
            (Some(Holds::One), one) => each(keyword, one),
            _ => {}
        }
    }
}

/// Whether the schema admits `null` and nothing else.
pub(crate) fn is_null_schema(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null") || schema.get("const").is_some_and(Value::is_null)
}

/// The only value that the schema admits.
#[cfg(feature = "validation")]
pub(crate) fn only_value(schema: &Value) -> Option<&Value> {
    match (schema.get("const"), schema.get("enum").and_then(Value::as_array).map(Vec::as_slice)) {
        (Some(value), _) | (None, Some([value])) => Some(value),
        _ => None,
    }
}

/// Gives `true` and `false` the form of an object that means the same.
pub(crate) fn spell_out(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Bool(false) => *schema = json!({ "not": {} }),
        _ => {}
    }
}
