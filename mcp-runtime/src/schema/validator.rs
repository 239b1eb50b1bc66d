//! The compiled JSON Schema validator: whether a value fits, and every way in which it does not.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{Draft, ValidationError};
use serde_json::Value;

use super::faults::{ArgumentFault, Segment, path_of, shown, unknown};
use super::forms::{forms, keyed, told};

/// A schema, compiled once.
#[derive(Debug)]
pub(crate) struct Validator(jsonschema::Validator);

impl Validator {
    /// Compiles a schema. Nothing is ever fetched: a reference that leaves the document is an error.
    pub(crate) fn compile(schema: &Value) -> Result<Self, String> {
        jsonschema::options()
            .with_draft(draft(schema)?)
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .build(schema)
            .map(Self)
            .map_err(|error| unusable(&error))
    }

    pub(crate) fn fits(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Everything that is wrong with `value`; `schema` is what this was compiled from.
    pub(crate) fn faults(&self, schema: &Value, value: &Value) -> Vec<ArgumentFault> {
        let mut faults = Vec::new();
        for error in self.0.iter_errors(value) {
            tell(&error, schema, &mut faults);
        }
        faults
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

fn draft(schema: &Value) -> Result<Draft, String> {
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

fn tell(error: &ValidationError<'_>, schema: &Value, faults: &mut Vec<ArgumentFault>) {
    let path = path_of(error.instance_path().iter().map(|segment| match segment {
        LocationSegment::Property(name) => Segment::Name(name),
        LocationSegment::Index(index) => Segment::Index(index),
    }));
    let member = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let came = || shown(error.instance());
    let text = match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            faults
                .push(ArgumentFault::new(member(name), format!("missing{}", expected(error, schema, name))));
            return;
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let known = parent(error, schema).and_then(|node| node.get("properties")?.as_object());
            for name in unexpected {
                let names = known.into_iter().flat_map(|known| known.keys().map(String::as_str));
                faults.push(ArgumentFault::new(member(name), unknown(name, names)));
            }
            return;
        }
        ValidationErrorKind::OneOfNotValid { context } | ValidationErrorKind::AnyOf { context } => {
            let branches = schema.pointer(error.schema_path().as_str()).and_then(Value::as_array);
            if let Some(branch) = meant(context, branches, error) {
                for error in branch {
                    tell(error, schema, faults);
                }
                return;
            }
            match branches.and_then(|branches| forms(branches)) {
                Some(forms) => {
                    format!("expected one of {}, got {}", told(&forms, error.instance()), came())
                }
                None => format!("fits none of the {} forms it may have, got {}", context.len(), came()),
            }
        }
        ValidationErrorKind::Type { kind } => format!("expected {}, got {}", kind_text(kind), came()),
        ValidationErrorKind::Enum { options } => {
            let options: Vec<String> =
                options.as_array().into_iter().flatten().map(Value::to_string).collect();
            format!("expected one of {}, got {}", options.join(", "), came())
        }
        ValidationErrorKind::Constant { expected_value } => {
            format!("expected {expected_value}, got {}", came())
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
        ValidationErrorKind::Format { format } => format!("expected a {format}, got {}", came()),
        _ => error.to_string(),
    };
    faults.push(ArgumentFault::new(path.as_str(), text));
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

/// The schema whose keyword failed.
fn parent<'s>(error: &ValidationError<'_>, schema: &'s Value) -> Option<&'s Value> {
    let pointer = error.schema_path().to_string();
    let (parent, _) = pointer.rsplit_once('/')?;
    schema.pointer(parent)
}

/// What the schema says a missing member is.
fn expected(error: &ValidationError<'_>, schema: &Value, name: &str) -> String {
    parent(error, schema)
        .and_then(|node| node.get("properties")?.get(name)?.get("type")?.as_str())
        .map_or(String::new(), |kind| format!("; expected {kind}"))
}

/// The branch of a union that the value means: the one whose key it has, or the only one whose tag it does not
/// contradict.
fn meant<'e>(
    branches: &'e [Vec<ValidationError<'static>>],
    schemas: Option<&Vec<Value>>,
    union: &ValidationError<'_>,
) -> Option<&'e Vec<ValidationError<'static>>> {
    if let Some(at) = schemas.and_then(|schemas| keyed(schemas, union.instance())) {
        return branches.get(at);
    }
    let depth = union.instance_path().iter().count() + 1;
    let contradicts = |branch: &&Vec<ValidationError<'static>>| {
        branch.iter().any(|error| {
            matches!(error.kind(), ValidationErrorKind::Constant { .. })
                && error.instance_path().iter().count() == depth
        })
    };
    let mut open = branches.iter().filter(|branch| !contradicts(branch));
    let only = open.next()?;
    (branches.len() > 1 && open.next().is_none()).then_some(only)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(schema: &Value, value: &Value, expected: &[&str]) {
        let validator = Validator::compile(schema).unwrap();
        let mut told: Vec<String> = validator.faults(schema, value).iter().map(ToString::to_string).collect();
        told.sort();
        assert_eq!(told, expected);
        assert_eq!(validator.fits(value), expected.is_empty());
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
            &[&format!(r#"{forms}; did you mean {{"kind": "square", …}}?, got {{"kind":"squre"}}"#)],
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
            &[&format!(r#"{forms}; did you mean {{"Circle": …}}?, got {{"Circl":1}}"#)],
        );
        check(
            &schema,
            &json!({"shape": "Circle"}),
            &[&format!(r#"{forms}; did you mean {{"Circle": …}}?, got "Circle""#)],
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
