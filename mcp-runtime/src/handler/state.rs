//! `State<T>`: a value that the server was given.

use std::ops::Deref;

use super::describe::Parameter;
use super::failure::ProtocolError;
use super::param::{Param, ParamFault, ParamSpec};
use super::scope::Scope;

/// A clone of the value of type `T` that the server was given by `.state(…)`.
///
/// A handler whose state was never given is refused at boot. What should not be cloned goes in an `Arc`.
#[derive(Clone, Copy, Debug)]
pub struct State<T>(pub T);

/// A type that can be given to handlers.
#[diagnostic::on_unimplemented(
    message = "MCP092: `{Self}` cannot be given to handlers",
    label = "what is given is cloned for each call and shared by all threads",
    note = "it has to be `Clone + Send + Sync + 'static`",
    note = "what is not `Clone` goes in an `Arc`, as `mcp::State<Arc<…>>`",
    note = "`Rc`, `Cell` and `RefCell` stay on one thread: take `Arc`, an atomic and `Mutex` or `RwLock` in their place, as in \
            `mcp::State<Arc<Mutex<…>>>`"
)]
pub trait Shared: Clone + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> Shared for T {}

impl<T: Shared> Param for State<T> {
    fn describe(parameter: &mut Parameter<'_>) {
        parameter.needs_state::<T>();
    }

    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        match scope.state::<T>() {
            Some(value) => Ok(Self(value.clone())),
            None => {
                let lost = format!("no state of type `{}` was given", std::any::type_name::<T>());
                Err(ParamFault::Refused(ProtocolError::internal(lost)))
            }
        }
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
