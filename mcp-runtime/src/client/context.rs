//! What a handler of the client's knows of the request or notification that it serves.

use std::sync::Weak;

use reqwest::header::HeaderMap;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::core::{Connection, Core};
use super::message::Outgoing;

/// What a handler knows of what it serves.
#[derive(Clone)]
pub struct Context {
    pub(super) id: Option<Value>,
    pub(super) method: String,
    pub(super) token: Option<Value>,
    /// Of the call that it came with.
    pub(super) headers: HeaderMap,
    pub(super) cancelled: CancellationToken,
    pub(super) way: Option<(Weak<Core>, Weak<Connection>)>,
}

impl Context {
    /// The id of the server's request; none for notifications, and for what came with a result of the modern era.
    pub fn id(&self) -> Option<&Value> {
        self.id.as_ref()
    }

    /// The method, such as `elicitation/create`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Is cancelled when the server takes the request back, or whoever called ends the call that it belongs to.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }

    /// Tells the server how far it is, where the server asked for that (handshake era).
    pub async fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let (Some(token), Some((core, connection))) = (&self.token, &self.way) else { return };
        let (Some(core), Some(connection)) = (core.upgrade(), connection.upgrade()) else { return };
        let mut params = Map::from_iter([
            ("progressToken".to_owned(), token.clone()),
            ("progress".to_owned(), json!(progress)),
        ]);
        if let Some(total) = total {
            params.insert("total".to_owned(), json!(total));
        }
        if let Some(message) = message {
            params.insert("message".to_owned(), message.into());
        }
        // Whoever is gone does not wait for it.
        let told =
            Outgoing::notification("notifications/progress", params).with_headers(self.headers.clone());
        let _ = core.leave(&connection, core.sending(told)).await;
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("id", &self.id).field("method", &self.method).finish_non_exhaustive()
    }
}
