//! Messages as lines: those that wait to be written.

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::client::error::Error;
use crate::client::message::Outgoing;

/// How many messages may wait for the server to read before senders have to.
pub(super) const MOST_WAITING: usize = 64;

/// The client's end of a connection by lines.
pub(crate) struct Lines(pub(super) mpsc::Sender<Bytes>);

impl Lines {
    /// Hands a message over to be written.
    pub(super) async fn send(&self, message: &Outgoing) -> Result<(), Error> {
        // Nothing of a message that was never written has run.
        self.0.send(message.bytes()).await.map_err(|_| Error::Unreachable {
            what: format!("the server has ended, and takes no `{}`", message.method),
            source: None,
        })
    }
}
