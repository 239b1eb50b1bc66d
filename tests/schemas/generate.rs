//! Values made from a schema at random, from a seed.

use serde_json::{Map, Value, json};

/// Numbers at random (xorshift).
pub struct Random(u64);

impl Random {
    /// Begins where the seed says.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below another.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).expect("it is below a usize")
    }

    fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

/// A value that fits the schema; none where the schema asks for a text of some form.
pub fn value(root: &Value, schema: &Value, random: &mut Random, depth: usize) -> Option<Value> {
    let node = schema.as_object()?;
    if ["format", "pattern", "propertyNames", "patternProperties", "uniqueItems"]
        .iter()
        .any(|keyword| node.contains_key(*keyword))
    {
        return None;
    }
    if let Some(target) = node.get("$ref").and_then(Value::as_str) {
        return value(root, root.pointer(&target[1..])?, random, depth + 1);
    }
    if let Some(choices) = node.get("enum").and_then(Value::as_array) {
        return Some(random.of(choices).clone());
    }
    if let Some(branches) = node.get("anyOf").and_then(Value::as_array) {
        let at = if depth > 6 { 0 } else { random.below(branches.len()) };
        return if node.contains_key("properties") {
            None
        } else {
            value(root, &branches[at], random, depth)
        };
    }
    let count =
        |keyword| node.get(keyword).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    let kind = match node.get("type") {
        Some(Value::Array(kinds)) => random.of(kinds).clone(),
        Some(kind) => kind.clone(),
        None => return Some(random.of(&[json!(null), json!(1), json!("a"), json!([{}])]).clone()),
    };
    Some(match kind.as_str()? {
        "boolean" => json!(random.below(2) == 0),
        "null" => Value::Null,
        "integer" => {
            let bound = |keyword| node.get(keyword).filter(|bound| bound.is_number()).cloned();
            let ends = [bound("minimum"), bound("maximum"), Some(json!(1)), Some(json!(2))];
            let ends: Vec<Value> = ends.into_iter().flatten().collect();
            random.of(&ends).clone()
        }
        "number" => {
            json!(random.below(1000) as f64 / 8.0 * if node.contains_key("minimum") { 0.001 } else { -1.0 })
        }
        "string" => {
            let (least, most) = (count("minLength").unwrap_or(0), count("maxLength").unwrap_or(8));
            let length = least + random.below(most - least + 1);
            json!((0..length).map(|_| *random.of(&['a', 'é', '𝄞', '"', '\n', ' '])).collect::<String>())
        }
        "array" => {
            let places = node.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
            let least = count("minItems").unwrap_or(0);
            let length = if depth > 6 {
                least
            } else {
                least + random.below(count("maxItems").unwrap_or(least + 3) - least + 1)
            };
            let items = (0..length)
                .map(|at| value(root, places.get(at).or_else(|| node.get("items"))?, random, depth + 1));
            Value::Array(items.collect::<Option<_>>()?)
        }
        "object" => {
            let required = node.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let mut members = Map::new();
            for (name, schema) in node.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if required.iter().any(|known| known == name) || (depth < 6 && random.below(2) == 0) {
                    members.insert(name.clone(), value(root, schema, random, depth + 1)?);
                }
            }
            if let Some(schema) = node.get("additionalProperties").filter(|schema| schema.is_object()) {
                for name in ["x", "y z"].iter().take(random.below(3)) {
                    members.insert((*name).to_owned(), value(root, schema, random, depth + 1)?);
                }
            }
            Value::Object(members)
        }
        other => panic!("{other} is no type"),
    })
}
