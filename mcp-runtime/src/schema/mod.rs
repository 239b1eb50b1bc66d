//! JSON Schema from Rust types, cleaned for real clients; the validators; the `x-mcp-header` mirrors.

pub(crate) mod clean;
#[cfg(feature = "validation")]
mod explain;
pub(crate) mod faults;
pub(crate) mod form;
#[cfg(feature = "validation")]
mod forms;
pub(crate) mod hosts;
mod inline;
pub(crate) mod input;
#[cfg(feature = "validation")]
mod leaf;
pub(crate) mod lenient;
pub(crate) mod mirror;
mod normalise;
pub(crate) mod ordered;
pub(crate) mod output;
#[cfg(feature = "validation")]
mod plain;
#[cfg(feature = "validation")]
mod sound;
pub(crate) mod unique;
#[cfg(feature = "validation")]
pub(crate) mod validator;
pub(crate) mod value;
pub(crate) mod walk;

/// A generator for one side of a type, with the settings every schema here is made with.
pub(crate) fn generator(contract: clean::Contract) -> schemars::SchemaGenerator {
    let settings =
        schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    match contract {
        clean::Contract::Input | clean::Contract::Form => settings.for_deserialize(),
        clean::Contract::Output => settings.for_serialize(),
    }
    .into_generator()
}
