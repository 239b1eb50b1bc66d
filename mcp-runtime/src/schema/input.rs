//! What a tool takes: the schema of its arguments, and judging arguments by it.

use serde_json::{Map, Value};

use super::clean::{Contract, clean};
use super::faults::ArgumentFault;
use super::lenient::{Reading, read_texts};
use super::mirror::{Mirror, mirrors};
use super::normalise::normalise;
use super::ordered::{note_order, take_order};
use super::value::Arguments;

/// The arguments of one tool.
#[derive(Debug)]
pub(crate) struct Input {
    /// As clients see it.
    pub(crate) schema: Value,
    /// The arguments that are mirrored into headers.
    pub(crate) mirrors: Vec<Mirror>,
    /// Whether values may come as texts of them.
    reading: Reading,
    #[cfg(feature = "validation")]
    validator: super::validator::Validator,
}

/// One argument of a function, as its type and attributes describe it.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

/// What to do with arguments that nobody declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    Refuse,
    Ignore,
}

/// Arguments that come from one struct, whose members are the arguments themselves.
pub(crate) type Flattened = Value;

impl Input {
    /// Puts the schema together from the arguments of a function.
    pub(crate) fn assemble(
        arguments: Vec<Argument>,
        flattened: Vec<Flattened>,
        definitions: Map<String, Value>,
        unknown: Unknown,
    ) -> Result<Self, Vec<String>> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        let mut order: Vec<Value> = Vec::new();
        for argument in arguments {
            order.push(argument.name.as_str().into());
            if argument.required {
                required.push(Value::String(argument.name.clone()));
            }
            properties.insert(argument.name, argument.schema);
        }
        let mut root = Map::new();
        root.insert("type".to_owned(), "object".into());
        root.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() {
            root.insert("required".to_owned(), Value::Array(required));
        }
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(definitions));
        }
        if !flattened.is_empty() {
            // Joined by `clean`, as members beside a reference are.
            return Self::flattened(root, order, flattened, unknown);
        }
        note_order(&mut root, order);
        Self::cleaned(Value::Object(root), unknown)
    }

    fn flattened(
        mut root: Map<String, Value>,
        mut order: Vec<Value>,
        parts: Vec<Flattened>,
        unknown: Unknown,
    ) -> Result<Self, Vec<String>> {
        let mut twice = Vec::new();
        for part in parts {
            let definitions = root.get("$defs").cloned();
            let mut document = part;
            if let (Some(document), Some(definitions)) = (document.as_object_mut(), definitions) {
                document.insert("$defs".to_owned(), definitions);
            }
            let part = clean(document, Contract::Input).map_err(|_| too_large())?;
            let Value::Object(mut part) = part else { return Err(not_flat("any value")) };
            if part.get("type").is_none_or(|kind| kind != "object") {
                return Err(not_flat(part.get("type").and_then(Value::as_str).unwrap_or("a union")));
            }
            order.append(&mut take_order(&mut part));
            for (keyword, joins) in [("properties", true), ("$defs", true), ("required", false)] {
                let Some(more) = part.remove(keyword) else { continue };
                match (root.entry(keyword.to_owned()), more) {
                    (serde_json::map::Entry::Vacant(place), more) => {
                        place.insert(more);
                    }
                    (serde_json::map::Entry::Occupied(mut have), more) => match (have.get_mut(), more) {
                        (Value::Object(have), Value::Object(more)) if joins => {
                            if keyword == "properties" {
                                twice.extend(more.keys().filter(|name| have.contains_key(*name)).cloned());
                            }
                            have.extend(more);
                        }
                        (Value::Array(have), Value::Array(more)) => have.extend(more),
                        _ => {}
                    },
                }
            }
            part.remove("type");
            part.remove("description");
            if part.get("additionalProperties").is_some_and(|open| *open == Value::Bool(false)) {
                part.remove("additionalProperties");
            }
            root.extend(part);
        }
        note_order(&mut root, order);
        if !twice.is_empty() {
            return Err(twice.iter().map(|name| named_twice(name)).collect());
        }
        Self::cleaned(Value::Object(root), unknown)
    }

    fn cleaned(root: Value, unknown: Unknown) -> Result<Self, Vec<String>> {
        let mut schema = clean(root, Contract::Input).map_err(|_| too_large())?;
        if let Some(root) = schema.as_object_mut() {
            root.entry("properties").or_insert_with(|| Value::Object(Map::new()));
            if unknown == Unknown::Ignore
                && root.get("additionalProperties").is_some_and(|open| *open == Value::Bool(false))
            {
                root.remove("additionalProperties");
            }
        }
        #[cfg(feature = "validation")]
        {
            let misfits = misfit_defaults(&schema);
            if !misfits.is_empty() {
                return Err(misfits);
            }
        }
        Self::compile(schema)
    }

    /// Takes a schema that somebody wrote, as it stands.
    pub(crate) fn verbatim(schema: Value) -> Result<Self, Vec<String>> {
        if !schema.is_object() || schema.get("type").is_none_or(|kind| kind != "object") {
            return Err(vec![
                "the input schema has no `\"type\": \"object\"` at its root: arguments are named, and clients drop \
                 tools without it"
                    .to_owned(),
            ]);
        }
        Self::compile(schema)
    }

    fn compile(schema: Value) -> Result<Self, Vec<String>> {
        let found = mirrors(&schema);
        #[cfg(feature = "validation")]
        match (found, super::validator::Validator::compile(&schema)) {
            (Ok(mirrors), Ok(validator)) => Ok(Self { schema, mirrors, reading: Reading::Strict, validator }),
            (found, validator) => {
                let mut faults = found.err().unwrap_or_default();
                faults.extend(validator.err());
                Err(faults)
            }
        }
        #[cfg(not(feature = "validation"))]
        found.map(|mirrors| Self { schema, mirrors, reading: Reading::Strict })
    }

    /// The same, with values read so.
    pub(crate) fn reading(self, reading: Reading) -> Self {
        Self { reading, ..self }
    }

    /// Brings the arguments into the form that the schema means, and says everything that is wrong with them.
    pub(crate) fn accept(&self, arguments: &mut Arguments) -> Result<(), Vec<ArgumentFault>> {
        if self.reading == Reading::Lenient {
            read_texts(&self.schema, &mut arguments.value);
        }
        if arguments.has_float || arguments.has_null || self.reading == Reading::Lenient {
            normalise(&self.schema, &mut arguments.value);
        }
        #[cfg(feature = "validation")]
        self.validator.judge(&self.schema, &arguments.value)?;
        #[cfg(not(feature = "validation"))]
        self.refuse_unknown(&arguments.value)?;
        Ok(())
    }

    /// Without the validator the decoder judges, but it does not see what it was not asked for.
    #[cfg(not(feature = "validation"))]
    fn refuse_unknown(&self, arguments: &Value) -> Result<(), Vec<ArgumentFault>> {
        use super::faults::unknown;

        if self.schema.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Ok(());
        }
        let (Some(known), Some(given)) = (self.schema["properties"].as_object(), arguments.as_object())
        else {
            return Ok(());
        };
        let faults: Vec<ArgumentFault> = given
            .keys()
            .filter(|name| !known.contains_key(*name))
            .map(|name| ArgumentFault::new(name.as_str(), unknown(name, known.keys().map(String::as_str))))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// Defaults that calls would be refused for.
