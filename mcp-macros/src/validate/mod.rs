//! What the compiler would explain badly or not at all.

pub mod argument;
mod options;
mod parameters;
mod resource;
mod signature;

use crate::diagnostics::Errors;
use crate::kind::Kind;
use crate::model::Handler;
use crate::parse::function::Function;

/// Checks the function itself.
pub fn function(kind: Kind, function: &Function, errors: &mut Errors) {
    signature::check(kind, function, errors);
}

/// Checks what the function means.
pub fn handler(handler: &Handler, errors: &mut Errors) {
    options::check(handler, errors);
    parameters::check(handler, errors);
    resource::check(handler, errors);
}
