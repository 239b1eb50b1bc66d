//! Arguments that are paths: the types by which a template's variable is known to be one.

use std::path::PathBuf;

use serde_json::Value;

use super::describe::Describe;
use super::param::{Of, Param, Usual};
use super::scope::{Faults, Scope};

/// The way to an argument that is a path.
#[derive(Clone, Copy)]
pub struct ByPath(Usual);

impl ByPath {
    /// Describes the parameter.
    pub fn describe<P: Param>(self, describe: &mut Describe, default: Option<Option<Value>>) {
        self.0.describe::<P>(describe, default);
        describe.is_path(self.0.name());
    }

    /// Takes the parameter out of a call, or notes why it cannot be had.
    pub fn take<P: Param>(self, faults: &mut Faults, scope: &Scope, default: Option<fn() -> P>) -> Option<P> {
        self.0.take(faults, scope, default)
    }
}

impl Of<PathBuf> {
    /// The way to the parameter.
    pub fn way(&self) -> ByPath {
        ByPath(self.usual)
    }
}

impl Of<Option<PathBuf>> {
    /// The way to the parameter.
    pub fn way(&self) -> ByPath {
        ByPath(self.usual)
    }
}
