//! Values with one mistake, made from values that fit: of another type, out of range, with a member too few or too many.

use serde_json::{Map, Value, json};

/// A value with one mistake.
pub struct Mutant {
    /// The value.
    pub value: Value,
    /// Where the mistake is.
    pub path: String,
    /// The path of the union that it is in, from which on it may be told.
    pub union: Option<String>,
    /// What was done.
    pub what: &'static str,
}

/// Every value with one mistake that the schema tells how to make of a value that fits.
pub fn mutants(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<Mutant> {
    let mut maker = Maker { root, found: Vec::new() };
    maker.look(schema, value, &Place { path: path.to_owned(), union: None }, &|mutant| mutant);
    maker.found
}

struct Maker<'r> {
    root: &'r Value,
    found: Vec<Mutant>,
}

#[derive(Clone)]
struct Place {
    path: String,
    union: Option<String>,
}

impl Maker<'_> {
    fn look(&mut self, schema: &Value, value: &Value, place: &Place, whole: &dyn Fn(Value) -> Value) {
        let Some(node) = schema.as_object() else { return };
        if let Some(target) = node.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(&target[1..]).expect("references lead somewhere").clone();
            self.look(&target, value, place, whole);
        }
        if let Some(branches) = ["anyOf", "oneOf"].iter().find_map(|union| node.get(*union)?.as_array()) {
            let within = Place { union: place.union.clone().or(Some(place.path.clone())), ..place.clone() };
            let fits = branches.iter().find(|branch| self.fits(branch, value));
            self.look(fits.expect("the value fits"), value, &within, whole);
            if !node.contains_key("type") && !node.contains_key("properties") {
                return;
            }
        }
        let mut make = |what, path: String, mutant: Value| {
            self.found.push(Mutant { value: whole(mutant), path, union: place.union.clone(), what });
        };
        if let Some(kinds) = node.get("type") {
            for other in [json!(true), json!("no such thing"), json!(7.5), json!([[]]), json!({"no such": 1})]
            {
                let admits = |kind: &Value| kind_of(&other) == *kind;
                if !(admits(kinds) || kinds.as_array().is_some_and(|kinds| kinds.iter().any(admits))) {
                    make("type", place.path.clone(), other);
                }
            }
        }
        if let Some(text) = value.as_str()
            && (node.contains_key("enum") || node.contains_key("const"))
        {
            make("choice", place.path.clone(), json!(format!("{text}!")));
        }
        if value.is_number() {
            let bound = |keyword| node.get(keyword).and_then(Value::as_i64);
            for (limit, beyond) in [("minimum", -1), ("maximum", 1)] {
                if let Some(limit) = bound(limit).and_then(|limit| limit.checked_add(beyond)) {
                    make("range", place.path.clone(), json!(limit));
                }
            }
            if node.get("type").is_some_and(|kind| kind == "integer") {
                make("width", place.path.clone(), json!(1e30));
            }
        }
        match value {
            Value::Object(members) => self.members(node, members, place, whole),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let prefix = node.get("prefixItems").and_then(|prefix| prefix.get(at));
                    let Some(schema) = prefix.or_else(|| node.get("items")) else { continue };
                    let place = Place { path: format!("{}[{at}]", place.path), ..place.clone() };
                    self.look(schema, item, &place, &|mutant| {
                        let mut items = items.clone();
                        items[at] = mutant;
                        whole(Value::Array(items))
                    });
                }
            }
            _ => {}
        }
    }

    fn members(
        &mut self,
        node: &Map<String, Value>,
        members: &Map<String, Value>,
        place: &Place,
        whole: &dyn Fn(Value) -> Value,
    ) {
        let member = |name: &str| format!("{}.{name}", place.path);
        let mut make = |what, path: String, mutant: Map<String, Value>| {
            let value = whole(Value::Object(mutant));
            self.found.push(Mutant { value, path, union: place.union.clone(), what });
        };
        for name in node.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str().expect("names are texts");
            let mut fewer = members.clone();
            fewer.remove(name);
            make("missing", member(name), fewer);
        }
        if node.get("additionalProperties") == Some(&json!(false)) {
            let mut more = members.clone();
            more.insert("no_such_member".to_owned(), json!(1));
            make("unknown", member("no_such_member"), more);
        }
        for (name, value) in members {
            let known = node.get("properties").and_then(|known| known.get(name));
            let patterned = || node.get("patternProperties")?.as_object()?.values().next();
            let Some(schema) = known.or_else(patterned).or_else(|| node.get("additionalProperties")) else {
                continue;
            };
            let place = Place { path: member(name), ..place.clone() };
            self.look(schema, value, &place, &|mutant| {
                let mut members = members.clone();
                members.insert(name.clone(), mutant);
                whole(Value::Object(members))
            });
        }
    }

    /// Whether a value fits a part of the schema.
    fn fits(&self, part: &Value, value: &Value) -> bool {
        let mut document = part.clone();
        if let (Some(document), Some(definitions)) = (document.as_object_mut(), self.root.get("$defs")) {
            document.insert("$defs".to_owned(), definitions.clone());
        }
        jsonschema::is_valid(&document, value)
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
