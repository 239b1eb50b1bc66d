//! The published `schema.json` of each revision: every message fits its definition, and has no member that the
//! definition does not name.
//!
//! The folder of them is named by `MCP_SPEC_DIR`, as `<revision>/schema.json`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::kind::Kind;
use crate::seen::Seen;

/// The folder of the published schemas; what is not checked without it is told on stderr.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MCP_SPEC_DIR").map(PathBuf::from);
    if folder.is_none() {
        eprintln!(
            "MCP_SPEC_DIR names no folder of `<revision>/schema.json`: messages are not checked by them"
        );
    }
    folder
}

/// The schema of one revision.
pub struct Schema {
    document: Value,
    /// Where its definitions are: `definitions` or `$defs`.
    definitions: &'static str,
    validators: HashMap<&'static str, Validator>,
}

impl Schema {
    pub fn read(folder: &Path, revision: &str) -> Self {
        let path = folder.join(revision).join("schema.json");
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let definitions = if document.get("$defs").is_some() { "$defs" } else { "definitions" };
        Self { document, definitions, validators: HashMap::new() }
    }

    /// Everything that is wrong with a message.
    pub fn faults(&mut self, seen: &Seen) -> Vec<String> {
        let mut faults = Vec::new();
        self.judge(seen.envelope(), &seen.message, &mut faults);
        if let Some((definition, result)) = seen.result() {
            self.judge(definition, result, &mut faults);
        }
        faults.retain(|fault| !is_known(seen, fault));
        faults
    }

    fn judge(&mut self, definition: &'static str, value: &Value, faults: &mut Vec<String>) {
        let schema = json!({"$ref": format!("#/{}/{definition}", self.definitions)});
        assert!(self.resolved(&schema).is_object(), "the schema has no {definition}");
        let validator = self.validators.entry(definition).or_insert_with(|| {
            let mut document = self.document.clone();
            document["$ref"] = schema["$ref"].clone();
            // Beside a reference, a schema of draft 7 has no say; the definitions are found all the same.
            jsonschema::validator_for(&document).unwrap_or_else(|error| panic!("{definition}: {error}"))
        });
        faults.extend(
            validator
                .iter_errors(value)
                .map(|error| format!("{definition}{}: {error}", error.instance_path())),
        );
        self.unnamed(&schema, value, definition, faults);
    }

    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        while let Some(pointer) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
            schema = self.document.pointer(pointer).unwrap_or(&Value::Null);
        }
        schema
    }

    /// Finds members that no definition names, as deep as definitions go.
    fn unnamed(&self, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
        let schema = self.resolved(schema);
        if let Some(branches) = schema["anyOf"].as_array() {
            // The branch that is meant: the one whose constants and required members are there.
            let Some(branch) = branches.iter().find(|branch| self.is_meant(branch, value)) else {
                faults.push(format!("{place}: no branch is meant by {value}"));
                return;
            };
            return self.unnamed(branch, value, place, faults);
        }
        match value {
            Value::Array(items) if schema["items"].is_object() => {
                for (at, item) in items.iter().enumerate() {
                    self.unnamed(&schema["items"], item, &format!("{place}/{at}"), faults);
                }
            }
            Value::Object(members) if schema["properties"].is_object() => {
                let object = place.rsplit('/').next().unwrap_or_default();
                let open = schema.get("additionalProperties").is_some_and(|more| *more != json!(false));
                for (name, member) in members {
                    let place = format!("{place}/{name}");
                    match schema["properties"].get(name) {
                        Some(known) => self.unnamed(known, member, &place, faults),
                        None if open || is_open(object) => {}
                        None => faults.push(format!("{place}: the revision does not know it")),
                    }
                }
            }
            _ => {}
        }
    }

    fn is_meant(&self, branch: &Value, value: &Value) -> bool {
        let branch = self.resolved(branch);
        let required = branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let properties = branch["properties"].as_object();
        value.is_object()
            && required.into_iter().all(|name| value.get(name).is_some())
            && properties.into_iter().flatten().all(|(name, schema)| {
                schema
                    .get("const")
                    .is_none_or(|constant| value.get(name).is_none_or(|value| value == constant))
            })
    }
}

/// Objects in which anyone may define members, though their definitions do not say so: facts and JSON Schemas.
fn is_open(object: &str) -> bool {
    ["_meta", "inputSchema", "outputSchema"].contains(&object)
}

/// What the schemas say, and no message can follow.
fn is_known(seen: &Seen, fault: &str) -> bool {
    // Before 2025-11-25 every error has an id, and what could not be read has none.
    if seen.revision < "2025-11-25"
        && seen.method.is_empty()
        && fault == "JSONRPCError: \"id\" is a required property"
    {
        return true;
    }
    // Before 2025-11-25 the definitions of notifications leave out what makes them messages.
    let of_the_envelope = seen.kind() == Kind::Notification && seen.revision < "2025-11-25";
    of_the_envelope && fault.ends_with("Notification/jsonrpc: the revision does not know it")
}
