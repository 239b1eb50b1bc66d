//! Who calls, as a bearer token of every message over HTTP.

use std::pin::Pin;
use std::sync::Arc;

use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::client::Error;
use crate::middleware::{Call, Middleware, Next, Reply};

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type Token = Pin<Box<dyn Future<Output = Result<String, BoxError>> + Send>>;

/// Sends a bearer token with every message, where it goes over HTTP. A stack sends it.
#[derive(Clone)]
pub struct Bearer(Arc<dyn Fn() -> Token + Send + Sync>);

impl Bearer {
    /// Always the same.
    pub fn token(token: impl Into<String>) -> Self {
        let token = token.into();
        Self::from(move || {
            let token = token.clone();
            async move { Ok::<_, BoxError>(token) }
        })
    }

    /// Whatever is good at the moment: it is asked for each message, and once more for one that the server answers with
    /// 401, which has not run.
    pub fn from<E, F, Fut>(give: F) -> Self
    where
        E: Into<BoxError>,
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, E>> + Send + 'static,
    {
        Self(Arc::new(move || {
            let giving = give();
            Box::pin(async move { giving.await.map_err(Into::into) })
        }))
    }

    async fn value(&self) -> Result<HeaderValue, Error> {
        let failed = |why: String| Error::Stopped(format!("there is no token to call with: {why}"));
        let token = (self.0)().await.map_err(|error| failed(error.to_string()))?;
        let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
            .map_err(|_| failed("it has characters that no header holds".to_owned()))?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl Middleware for Bearer {
    async fn handle(&self, mut call: Call, next: Next) -> Reply {
        let first = match self.value().await {
            Ok(value) => value,
            Err(error) => return Reply::failed(error),
        };
        call.set_header(AUTHORIZATION, first.clone());
        let reply = next.clone().run(call.clone()).await;
        if !matches!(reply.failure(), Some(Error::Http { status: 401, .. })) {
            return reply;
        }
        match self.value().await {
            Ok(other) if other != first => {
                call.set_header(AUTHORIZATION, other);
                next.run(call).await
            }
            _ => reply,
        }
    }
}

impl std::fmt::Debug for Bearer {
    /// Shows no token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Bearer(…)")
    }
}
