//! Defaults as schemas show them.

use std::mem::discriminant;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handler::Choice;
use crate::registry::words::words;
use crate::schema::clean::Contract;
use crate::schema::generator;

/// A default as the schema shows it. Generated code calls `shown` on a reference to this: the inherent method wins where
/// the type is `Serialize`, then the trait of what is chosen from, then the trait of all.
pub struct Shown<'v, T>(pub &'v T);

impl<T: Serialize> Shown<'_, T> {
    /// The value in JSON; an absent one needs no showing.
    pub fn shown(&self) -> Option<Value> {
        serde_json::to_value(self.0).ok().filter(|value| !value.is_null())
    }
}

/// A default of a type that is only read, and of few values.
pub trait ShownAsChoice {
    /// The value in JSON.
    fn shown(&self) -> Option<Value>;
}

impl<T: Chosen> ShownAsChoice for Shown<'_, T> {
    fn shown(&self) -> Option<Value> {
        self.0.chosen()
    }
}

/// A default that has no JSON.
pub trait ShownNever {
    /// Nothing.
    fn shown(&self) -> Option<Value> {
        None
    }
}

impl<T> ShownNever for &Shown<'_, T> {}

/// Choices: one, perhaps one, or a list.
pub trait Chosen {
    /// The JSON that it is read from.
    fn chosen(&self) -> Option<Value>;
}

/// Of the texts in its schema, the one that is read as it.
impl<T: Choice + DeserializeOwned + JsonSchema> Chosen for T {
    fn chosen(&self) -> Option<Value> {
        let mut generator = generator(Contract::Input);
        let schema = generator.subschema_for::<T>().to_value();
        let texts = words(&schema, &generator.take_definitions(true))?.into_iter().map(Value::String);
        let is_meant =
            |text: &Value| T::deserialize(text).is_ok_and(|read| discriminant(&read) == discriminant(self));
        texts.into_iter().find(is_meant)
    }
}

impl<T: Chosen> Chosen for Option<T> {
    fn chosen(&self) -> Option<Value> {
        self.as_ref()?.chosen()
    }
}

impl<T: Chosen> Chosen for Vec<T> {
    fn chosen(&self) -> Option<Value> {
        self.iter().map(Chosen::chosen).collect()
    }
}