#[cfg(feature = "validation")]
fn misfit_defaults(schema: &Value) -> Vec<String> {
    use super::plain::fits;
    use super::validator::Validator;

    let mut misfits = Vec::new();
    for (name, node) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Some(default) = node.get("default") else { continue };
        if node.as_object().is_some_and(|node| fits(node, default)) {
            continue;
        }
        let mut node = node.clone();
        if let (Some(node), Some(definitions)) = (node.as_object_mut(), schema.get("$defs")) {
            node.insert("$defs".to_owned(), definitions.clone());
        }
        // A schema that does not compile is told of as a whole.
        let Ok(validator) = Validator::compile(&node) else { continue };
        let faults = validator.judge(&node, default).err().unwrap_or_default();
        misfits
            .extend(faults.iter().map(|fault| format!("the default of `{name}` does not fit it: {fault}")));
    }
    misfits
}

fn too_large() -> Vec<String> {
    vec![
        "the schema holds more than 20000 parts once its definitions are written out: use smaller types"
            .to_owned(),
    ]
}

fn named_twice(name: &str) -> String {
    format!(
        "two arguments are called `{name}`, one of them a member of a flattened argument: rename one, a parameter by \
         `#[arg(name = \"…\")]`"
    )
}

fn not_flat(kind: &str) -> Vec<String> {
    vec![format!("a flattened argument is an object, whose members are the arguments; this one is {kind}")]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn argument(name: &str, schema: Value, required: bool) -> Argument {
        Argument { name: name.to_owned(), schema, required }
    }

    #[test]
    fn no_arguments_are_an_empty_closed_object() {
        let input = Input::assemble(vec![], vec![], Map::new(), Unknown::Refuse).unwrap();
        assert_eq!(input.schema, json!({"type": "object", "properties": {}, "additionalProperties": false}));
    }

    #[test]
    fn flattened_members_are_arguments() {
        let part = json!({"$ref": "#/$defs/Target"});
        let definitions = json!({"Target": {"type": "object", "description": "of Target",
            "properties": {"tenant": {"type": "string"}, "path": {"type": ["string", "null"]}}, "required": ["tenant"]}});
        let Value::Object(definitions) = definitions else { unreachable!() };
        let arguments = vec![argument("n", json!({"type": "integer"}), true)];
        let input = Input::assemble(arguments, vec![part], definitions.clone(), Unknown::Refuse).unwrap();
        assert_eq!(
            input.schema,
            json!({
                "type": "object",
                "properties": {"n": {"type": "integer"}, "tenant": {"type": "string"}, "path": {"type": "string"}},
                "required": ["n", "tenant"],
                "additionalProperties": false,
                "x-mcp-runtime-order": ["n", "tenant", "path"],
            })
        );
        let part = json!({"$ref": "#/$defs/Target"});
        let arguments = vec![argument("path", json!({"type": "integer"}), false)];
        let twice = Input::assemble(arguments, vec![part], definitions.clone(), Unknown::Refuse);
        assert!(twice.unwrap_err()[0].starts_with("two arguments are called `path`"));
        let scalar = Input::assemble(vec![], vec![json!({"type": "integer"})], definitions, Unknown::Refuse);
        assert!(scalar.unwrap_err()[0].contains("flattened argument is an object"));
    }

    #[test]
    fn a_verbatim_schema_keeps_every_word() {
        let schema = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "properties": {"n": {"type": ["integer", "null"], "format": "int64"}}});
        assert_eq!(Input::verbatim(schema.clone()).unwrap().schema, schema);
        assert!(Input::verbatim(json!({"oneOf": []})).unwrap_err()[0].contains("\"type\": \"object\""));
    }
}
