//! What a handler tells of itself at boot: its arguments, its output, what it needs.

use std::any::TypeId;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::param::{Param, ParamSpec, Place};
use crate::schema::clean::{Contract, strip_null};
use crate::schema::generator;
use crate::schema::input::Argument;
use crate::schema::mirror;

/// Collects what a handler tells of its parameters.
pub struct Describe {
    pub(crate) generator: SchemaGenerator,
    pub(crate) arguments: Vec<Described>,
    pub(crate) flattened: Vec<Value>,
    pub(crate) takes_all: bool,
    pub(crate) needs: Vec<Need>,
    pub(crate) logs: bool,
}

/// One argument, with what prompts and templates want to know of it.
pub(crate) struct Described {
    pub(crate) argument: Argument,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: &'static str,
    pub(crate) is_path: bool,
}

/// A state that a handler takes.
pub(crate) struct Need {
    pub(crate) kind: TypeId,
    pub(crate) name: &'static str,
}

impl Describe {
    pub(crate) fn new() -> Self {
        Self {
            generator: generator(Contract::Input),
            arguments: Vec::new(),
            flattened: Vec::new(),
            takes_all: false,
            needs: Vec::new(),
            logs: false,
        }
    }

    /// Describes a parameter.
    pub fn param<T: Param>(&mut self, spec: &'static ParamSpec) {
        T::describe(&mut Parameter { describe: self, spec, default: None });
    }

    /// Describes a parameter that has a value where the call gives none; `default` is that value, where it can be
    /// shown.
    pub fn param_or<T: Param>(&mut self, spec: &'static ParamSpec, default: Option<Value>) {
        T::describe(&mut Parameter { describe: self, spec, default: Some(default) });
    }

    /// The argument of that name is a path.
    pub(super) fn is_path(&mut self, name: &str) {
        for one in self.arguments.iter_mut().filter(|one| one.argument.name == name) {
            one.is_path = true;
        }
    }

    /// The definitions that the arguments refer to.
    pub(crate) fn definitions(&mut self) -> Map<String, Value> {
        self.generator.take_definitions(true)
    }
}

/// One parameter as it describes itself.
pub struct Parameter<'d> {
    describe: &'d mut Describe,
    spec: &'static ParamSpec,
    /// That there is a default, and its value where it can be shown.
    default: Option<Option<Value>>,
}

impl Parameter<'_> {
    /// The parameter is an argument of type `T`.
    pub fn argument<T: JsonSchema>(&mut self, required: bool) {
        let schema = self.describe.generator.subschema_for::<T>().to_value();
        match self.spec.place {
            Place::Whole => self.describe.takes_all = true,
            Place::Flattened => self.describe.flattened.push(schema),
            Place::Named => self.named(schema, required && self.default.is_none()),
        }
    }

    /// The handler takes the state of type `T`.
    pub fn needs_state<T: 'static>(&mut self) {
        self.describe.needs.push(Need { kind: TypeId::of::<T>(), name: std::any::type_name::<T>() });
    }

    /// The handler may log to the client.
    pub fn logs(&mut self) {
        self.describe.logs = true;
    }

    fn named(&mut self, schema: Value, required: bool) {
        let spec = self.spec;
        let mut schema = match schema {
            Value::Object(node) => Value::Object(node),
            // `true` has no place for a description.
            _ => json!({}),
        };
        if !required {
            strip_null(&mut schema);
        }
        let Some(node) = schema.as_object_mut() else { return };
        let mut set = |keyword: &str, value: Value| {
            node.insert(keyword.to_owned(), value);
        };
        if !spec.description.is_empty() {
            set("description", spec.description.into());
        }
        if let Some(title) = spec.title {
            set("title", title.into());
        }
        if let Some(header) = spec.header {
            set(mirror::KEYWORD, header.into());
        }
        if let Some(pattern) = spec.pattern {
            set("pattern", pattern.into());
        }
        if let Some(range) = &spec.range {
            let bounds = [
                ("minimum", range.minimum),
                ("exclusiveMinimum", range.above),
                ("maximum", range.maximum),
                ("exclusiveMaximum", range.below),
            ];
            for (keyword, bound) in bounds {
                // The macro writes JSON numbers here and nothing else.
                if let Some(number) = bound.and_then(|text| serde_json::from_str(text).ok()) {
                    set(keyword, number);
                }
            }
        }
        if let Some(Some(default)) = &self.default {
            set("default", default.clone());
        }
        if let Some(length) = &spec.length {
            let of = if node.get("type").is_some_and(|kind| kind == "array") { "Items" } else { "Length" };
            for (word, bound) in [("min", length.minimum), ("max", length.maximum)] {
                if let Some(bound) = bound {
                    node.insert(format!("{word}{of}"), bound.into());
                }
            }
        }
        self.describe.arguments.push(Described {
            argument: Argument { name: spec.name.to_owned(), schema, required },
            title: spec.title,
            description: spec.description,
            is_path: false,
        });
    }
}

/// What a handler tells of its output.
#[derive(Default)]
pub struct OutputDescription {
    pub(crate) schema: Option<(Value, Map<String, Value>)>,
}

impl OutputDescription {
    /// The output is structured, of type `T`.
    pub fn structured<T: JsonSchema>(&mut self) {
        let mut generator = generator(Contract::Output);
        let schema = generator.subschema_for::<T>().to_value();
        self.schema = Some((schema, generator.take_definitions(true)));
    }
}
