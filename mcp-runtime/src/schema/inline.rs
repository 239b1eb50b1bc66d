//! Writes definitions out where they are used. Recursive ones stay under `#/$defs`, since they cannot end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::clean::TooLarge;
use super::walk::each_child;

const LOCAL: &str = "#/$defs/";

/// The most schemas that one document may hold once it is written out.
const MOST: usize = 20_000;

/// Replaces every local reference by what it refers to, except where that would not end.
pub(crate) fn inline(mut schema: Value) -> Result<Value, TooLarge> {
    let definitions: BTreeMap<String, Value> =
        match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
            Some(Value::Object(map)) => map.into_iter().collect(),
            _ => return Ok(schema),
        };
    let recursive = recursive(&definitions);
    let mut inliner = Inliner { definitions: &definitions, recursive: &recursive, left: MOST };

    // A root cannot be a reference, since hosts look for its type: a recursive root is written out once.
    if let Some(definition) =
        reference(&schema).filter(|name| recursive.contains(*name)).and_then(|name| definitions.get(name))
    {
        schema = merged(definition.clone(), schema);
    }
    inliner.expand(&mut schema)?;

    let mut kept = Map::new();
    for name in &recursive {
        let mut definition = definitions[name].clone();
        inliner.expand(&mut definition)?;
        kept.insert(name.clone(), definition);
    }
    kept.retain(|name, _| {
        mentions(&schema, name) || recursive.iter().any(|other| mentions(&definitions[other], name))
    });
    if !kept.is_empty()
        && let Some(root) = schema.as_object_mut()
    {
        root.insert("$defs".to_owned(), Value::Object(kept));
    }
    Ok(schema)
}

struct Inliner<'a> {
    definitions: &'a BTreeMap<String, Value>,
    recursive: &'a BTreeSet<String>,
    left: usize,
}

impl Inliner<'_> {
    fn expand(&mut self, schema: &mut Value) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        while let Some(definition) = reference(schema)
            .filter(|name| !self.recursive.contains(*name))
            .and_then(|name| self.definitions.get(name))
        {
            *schema = merged(definition.clone(), schema.take());
        }
        let mut outcome = Ok(());
        if let Some(node) = schema.as_object_mut() {
            each_child(node, |_, child| {
                if outcome.is_ok() {
                    outcome = self.expand(child);
                }
            });
        }
        outcome
    }
}

/// The definition a schema refers to.
fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(LOCAL)
}

/// A definition with what stood beside the reference to it: members are joined, other keywords win.
fn merged(definition: Value, site: Value) -> Value {
    let (Value::Object(mut merged), Value::Object(mut site)) = (definition, site) else {
        return Value::Bool(true);
    };
    site.remove("$ref");
    for (keyword, value) in site {
        match (merged.get_mut(&keyword), value) {
            (Some(Value::Object(have)), Value::Object(more)) if keyword == "properties" => have.extend(more),
            (Some(Value::Array(have)), Value::Array(more)) if keyword == "required" => have.extend(more),
            (_, value) => {
                merged.insert(keyword, value);
            }
        }
    }
    Value::Object(merged)
}

/// The definitions that reach themselves.
fn recursive(definitions: &BTreeMap<String, Value>) -> BTreeSet<String> {
    let direct: BTreeMap<&str, BTreeSet<String>> = definitions
        .iter()
        .map(|(name, definition)| {
            let mut names = BTreeSet::new();
            references(definition, &mut names);
            (name.as_str(), names)
        })
        .collect();
    definitions
        .keys()
        .filter(|name| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<&str> = vec![name.as_str()];
            while let Some(at) = open.pop() {
                for next in direct.get(at).into_iter().flatten() {
                    if next == *name {
                        return true;
                    }
                    if seen.insert(next.as_str()) {
                        open.push(next);
                    }
                }
            }
            false
        })
        .cloned()
        .collect()
}

fn references(schema: &Value, into: &mut BTreeSet<String>) {
    if let Some(name) = reference(schema) {
        into.insert(name.to_owned());
    }
    match schema {
        Value::Object(node) => node.values().for_each(|value| references(value, into)),
        Value::Array(list) => list.iter().for_each(|value| references(value, into)),
        _ => {}
    }
}

fn mentions(schema: &Value, name: &str) -> bool {
    let mut names = BTreeSet::new();
    references(schema, &mut names);
    names.contains(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_recursive_definition_stays_and_the_root_has_a_type() {
        let node = json!({"type": "object", "properties": {
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            "leaf": {"$ref": "#/$defs/Leaf"},
        }});
        let schema = json!({"$ref": "#/$defs/Node", "$defs": {"Node": node, "Leaf": {"type": "string"}}});
        let inlined = inline(schema).unwrap();
        assert_eq!(inlined["type"], "object");
        assert_eq!(inlined["properties"]["leaf"], json!({"type": "string"}));
        assert_eq!(inlined["properties"]["children"]["items"]["$ref"], "#/$defs/Node");
        assert_eq!(inlined["$defs"]["Node"]["properties"]["leaf"], json!({"type": "string"}));
        assert_eq!(inlined["$defs"].as_object().unwrap().len(), 1);
    }

    #[test]
    fn members_beside_a_reference_join_those_of_the_definition() {
        let schema = json!({
            "oneOf": [{"$ref": "#/$defs/Sq", "properties": {"kind": {"const": "Sq"}}, "required": ["kind"]}],
            "$defs": {"Sq": {"type": "object", "properties": {"side": {"type": "number"}}, "required": ["side"]}},
        });
        let branch = &inline(schema).unwrap()["oneOf"][0];
        assert_eq!(branch["properties"], json!({"side": {"type": "number"}, "kind": {"const": "Sq"}}));
        assert_eq!(branch["required"], json!(["side", "kind"]));
    }

    #[test]
    fn a_document_that_would_explode_is_refused() {
        let mut definitions = Map::new();
        for level in 0..30 {
            let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
            definitions
                .insert(format!("L{level}"), json!({"type": "object", "properties": {"a": next, "b": next}}));
        }
        definitions.insert("L30".to_owned(), json!({"type": "string"}));
        assert_eq!(inline(json!({"$ref": "#/$defs/L0", "$defs": definitions})), Err(TooLarge));
    }
}
