//! Parameters that the server gives: the call itself and parts of it.

use std::ops::Deref;

use super::describe::Parameter;
#[cfg(feature = "http")]
use super::failure::ProtocolError;
use super::param::{Param, ParamFault, ParamSpec};
use super::scope::Scope;
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

/// What axum or a tower layer attached to the HTTP request. Where it attached none, the call fails with an
/// internal error that the log explains.
#[cfg(feature = "http")]
#[derive(Clone, Copy, Debug)]
pub struct Extension<T>(pub T);

#[cfg(feature = "http")]
impl<T: super::Shared> Param for Extension<T> {
    fn take(scope: &Scope, _: &ParamSpec) -> Result<Self, ParamFault> {
        match scope.context().extensions().and_then(|extensions| extensions.get::<T>()) {
            Some(value) => Ok(Self(value.clone())),
            None => {
                let lost = format!(
                    "no extension of type `{}` is on the request: a layer in front of the server attaches it",
                    std::any::type_name::<T>()
                );
                Err(ParamFault::Refused(ProtocolError::internal(lost)))
            }
        }
    }
}

#[cfg(feature = "http")]
impl<T> Deref for Extension<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
