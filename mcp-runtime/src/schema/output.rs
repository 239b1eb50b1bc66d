//! What a tool gives back as data: its schema, and whether a result fits it.

use serde_json::{Map, Value};

use super::clean::{Contract, clean};
use super::mirror::{KEYWORD, mirrors};
use super::walk::spell_out;

/// The structured output of one tool.
#[derive(Debug)]
pub(crate) struct Output {
    /// As clients see it.
    pub(crate) schema: Value,
    #[cfg(feature = "validation")]
    validator: super::validator::Validator,
}

impl Output {
    /// Takes the schema of a type, with the definitions it refers to.
    pub(crate) fn of_type(schema: Value, definitions: Map<String, Value>) -> Result<Self, String> {
        let mut document = schema;
        if let Some(root) = document.as_object_mut()
            && !definitions.is_empty()
        {
            root.insert("$defs".to_owned(), Value::Object(definitions));
        }
        let schema = clean(document, Contract::Output).map_err(|_| {
            "the output schema holds more than 20000 parts once its definitions are written out".to_owned()
        })?;
        Self::compile(schema)
    }

    /// Takes a schema as it stands, as the object that the wire wants.
    pub(crate) fn verbatim(mut schema: Value) -> Result<Self, String> {
        spell_out(&mut schema);
        match stray(&schema) {
            Some(problem) => Err(problem),
            None => Self::compile(schema),
        }
    }

    fn compile(schema: Value) -> Result<Self, String> {
        Ok(Self {
            #[cfg(feature = "validation")]
            validator: super::validator::Validator::compile(&schema)?,
            schema,
        })
    }

    /// Why the value does not fit, where it does not.
    #[cfg(feature = "validation")]
    pub(crate) fn misfit(&self, value: &Value) -> Option<String> {
        let faults = self.validator.judge(&self.schema, value).err()?;
        Some(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    #[cfg(not(feature = "validation"))]
    pub(crate) fn misfit(&self, _: &Value) -> Option<String> {
        None
    }
}

/// Where a schema says that a header mirrors a part of a result, which none does.
fn stray(schema: &Value) -> Option<String> {
    let place = match mirrors(schema) {
        Ok(found) => format!("`{}`", found.first()?.path.join(".")),
        Err(faults) => faults.first()?.split(": ").next().unwrap_or_default().to_owned(),
    };
    Some(format!(
        "the output schema, {place}: `{KEYWORD}` mirrors arguments, and this is a result: leave it out"
    ))
}
