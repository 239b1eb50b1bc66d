//! From the schema a type gives to one that every host takes.
//!
//! Definitions are written out where they are used (recursive ones stay under `#/$defs`), formats outside the
//! 2020-12 vocabulary go, enumerations become `enum`, and an optional argument has the plain type.

use serde_json::{Map, Value, json};

use super::inline::inline;
use super::mirror;
use super::walk::{each_child, is_null_schema};

/// Which side of a type a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contract {
    /// What it reads: optional members are plain and not required, unknown ones are refused.
    Input,
    /// The same where a person fills it in: the titles of choices stay.
    Form,
    /// What it writes.
    Output,
}

/// Cleans a whole schema document, `$defs` included.
pub(crate) fn clean(schema: Value, contract: Contract) -> Result<Value, TooLarge> {
    let mut schema = inline(schema)?;
    tidy(&mut schema, contract, Parent::Plain);
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
    }
    Ok(schema)
}

/// A schema that becomes too long once its definitions are written out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// What a schema stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    Plain,
    /// A branch of a union beside which members are declared: the branch cannot know them.
    Flattened,
}

fn tidy(schema: &mut Value, contract: Contract, parent: Parent) {
    if *schema == Value::Bool(true) {
        *schema = Value::Object(Map::new());
    }
    let Some(node) = schema.as_object_mut() else { return };

    let has_union = ["oneOf", "anyOf", "allOf"].iter().any(|key| node.contains_key(*key));
    let branches =
        if has_union && node.contains_key("properties") { Parent::Flattened } else { Parent::Plain };
    each_child(node, |keyword, child| {
        let parent = if matches!(keyword, "oneOf" | "anyOf" | "allOf") { branches } else { Parent::Plain };
        tidy(child, contract, parent);
    });

    tidy_format(node);
    if contract != Contract::Form {
        tidy_enumeration(node);
    }
    if contract == Contract::Input {
        tell_models(node);
    }
    if contract == Contract::Output {
        // A type may be an argument elsewhere; nothing mirrors a result.
        node.remove(mirror::KEYWORD);
    } else {
        if node.contains_key("properties") {
            strip_optional_nulls(node);
        }
        if is_closable(node) && parent == Parent::Plain && !has_union {
            node.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    }
    if node.get("type").is_some_and(|kind| kind == "object")
        && node.get("additionalProperties").is_none_or(|value| *value == Value::Bool(false))
        && !node.contains_key("patternProperties")
        && !has_union
    {
        node.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
}

/// An object whose members are all declared.
fn is_closable(node: &Map<String, Value>) -> bool {
    let declares = node.contains_key("properties") || node.get("type").is_some_and(|kind| kind == "object");
    declares
        && !node.contains_key("additionalProperties")
        && !node.contains_key("unevaluatedProperties")
        && !node.contains_key("patternProperties")
}

/// Formats that JSON Schema 2020-12 defines (Validation, section 7.3).
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The time of day as `chrono` reads it where no offset is asked for.
const PARTIAL_TIME: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?$";

/// Drops a format that hosts do not know; times without an offset are kept as patterns, addresses as a
/// union, and the range of a 32-bit integer as bounds.
fn tidy_format(node: &mut Map<String, Value>) {
    let Some(format) = node.get("format").and_then(Value::as_str).map(str::to_owned) else { return };
    let format = format.as_str();
    if FORMATS.contains(&format) {
        return;
    }
    let bounds = match format {
        "int32" => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        "uint32" => Some((0, i64::from(u32::MAX))),
        _ => None,
    };
    let pattern = match format {
        "partial-time" => Some(PARTIAL_TIME.to_owned()),
        "partial-date-time" => Some(format!("^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{}", &PARTIAL_TIME[1..])),
        _ => None,
    };
    node.remove("format");
    if format == "ip" && node.get("type").is_some_and(|kind| kind == "string") {
        node.remove("type");
        let either = json!([{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]);
        node.insert("anyOf".to_owned(), either);
    }
    if let Some(pattern) = pattern {
        node.entry("pattern").or_insert_with(|| pattern.into());
    }
    if let Some((least, most)) = bounds {
        let bound = |node: &mut Map<String, Value>, keys: [&str; 2], value: i64| {
            if !keys.iter().any(|key| node.contains_key(*key)) {
                node.insert(keys[0].to_owned(), value.into());
            }
        };
        bound(node, ["minimum", "exclusiveMinimum"], least);
        bound(node, ["maximum", "exclusiveMaximum"], most);
    }
}

/// Turns a union of single texts into one `enum`, and what was said of each into the description.
fn tidy_enumeration(node: &mut Map<String, Value>) {
    let Some(branches) = node.get("oneOf").and_then(Value::as_array) else { return };
    let mut values = Vec::new();
    let mut said = Vec::new();
    for branch in branches {
        let Some(branch) = branch.as_object() else { return };
        if !branch.get("type").is_some_and(|kind| kind == "string")
            || branch.keys().any(|key| !matches!(key.as_str(), "type" | "const" | "enum" | "description"))
        {
            return;
        }
        let of_branch: Vec<Value> = match (branch.get("const"), branch.get("enum")) {
            (Some(value), None) => vec![value.clone()],
            (None, Some(Value::Array(list))) => list.clone(),
            _ => return,
        };
        if let (Some(text), [value]) =
            (branch.get("description").and_then(Value::as_str), of_branch.as_slice())
        {
            said.push(format!("- `{}`: {text}", value.as_str().unwrap_or_default()));
        }
        values.extend(of_branch);
    }
    node.remove("oneOf");
    node.insert("type".to_owned(), "string".into());
    node.insert("enum".to_owned(), Value::Array(values));
    if !said.is_empty() {
        let list = said.join("\n");
        let text = match node.get("description").and_then(Value::as_str) {
            Some(text) => format!("{text}\n\n{list}"),
            None => list,
        };
        node.insert("description".to_owned(), text.into());
    }
}

/// Says the same in the words that the interfaces of models know (see [`super::hosts`]).
fn tell_models(node: &mut Map<String, Value>) {
    // What a type reads is told apart by its branches; that no second one fits adds nothing.
    if !node.contains_key("anyOf")
        && let Some(branches) = node.remove("oneOf")
    {
        node.insert("anyOf".to_owned(), branches);
    }
    if node.get("const").is_some_and(Value::is_string)
        && let Some(text) = node.remove("const")
    {
        node.insert("type".to_owned(), "string".into());
        node.insert("enum".to_owned(), Value::Array(vec![text]));
    }
    if node.get("type").is_some_and(|kind| kind == "array") && !node.contains_key("items") {
        let items = tuple_items(node);
        node.insert("items".to_owned(), items);
    }
}

/// What the items of a list are that says it for each place alone, or not at all. A tuple of one type becomes a list of
/// that length.
fn tuple_items(node: &mut Map<String, Value>) -> Value {
    let places = node.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_all = node.get("maxItems").and_then(Value::as_u64) == u64::try_from(places.len()).ok();
    let mut kinds: Vec<Value> = Vec::new();
    for place in places {
        if !kinds.contains(&place) {
            kinds.push(place);
        }
    }
    match kinds.len() {
        1 if is_all && node.get("minItems") == node.get("maxItems") => {
            node.remove("prefixItems");
            kinds.remove(0)
        }
        // There is no item beyond the last place that this could be about.
        1.. if is_all => json!({ "anyOf": kinds }),
        _ => Value::Object(Map::new()),
    }
}

/// Gives every member that need not be there its plain type: absent is how it is left out.
fn strip_optional_nulls(node: &mut Map<String, Value>) {
    let required: Vec<String> = node
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
        .unwrap_or_default();
    let Some(properties) = node.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, property) in properties {
        if !required.contains(name) {
            strip_null(property);
        }
    }
}

/// Takes `null` out of what a schema admits, where something else remains.
pub(crate) fn strip_null(schema: &mut Value) {
    let Some(node) = schema.as_object_mut() else { return };
    if let Some(Value::Array(kinds)) = node.get_mut("type")
        && kinds.len() > 1
    {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            node.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = node.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
    if node.get("default").is_some_and(Value::is_null) {
        node.remove("default");
    }
    for union in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = node.get_mut(union) else { continue };
        if branches.len() < 2 || !branches.iter().any(is_null_schema) {
            continue;
        }
        branches.retain(|branch| !is_null_schema(branch));
        if branches.len() == 1
            && let Some(Value::Array(mut branches)) = node.remove(union)
            && let Some(Value::Object(only)) = branches.pop()
        {
            for (keyword, value) in only {
                node.entry(keyword).or_insert(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(contract: Contract, schema: Value, expected: Value) {
        assert_eq!(clean(schema, contract).unwrap(), expected);
    }

    #[test]
    fn formats_that_hosts_do_not_know_go_and_properties_of_that_name_stay() {
        check(
            Contract::Output,
            json!({"type": "object", "properties": {
                "format": {"type": "string", "format": "date-time"},
                "n": {"type": "integer", "format": "uint32", "minimum": 0},
                "m": {"type": "integer", "format": "int64"},
            }}),
            json!({"type": "object", "properties": {
                "format": {"type": "string", "format": "date-time"},
                "n": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
                "m": {"type": "integer"},
            }}),
        );
    }

    #[test]
    fn optional_members_are_plain_in_arguments_and_nullable_in_outputs() {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": ["integer", "null"], "default": null},
            "b": {"anyOf": [{"$ref": "#/$defs/U"}, {"type": "null"}], "description": "of b"},
            "c": {"type": ["string", "null"]},
        }, "required": ["c"], "$defs": {"U": {"type": "string", "enum": ["A", "B"], "description": "of U"}}});
        check(
            Contract::Input,
            schema.clone(),
            json!({"type": "object", "properties": {
                "a": {"type": "integer"},
                "b": {"type": "string", "enum": ["A", "B"], "description": "of b"},
                "c": {"type": ["string", "null"]},
            }, "required": ["c"], "additionalProperties": false}),
        );
        let output = clean(schema, Contract::Output).unwrap();
        assert_eq!(output["properties"]["a"]["type"], json!(["integer", "null"]));
        assert_eq!(output["properties"]["b"]["anyOf"][1], json!({"type": "null"}));
    }

    #[test]
    fn documented_variants_become_one_enum() {
        check(
            Contract::Output,
            json!({"oneOf": [
                {"type": "string", "enum": ["B", "C"]},
                {"type": "string", "const": "A", "description": "the first"},
            ], "description": "A letter."}),
            json!({"type": "string", "enum": ["B", "C", "A"], "description": "A letter.\n\n- `A`: the first"}),
        );
    }

    #[test]
    fn nested_objects_are_closed_but_not_beside_a_union() {
        let schema = json!({"type": "object", "properties": {
            "inner": {"type": "object", "properties": {"x": {"type": "integer"}}},
            "free": {"type": "object", "additionalProperties": true},
            "flat": {
                "type": "object",
                "properties": {"y": {"type": "integer"}},
                "oneOf": [{"type": "object", "properties": {"z": true}, "required": ["z"]}],
            },
        }});
        let cleaned = clean(schema, Contract::Input).unwrap();
        let inner = &cleaned["properties"];
        assert_eq!(inner["inner"]["additionalProperties"], false);
        assert_eq!(inner["free"]["additionalProperties"], true);
        assert_eq!(inner["flat"].get("additionalProperties"), None);
        assert_eq!(inner["flat"]["anyOf"][0].get("additionalProperties"), None);
        assert_eq!(inner["flat"]["anyOf"][0]["properties"]["z"], json!({}));
    }

    #[test]
    fn arguments_are_told_in_words_that_models_know() {
        let tuple =
            |places: Value| json!({"type": "array", "prefixItems": places, "minItems": 2, "maxItems": 2});
        let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
        check(
            Contract::Input,
            json!({"oneOf": [{"type": "null"}, {"const": "a"}]}),
            json!({"anyOf": [{"type": "null"}, {"type": "string", "enum": ["a"]}]}),
        );
        check(
            Contract::Input,
            tuple(json!([text, text])),
            json!({"type": "array", "items": text, "minItems": 2, "maxItems": 2}),
        );
        let mut mixed = tuple(json!([text, number]));
        mixed["items"] = json!({"anyOf": [text, number]});
        check(Contract::Input, tuple(json!([text, number])), mixed);
        check(Contract::Input, json!({"type": "array"}), json!({"type": "array", "items": {}}));
        check(Contract::Output, tuple(json!([text, number])), tuple(json!([text, number])));
    }
}
