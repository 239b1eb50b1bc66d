//! One call as generated code sees it: where its parameters come from, and what was wrong with them.

use serde_json::Value;

use super::failure::{Failure, ProtocolError};
use super::param::{Param, ParamFault, ParamSpec, Place};
use crate::call::Context;
use crate::schema::faults::ArgumentFault;

/// Where the parameters of one call come from.
pub struct Scope {
    context: Context,
    source: Source,
}

/// The arguments of a call.
#[derive(Debug)]
pub enum Source {
    /// A JSON object.
    Json(Value),
    /// Named texts.
    Text(Vec<(String, String)>),
}

impl Scope {
    pub(crate) fn new(context: Context, source: Source) -> Self {
        Self { context, source }
    }

    /// The call.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The arguments.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The value of type `T` that the server was given by `.state(…)`.
    pub fn state<T: 'static>(&self) -> Option<&T> {
        self.context.0.states.get()
    }

    /// The call and the arguments, for handlers that take them apart themselves.
    pub(crate) fn into_parts(self) -> (Context, Source) {
        (self.context, self.source)
    }

    fn lacks(&self, name: &str) -> bool {
        match &self.source {
            Source::Json(arguments) => arguments.get(name).is_none(),
            Source::Text(texts) => !texts.iter().any(|(known, _)| known == name),
        }
    }
}

/// What was wrong with the parameters of one call: everything, not the first alone.
#[derive(Default)]
pub struct Faults {
    arguments: Vec<ArgumentFault>,
    refused: Option<ProtocolError>,
}

impl Faults {
    /// None so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a parameter, or notes why it cannot be had.
    pub fn take<T: Param>(&mut self, scope: &Scope, spec: &ParamSpec) -> Option<T> {
        match T::take(scope, spec) {
            Ok(value) => Some(value),
            Err(fault) => {
                self.note(fault);
                None
            }
        }
    }

    /// The same for a parameter that has a value where the call gives none.
    pub fn take_or<T: Param>(
        &mut self,
        scope: &Scope,
        spec: &ParamSpec,
        default: impl FnOnce() -> T,
    ) -> Option<T> {
        if spec.place == Place::Named && scope.lacks(spec.name) {
            Some(default())
        } else {
            self.take(scope, spec)
        }
    }

    fn note(&mut self, fault: ParamFault) {
        match fault {
            ParamFault::Arguments(faults) => self.arguments.extend(faults),
            ParamFault::Refused(error) => self.refused = self.refused.take().or(Some(error)),
        }
    }
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        match faults.refused {
            Some(error) => Self::Protocol(error),
            None => Self::Arguments(faults.arguments),
        }
    }
}
