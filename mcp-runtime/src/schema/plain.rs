//! Schemas of which it is plain that they can be used, without compiling them: nothing but keywords whose values cannot
//! be wrong in other ways than seen here. Most that are made of types are such; compiling the first costs most of a start.

use serde_json::{Map, Number, Value};

use super::ordered::is_order;

/// Whether a schema can be used for sure. Whatever is seldom is left to the compiler: references, unions, patterns,
/// dialects.
pub(super) fn is_plain(schema: &Value) -> bool {
    match schema {
        Value::Bool(_) => true,
        Value::Object(node) => node.iter().all(|(keyword, value)| is_sound(keyword, value)),
        _ => false,
    }
}

fn is_sound(keyword: &str, value: &Value) -> bool {
    match keyword {
        "title" | "description" | "format" | "x-mcp-header" => value.is_string(),
        "default" | "const" => true,
        "type" => value.as_str().is_some_and(is_type),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
        "uniqueItems" => value.is_boolean(),
        "enum" | "examples" => value.is_array(),
        "required" => is_set_of_texts(value),
        "properties" => value.as_object().is_some_and(|held| held.values().all(is_plain)),
        "items" | "additionalProperties" => is_plain(value),
        _ => is_order(keyword),
    }
}

fn is_type(name: &str) -> bool {
    matches!(name, "null" | "boolean" | "object" | "array" | "number" | "string" | "integer")
}

fn is_set_of_texts(value: &Value) -> bool {
    let Some(texts) = value.as_array() else { return false };
    let is_new = |(place, text): (usize, &Value)| text.is_string() && !texts[..place].contains(text);
    texts.iter().enumerate().all(is_new)
}

/// Whether it is plain that a value fits a schema; where it is not, the validator tells.
pub(super) fn fits(node: &Map<String, Value>, value: &Value) -> bool {
    node.iter().all(|(keyword, says)| match keyword.as_str() {
        "title" | "description" | "default" | "examples" | "x-mcp-header" => true,
        "type" => says.as_str().is_some_and(|name| is_of(value, name)),
        "enum" => says.as_array().is_some_and(|values| values.contains(value)),
        "minimum" => compare(value, says, |value, least| value >= least),
        "maximum" => compare(value, says, |value, most| value <= most),
        _ => false,
    })
}

fn is_of(value: &Value, kind: &str) -> bool {
    match value {
        Value::Bool(_) => kind == "boolean",
        Value::String(_) => kind == "string",
        Value::Number(number) => kind == "number" || (kind == "integer" && !number.is_f64()),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Compares integers, which cannot be rounded.
fn compare(value: &Value, limit: &Value, holds: impl Fn(i128, i128) -> bool) -> bool {
    let integer = |value: &Value| value.as_number().and_then(Number::as_i128);
    matches!((integer(value), integer(limit)), (Some(value), Some(limit)) if holds(value, limit))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::validator::Validator;
    use super::*;

    #[test]
    fn what_is_plain_compiles() {
        for schema in [
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "required": ["a"], "properties": {
                "a": {"type": "integer", "minimum": -5, "maximum": u64::MAX, "default": 3, "description": "d", "title": "t"},
                "b": {"type": "array", "items": {"enum": ["x", 1]}, "minItems": 1, "maxItems": 3, "uniqueItems": true},
                "c": {"type": "string", "format": "date", "maxLength": 3, "const": {}},
                "d": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5, "examples": [0.5]},
                "e": {"type": "string", "x-mcp-header": "E"}, "f": true,
            }}),
        ] {
            assert!(is_plain(&schema), "{schema}");
            assert!(Validator::build(&schema).is_ok(), "{schema}");
        }
    }

    #[test]
    fn what_may_be_wrong_is_not_plain() {
        for schema in [
            json!({"type": "strng"}),
            json!({"type": ["string", "string"]}),
            json!({"required": ["a", "a"]}),
            json!({"required": "a"}),
            json!({"properties": {"a": {"pattern": "("}}}),
            json!({"properties": {"a": 5}}),
            json!({"minimum": "5"}),
            json!({"minLength": -1}),
            json!({"anyOf": [true]}),
            json!({"items": {"$ref": "#/$defs/A"}}),
            json!({"items": [true]}),
            json!({"$schema": "https://example.com/mine"}),
            json!({"title": 5}),
            json!(5),
        ] {
            assert!(!is_plain(&schema), "{schema}");
        }
    }

    #[test]
    fn what_plainly_fits_fits() {
        let nodes = [
            json!({"type": "integer", "minimum": 0, "maximum": 10, "default": 0}),
            json!({"type": "string", "description": "d"}),
            json!({"enum": ["C", "F"]}),
            json!({"type": "boolean"}),
            json!({"type": "number"}),
            json!({"type": "string", "minLength": 2}),
        ];
        let values =
            [json!(0), json!(10), json!(11), json!(-1), json!(1.5), json!("C"), json!(true), json!(null)];
        let mut plain = 0;
        for (node, value) in nodes.iter().flat_map(|node| values.iter().map(move |value| (node, value))) {
            if fits(node.as_object().unwrap(), value) {
                plain += 1;
                assert_eq!(Validator::compile(node).unwrap().judge(node, value), Ok(()), "{node} {value}");
            }
        }
        assert_eq!(plain, 2 + 1 + 1 + 1 + 5);
    }
}
