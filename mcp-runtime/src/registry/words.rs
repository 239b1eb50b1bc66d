//! Values that are one text on the wire, as prompt arguments and template variables are: which types read from one,
//! and which texts an enum has.

use serde_json::{Map, Value};

/// Whether a value of the schema can be read from one text.
pub(super) fn is_text_like(schema: &Value, definitions: &Map<String, Value>) -> bool {
    let Some(node) = schema.as_object() else { return true };
    if let Some(definition) = referred(node, definitions) {
        return is_text_like(definition, definitions);
    }
    if let Some(branches) = branches(node) {
        return branches.iter().all(|branch| is_text_like(branch, definitions));
    }
    let simple = |kind: &Value| kind.as_str().is_some_and(|kind| !matches!(kind, "object" | "array"));
    match node.get("type") {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().all(simple),
        Some(kind) => simple(kind),
    }
}

/// The texts that the schema admits, where it names them: those of an enum, `true` and `false`.
pub(crate) fn words(schema: &Value, definitions: &Map<String, Value>) -> Option<Vec<String>> {
    let node = schema.as_object()?;
    if let Some(definition) = referred(node, definitions) {
        return words(definition, definitions);
    }
    if let Some(branches) = branches(node) {
        let each: Option<Vec<_>> = branches.iter().map(|branch| words(branch, definitions)).collect();
        return Some(each?.concat());
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match (node.get("const"), node.get("enum"), node.get("type")) {
        (Some(one), ..) => Some(vec![text(one)?]),
        (_, Some(Value::Array(all)), _) => all.iter().map(text).collect(),
        (.., Some(kind)) if kind == "boolean" => Some(vec!["true".to_owned(), "false".to_owned()]),
        _ => None,
    }
}

fn referred<'d>(node: &Map<String, Value>, definitions: &'d Map<String, Value>) -> Option<&'d Value> {
    definitions.get(node.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?)
}

fn branches(node: &Map<String, Value>) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"].iter().find_map(|union| node.get(*union)?.as_array())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn enums_and_booleans_have_words() {
        let Value::Object(definitions) = json!({"Colour": {"oneOf": [
            {"type": "string", "enum": ["red", "green"]}, {"type": "string", "const": "night blue"}]}})
        else {
            unreachable!()
        };
        for (schema, expected) in [
            (json!({"$ref": "#/$defs/Colour"}), Some(vec!["red", "green", "night blue"])),
            (json!({"type": "boolean"}), Some(vec!["true", "false"])),
            (json!({"type": "string"}), None),
            (json!({"anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "string"}]}), None),
            (json!({"enum": [1, 2]}), None),
            (json!(true), None),
        ] {
            let expected = expected.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(words(&schema, &definitions), expected, "{schema}");
        }
    }
}
