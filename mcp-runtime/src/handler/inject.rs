//! Parameters that the server gives: the call itself and parts of it.

use std::marker::PhantomData;
use std::ops::Deref;

use serde_json::Value;

use super::describe::{Describe, Parameter};
use super::failure::ProtocolError;
use super::json::Json;
use super::param::{Of, Param, ParamFault, ParamSpec, Usual};
use super::scope::{Faults, Scope};
use super::state::{Shared, State};
use crate::auth::Principal;
use crate::call::Context;

impl Param for Context {
    fn describe(parameter: &mut Parameter<'_>) {
        parameter.logs();
    }

    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        Ok(scope.context().clone())
    }
}

/// Who the call is made for.
#[derive(Clone, Debug)]
pub struct Caller(pub Principal);

impl Param for Caller {
    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        Ok(Self(scope.context().principal().clone()))
    }
}

impl Deref for Caller {
    type Target = Principal;

    fn deref(&self) -> &Principal {
        &self.0
    }
}

/// The headers of the HTTP request; empty over other transports.
#[cfg(feature = "http")]
#[derive(Clone, Debug, Default)]
pub struct Headers(pub http::HeaderMap);

#[cfg(feature = "http")]
impl Param for Headers {
    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        Ok(Self(scope.context().headers().cloned().unwrap_or_default()))
    }
}

#[cfg(feature = "http")]
impl Deref for Headers {
    type Target = http::HeaderMap;

    fn deref(&self) -> &http::HeaderMap {
        &self.0
    }
}

/// What middleware attached to the call, else what axum or a tower layer attached to the HTTP request.
///
/// Where it attached none, the call fails with an internal error that the log explains; a parameter of the type
/// `Option<Extension<T>>` is `None` then.
#[derive(Clone, Copy, Debug)]
pub struct Extension<T>(pub T);

impl<T: Shared> Param for Extension<T> {
    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        Self::of(scope).ok_or_else(|| {
            let lost = format!(
                "no extension of type `{}` is on the call: middleware, or a layer in front of the server, attaches it",
                std::any::type_name::<T>()
            );
            ParamFault::Refused(ProtocolError::internal(lost))
        })
    }
}

impl<T: Shared> Extension<T> {
    fn of(scope: &Scope) -> Option<Self> {
        let call = scope.context();
        call.0
            .extensions
            .get()
            .and_then(|attached| attached.get())
            .cloned()
            .or_else(|| of_request(call))
            .map(Self)
    }
}

impl<T> Deref for Extension<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(feature = "http")]
fn of_request<T: Shared>(call: &Context) -> Option<T> {
    call.extensions()?.get().cloned()
}

#[cfg(not(feature = "http"))]
fn of_request<T: Shared>(_: &Context) -> Option<T> {
    None
}

/// What the server gives of a type that the author chooses, and that has to be [`Shared`].
pub trait Given: Sized {
    /// Says at boot what the parameter needs.
    fn describe(parameter: &mut Parameter<'_>) {
        let _ = parameter;
    }

    /// Takes the parameter out of a call.
    fn take(scope: &Scope, spec: &ParamSpec) -> Result<Self, ParamFault>;
}

impl<T: Shared> Given for State<T> {
    fn describe(parameter: &mut Parameter<'_>) {
        <Self as Param>::describe(parameter);
    }

    fn take(scope: &Scope, spec: &ParamSpec) -> Result<Self, ParamFault> {
        Param::take(scope, spec)
    }
}

impl<T: Shared> Given for Extension<T> {
    fn take(scope: &Scope, spec: &ParamSpec) -> Result<Self, ParamFault> {
        Param::take(scope, spec)
    }
}

impl<T: Shared> Given for Option<Extension<T>> {
    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        Ok(Extension::of(scope))
    }
}

/// Something given, as the parameter that it is.
struct Injected<P>(P);

impl<P: Given> Param for Injected<P> {
    fn describe(parameter: &mut Parameter<'_>) {
        P::describe(parameter);
    }

    fn take(scope: &Scope, spec: &ParamSpec) -> Result<Self, ParamFault> {
        P::take(scope, spec).map(Self)
    }
}

/// The way to a parameter that is given. It has no default: the server gives it whatever the call says.
#[derive(Clone, Copy)]
pub struct ByServer(Usual);

impl ByServer {
    fn of(usual: Usual) -> Self {
        Self(usual)
    }

    /// Describes the parameter.
    pub fn describe<P: Given>(self, describe: &mut Describe, _: Option<Option<Value>>) {
        self.0.describe::<Injected<P>>(describe, None);
    }

    /// Takes the parameter.
    pub fn take<P: Given>(self, faults: &mut Faults, scope: &Scope, _: Option<fn() -> P>) -> Option<P> {
        self.0.take(faults, scope, None).map(|Injected(value)| value)
    }
}

/// What is given, in an `Option`: never a parameter, since `T` is. Nothing implements it.
#[diagnostic::on_unimplemented(
    message = "MCP091: `{Self}` cannot be a parameter of a handler",
    label = "write `{T}`",
    note = "what the server gives is always there, and taken without `Option`"
)]
pub trait GivenAs<T> {}

/// The way to a parameter that should be a `T`: there is none.
pub struct Optional<T>(PhantomData<T>);

impl<T> Optional<T> {
    fn of(_: Usual) -> Self {
        Self(PhantomData)
    }

    /// Does not compile.
    pub fn describe<P: GivenAs<T>>(self, _: &mut Describe, _: Option<Option<Value>>) {}

    /// Does not compile.
    pub fn take<P: GivenAs<T>>(self, _: &mut Faults, _: &Scope, _: Option<fn() -> P>) -> Option<P> {
        None
    }
}

/// An argument, wrapped like a result: never a parameter, since `T` is. Nothing implements it.
#[diagnostic::on_unimplemented(
    message = "MCP091: `{Self}` cannot be a parameter of a handler",
    label = "write `{T}`",
    note = "arguments are taken as they are: `mcp::Json` is for results"
)]
pub trait TakenAs<T> {}

/// The way to a parameter that should be a `T`: there is none.
pub struct Wrapped<T>(PhantomData<T>);

impl<T> Wrapped<T> {
    fn of(_: Usual) -> Self {
        Self(PhantomData)
    }

    /// Does not compile.
    pub fn describe<P: TakenAs<T>>(self, _: &mut Describe, _: Option<Option<Value>>) {}

    /// Does not compile.
    pub fn take<P: TakenAs<T>>(self, _: &mut Faults, _: &Scope, _: Option<fn() -> P>) -> Option<P> {
        None
    }
}

macro_rules! ways {
    ($($(#[$condition:meta])? [$($generic:ident)?] $ty:ty => $way:ty;)*) => {$(
        $(#[$condition])?
        impl<$($generic)?> Of<$ty> {
            /// The way to the parameter.
            pub fn way(&self) -> $way {
                <$way>::of(self.usual)
            }
        }
    )*};
}

ways! {
    [T] State<T> => ByServer;
    [T] Option<State<T>> => Optional<State<T>>;
    [] Option<Context> => Optional<Context>;
    [] Option<Caller> => Optional<Caller>;
    #[cfg(feature = "http")] [] Option<Headers> => Optional<Headers>;
    [T] Extension<T> => ByServer;
    [T] Option<Extension<T>> => ByServer;
    [T] Json<T> => Wrapped<T>;
    [T] Option<Json<T>> => Wrapped<Option<T>>;
}
