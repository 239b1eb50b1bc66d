//! What hosts pass on to their models: which parts of an input schema the interface behind a host refuses or drops.
//!
//! Hosts strip keywords that a model's interface does not know, so only what changes the kind of a value counts here.
//! Each rule stands with a public report of it.

use serde_json::{Map, Value};

use super::walk::each_held;

/// A part of a schema that a host's model cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Untold {
    /// The host.
    host: &'static str,
    /// What it does not take.
    what: &'static str,
    /// The argument, by its path; empty for the arguments as a whole.
    path: String,
}

/// A limit of what a host's model can be told.
struct Rule {
    /// The host.
    host: &'static str,
    /// What it does not take.
    what: &'static str,
    /// Where that was told.
    #[cfg_attr(not(test), allow(dead_code, reason = "for people"))]
    source: &'static str,
    breaks: fn(&Map<String, Value>, Place) -> bool,
}

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Within,
}

/// Every rule, the stricter interfaces later.
static RULES: [Rule; 10] = [
    Rule {
        host: "Anthropic",
        what: "a union in place of named arguments",
        source: "anthropics/claude-code#5973",
        breaks: |node, place| place == Place::Root && has_any(node, &["oneOf", "anyOf", "allOf"]),
    },
    Rule {
        host: "Anthropic",
        what: "an argument whose name is not 1 to 64 of A-Z a-z 0-9 _ . -",
        source: "anthropics/claude-code#79418",
        breaks: |node, place| place == Place::Root && names(node).any(|name| !is_plain(name)),
    },
    Rule {
        host: "OpenAI",
        what: "a union in place of named arguments",
        source: "nspady/google-calendar-mcp#39",
        breaks: |node, place| {
            place == Place::Root && has_any(node, &["oneOf", "anyOf", "allOf", "enum", "const", "not"])
        },
    },
    Rule {
        host: "OpenAI",
        what: "a list that does not say what it holds",
        source: "digitalocean-labs/mcp-digitalocean#265",
        breaks: |node, _| is_of(node, "array") && !node.contains_key("items"),
    },
    Rule {
        host: "Gemini",
        what: "a reference, as in a type that holds itself",
        source: "google-gemini/gemini-cli#13326",
        breaks: |node, _| node.contains_key("$ref"),
    },
    Rule {
        host: "Gemini",
        what: "a value of several types",
        source: "nanbingxyz/5ire#218",
        breaks: |node, _| node.get("type").is_some_and(Value::is_array),
    },
    Rule {
        host: "Gemini",
        what: "any value",
        source: "google-gemini/gemini-cli#4400",
        breaks: |node, _| !has_any(node, &["type", "anyOf", "$ref", "oneOf", "allOf"]),
    },
    Rule {
        host: "Gemini",
        what: "a choice of other values than texts",
        source: "microsoft/azure-devops-mcp#139",
        breaks: |node, _| {
            let choices = node.get("enum").and_then(Value::as_array);
            choices.is_some_and(|choices| !choices.iter().all(Value::is_string))
                || node.get("const").is_some_and(|only| !only.is_string())
        },
    },
    Rule {
        host: "Gemini",
        what: "a map, or an object without members",
        source: "MarkusPfundstein/mcp-obsidian#21",
        breaks: |node, place| place == Place::Within && is_of(node, "object") && names(node).next().is_none(),
    },
    Rule {
        host: "Gemini",
        what: "a union that is not `anyOf`",
        source: "google-gemini/gemini-cli#22210",
        breaks: |node, _| has_any(node, &["oneOf", "allOf"]),
    },
];

/// What of the schema which host's model cannot be told.
fn untold(schema: &Value) -> Vec<Untold> {
    let mut found = Vec::new();
    let mut open = vec![(schema, String::new(), Place::Root)];
    while let Some((schema, path, place)) = open.pop() {
        let Some(node) = schema.as_object() else { continue };
        for rule in RULES.iter().filter(|rule| (rule.breaks)(node, place)) {
            let untold = Untold { host: rule.host, what: rule.what, path: path.clone() };
            if !found.contains(&untold) {
                found.push(untold);
            }
        }
        if let Some(Value::Object(properties)) = node.get("properties") {
            for (name, schema) in properties {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                open.push((schema, path, Place::Within));
            }
        }
        each_held(node, |keyword, schema| match keyword {
            "properties" => {}
            // Hosts drop these, and what stands in them.
            "additionalProperties" | "patternProperties" | "propertyNames" | "prefixItems" | "not" => {}
            "items" => open.push((schema, format!("{path}[]"), Place::Within)),
            // What a union at the root holds is told of as the union.
            _ if place == Place::Root && keyword != "$defs" => {}
            "$defs" | "definitions" => {}
            _ => open.push((schema, path.clone(), Place::Within)),
        });
    }
    found.sort_by(|one, other| (one.host, &one.path).cmp(&(other.host, &other.path)));
    found
}

