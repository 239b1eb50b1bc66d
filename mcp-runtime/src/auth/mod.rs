//! Who calls: the principal, the refusal and the hook that decides between them, no more.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Who a call is made for. Without a hook, everyone is anonymous.
#[derive(Clone, Default)]
pub struct Principal {
    id: Option<Arc<str>>,
    claims: Option<Arc<dyn Any + Send + Sync>>,
}

impl Principal {
    /// Nobody in particular.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// The caller of that identifier, such as the `sub` of a token.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self { id: Some(id.into()), claims: None }
    }

    /// Adds what else is known of the caller; handlers read it by [`Principal::claims`].
    pub fn with_claims<T: Any + Send + Sync>(mut self, claims: T) -> Self {
        self.claims = Some(Arc::new(claims));
        self
    }

    /// The identifier; `None` for anonymous callers.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// What else is known of the caller, when the hook added a `T`.
    pub fn claims<T: Any>(&self) -> Option<&T> {
        self.claims.as_deref()?.downcast_ref()
    }
}

impl fmt::Debug for Principal {
    /// Shows the identifier alone: claims may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Principal").field(&self.id.as_deref().unwrap_or("anonymous")).finish()
    }
}

/// Why a caller is turned away at the HTTP edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub(crate) status: u16,
    pub(crate) challenge: Option<String>,
    pub(crate) message: String,
}

impl Refusal {
    /// 401: nobody is known; `challenge` is the `WWW-Authenticate` value, such as `Bearer`.
    pub fn unauthorized(challenge: impl Into<String>) -> Self {
        Self {
            status: 401,
            challenge: Some(challenge.into()),
            message: "Authentication is required".to_owned(),
        }
    }

    /// 403: the caller is known and may not.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self { status: 403, challenge: None, message: message.into() }
    }

    /// Says more, in the `WWW-Authenticate` value: `Bearer error="insufficient_scope", scope="files:read"`.
    pub fn with_challenge(mut self, challenge: impl Into<String>) -> Self {
        self.challenge = Some(challenge.into());
        self
    }

    /// Says what is wrong, in the body.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }
}

#[cfg(feature = "http")]
mod hook {
    use std::pin::Pin;
    use std::sync::Arc;

    use http::request::Parts;

    use super::{Principal, Refusal};

    type Verdict = Pin<Box<dyn Future<Output = Result<Principal, Refusal>> + Send>>;

    /// The hook, whatever it was made of.
    pub(crate) type Hook = Arc<dyn Fn(Parts) -> Verdict + Send + Sync>;

    /// Keeps a hook without its type.
    pub(crate) fn hook<F, Fut>(hook: F) -> Hook
    where
        F: Fn(Parts) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Principal, Refusal>> + Send + 'static,
    {
        Arc::new(move |parts| Box::pin(hook(parts)))
    }
}

#[cfg(feature = "http")]
pub(crate) use hook::{Hook, hook};
