//! The JSON Schema validator: whether a value fits.

use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, ValidationError};
use serde_json::Value;

use super::explain::explain;
use super::faults::{ArgumentFault, shown};
use super::plain::is_plain;
use super::sound::sound;
use super::walk::each_held;

/// A schema, compiled once: when it is first used, where it is plain that it can be. None where it cannot all the same.
#[derive(Debug)]
pub(crate) struct Validator(OnceLock<Option<jsonschema::Validator>>);

impl Validator {
    /// Takes a schema that can be used, or says why it cannot. Nothing is ever fetched: a reference that leaves the
    /// document is an error.
    pub(crate) fn compile(schema: &Value) -> Result<Self, String> {
        if is_plain(schema) {
            return Ok(Self(OnceLock::new()));
        }
        Self::build(schema).map(|compiled| Self(OnceLock::from(Some(compiled))))
    }

    pub(super) fn build(schema: &Value) -> Result<jsonschema::Validator, String> {
        let draft = draft(schema)?;
        sound(schema, draft)?;
        jsonschema::options()
            .with_draft(draft)
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .build(schema)
            .map_err(|error| unusable(&error))
    }

    /// What is wrong with `value`, as far as it can be told; `schema` is what this was compiled from.
    pub(crate) fn judge(&self, schema: &Value, value: &Value) -> Result<(), Vec<ArgumentFault>> {
        let Some(compiled) = self.0.get_or_init(|| Self::build(schema).ok()) else {
            return Err(vec![ArgumentFault::new("", "the schema of this cannot be used")]);
        };
        if compiled.is_valid(value) {
            return Ok(());
        }
        let faults = explain(schema, value);
        if faults.is_empty() {
            return Err(vec![ArgumentFault::new("", "this does not fit the schema as a whole")]);
        }
        Err(faults)
    }
}

/// Why a schema cannot be compiled, and where in it.
fn unusable(error: &ValidationError<'_>) -> String {
    // Where the dialect's own schema refuses it, it is the value that is judged.
    let place = match error.instance_path().as_str() {
        "" => error.schema_path().as_str(),
        place => place,
    };
    let text = match error.kind() {
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
            format!("{} is nothing that JSON Schema takes there", shown(error.instance()))
        }
        _ => error.to_string(),
    };
    format!("the schema cannot be used: at `{place}`: {text}")
}

/// The dialect of a schema. Parts of it may name their own, and none that is not known.
fn draft(schema: &Value) -> Result<Draft, String> {
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        named(schema)?;
        if let Some(node) = schema.as_object() {
            each_held(node, |_, held| open.push(held));
        }
    }
    named(schema)
}

/// The dialect that a schema names, or else the one that holds where none is named.
fn named(schema: &Value) -> Result<Draft, String> {
    let Some(stamp) = schema.get("$schema") else { return Ok(Draft::Draft202012) };
    let stamp = stamp.as_str().ok_or("`$schema` takes the URI of a dialect")?;
    match stamp.trim_end_matches('#').replacen("http://", "https://", 1).as_str() {
        "https://json-schema.org/draft/2020-12/schema" => Ok(Draft::Draft202012),
        "https://json-schema.org/draft/2019-09/schema" => Ok(Draft::Draft201909),
        "https://json-schema.org/draft-07/schema" => Ok(Draft::Draft7),
        "https://json-schema.org/draft-06/schema" => Ok(Draft::Draft6),
        "https://json-schema.org/draft-04/schema" => Ok(Draft::Draft4),
        _ => Err(format!(
            "`$schema` names `{stamp}`, a dialect that is not known here; leave it out for 2020-12"
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, value: &Value, expected: &[&str]) {
        let validator = Validator::compile(schema).unwrap();
        let faults = validator.judge(schema, value).err().unwrap_or_default();
        let mut told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        told.sort();
        assert_eq!(told, expected);
    }

    #[test]
    fn every_fault_is_told_with_its_path() {
        let schema = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1},
                "limit": {"type": "integer", "minimum": 1, "maximum": 10},
                "unit": {"enum": ["C", "F"]},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["query"],
            "additionalProperties": false,
        });
        check(&schema, &json!({"query": "x", "limit": 10, "unit": "C"}), &[]);
        check(
            &schema,
            &json!({"querry": "x", "limit": 11, "unit": "K", "tags": ["a", 7]}),
            &[
                "`limit`: expected at most 10, got 11",
                "`querry`: unknown argument; did you mean `query`?",
                "`query`: missing; expected string",
                "`tags[1]`: expected string, got 7",
                "`unit`: expected one of \"C\", \"F\", got \"K\"",
            ],
        );
    }

    #[test]
    fn a_tagged_union_is_told_by_the_branch_its_tag_names() {
        let schema = json!({"type": "object", "properties": {"shape": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
            {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
        ]}}});
        check(
            &schema,
            &json!({"shape": {"kind": "circle", "r": "big"}}),
            &["`shape.r`: expected number, got \"big\""],
        );
        let forms = r#"`shape`: expected one of {"kind": "circle", …}, {"kind": "square", …}"#;
        check(&schema, &json!({"shape": 5}), &[&format!("{forms}, got 5")]);
        check(
            &schema,
            &json!({"shape": {"kind": "squre"}}),
            &[&format!(r#"{forms}, got {{"kind":"squre"}}; did you mean {{"kind": "square", …}}?"#)],
        );
    }

    #[test]
    fn a_union_by_key_is_told_by_the_branch_its_key_names() {
        let schema = json!({"type": "object", "properties": {"shape": {"oneOf": [
            {"type": "string", "enum": ["Point", "Nothing"]},
            {"type": "object", "properties": {"Circle": {"type": "number"}}, "required": ["Circle"], "additionalProperties": false},
            {"type": "object", "properties": {"Square": {"type": "object", "properties": {"side": {"type": "number"}}, "required": ["side"]}},
             "required": ["Square"], "additionalProperties": false},
        ]}}});
        check(&schema, &json!({"shape": {"Square": {}}}), &["`shape.Square.side`: missing; expected number"]);
        let forms = r#"`shape`: expected one of "Point", "Nothing", {"Circle": …}, {"Square": …}"#;
        check(
            &schema,
            &json!({"shape": {"Circl": 1}}),
            &[&format!(r#"{forms}, got {{"Circl":1}}; did you mean {{"Circle": …}}?"#)],
        );
        check(
            &schema,
            &json!({"shape": "Circle"}),
            &[&format!(r#"{forms}, got "Circle"; did you mean {{"Circle": …}}?"#)],
        );
    }

    #[test]
    fn nothing_is_fetched_and_unknown_dialects_are_refused() {
        let compile = |schema| Validator::compile(&schema).map(|_| ()).unwrap_err();
        assert_eq!(
            compile(json!({"type": "object", "properties": {"a": {"type": "strng"}}})),
            "the schema cannot be used: at `/properties/a/type`: \"strng\" is nothing that JSON Schema takes there"
        );
        assert!(
            compile(json!({"properties": {"a": {"pattern": "("}}})).contains("at `/properties/a/pattern`: ")
        );
        assert!(compile(json!({"$ref": "http://127.0.0.1:9/s"})).contains("cannot be used"));
        assert!(compile(json!({"$ref": "file:///etc/passwd"})).contains("cannot be used"));
        assert!(compile(json!({"$schema": "https://example.com/mine"})).contains("not known here"));
        assert!(Validator::compile(&json!({"$schema": "http://json-schema.org/draft-07/schema#"})).is_ok());
    }
}