/// The same in words, a text for each host.
pub(crate) fn told(schema: &Value) -> Vec<String> {
    let untold = untold(schema);
    let mut hosts: Vec<&str> = untold.iter().map(|one| one.host).collect();
    hosts.dedup();
    hosts
        .into_iter()
        .map(|host| {
            const MOST: usize = 5;
            let of_host: Vec<&Untold> = untold.iter().filter(|one| one.host == host).collect();
            let mut places: Vec<String> = of_host
                .iter()
                .take(MOST)
                .map(|one| match one.path.as_str() {
                    "" => one.what.to_owned(),
                    path => format!("`{path}` ({})", one.what),
                })
                .collect();
            if of_host.len() > MOST {
                places.push(format!("{} more", of_host.len() - MOST));
            }
            format!(
                "{host} cannot be told {}: its hosts change or drop that, or refuse the tool",
                places.join(", ")
            )
        })
        .collect()
}

fn has_any(node: &Map<String, Value>, keywords: &[&str]) -> bool {
    keywords.iter().any(|keyword| node.contains_key(*keyword))
}

fn is_of(node: &Map<String, Value>, kind: &str) -> bool {
    node.get("type").is_some_and(|is| is == kind)
}

fn names(node: &Map<String, Value>) -> impl Iterator<Item = &String> {
    node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys)
}

fn is_plain(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each rule, by a schema that breaks it and no other, and by the nearest one that breaks none.
    #[test]
    fn each_rule_has_a_schema_that_breaks_it() {
        let with = |schema: Value| json!({"type": "object", "properties": {"a": schema}});
        let long = "x".repeat(65);
        let table: [(usize, Value, Value); 10] = [
            (
                0,
                json!({"type": "object", "anyOf": [{"type": "object"}]}),
                with(json!({"anyOf": [{"type": "string"}]})),
            ),
            (
                1,
                json!({"type": "object", "properties": {long.as_str(): {"type": "string"}}}),
                json!({"type": "object", "properties": {&long[1..]: {"type": "string"}}}),
            ),
            (2, json!({"type": "object", "not": {}}), json!({"type": "object"})),
            (3, with(json!({"type": "array"})), with(json!({"type": "array", "items": {"type": "string"}}))),
            (4, with(json!({"$ref": "#/$defs/A"})), with(json!({"type": "boolean"}))),
            (5, with(json!({"type": ["string", "null"]})), with(json!({"type": "string"}))),
            (6, with(json!({"description": "Anything."})), with(json!({"type": "number"}))),
            (
                7,
                with(json!({"type": "integer", "enum": [1, 2]})),
                with(json!({"type": "string", "enum": ["1"]})),
            ),
            (
                8,
                with(json!({"type": "object", "additionalProperties": {"type": "string"}})),
                json!({"type": "object", "properties": {}}),
            ),
            (9, with(json!({"oneOf": [{"type": "string"}]})), with(json!({"anyOf": [{"type": "string"}]}))),
        ];
        assert_eq!(table.len(), RULES.len());
        for (at, breaks, keeps) in table {
            let (rule, broken) = (&RULES[at], untold(&breaks));
            let is_of_rule = |one: &Untold| (one.host, one.what) == (rule.host, rule.what);
            assert!(broken.iter().any(is_of_rule), "{breaks} in {broken:?}");
            assert!(rule.source.contains('#'), "a public report is named");
            assert_eq!(untold(&keeps), [], "{keeps}");
        }
    }

    #[test]
    fn a_host_is_told_of_once() {
        let schema = json!({"type": "object", "properties": {
            "any": {}, "labels": {"type": "object"}, "list": {"type": "array", "items": {"type": "object", "properties": {"n": {}}}}}});
        assert_eq!(
            told(&schema),
            ["Gemini cannot be told `any` (any value), `labels` (a map, or an object without members), \
              `list[].n` (any value): its hosts change or drop that, or refuse the tool"]
        );
    }
}
