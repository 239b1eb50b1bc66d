//! Sessions of handshake clients over HTTP (2025-11-25, Streamable HTTP, "Session Management"): what `initialize`
//! agreed on, what is in flight, and streams that a client can take up again.

mod events;
mod one;
mod settings;
mod table;

pub(crate) use one::{InUse, Session};
#[cfg(feature = "http")]
pub use settings::Sessions;
#[cfg(feature = "http")]
pub(crate) use {
    events::{After, EventLog, Reader},
    one::{InFlight, Unresumable},
    table::{Common, Table},
};

use std::sync::Arc;

use crate::protocol::fault::{Fault, FaultKind};

/// The session that a message presents in its header.
pub(crate) enum Presented {
    /// The server has no sessions, and does not look.
    Off,
    Absent,
    /// More than once, so that nobody has to choose: refused where there are no sessions too.
    Twice,
    Malformed,
    /// None of that id, none any more, or somebody else's.
    Unknown,
    /// In use for as long as the message is looked at.
    Known(InUse),
}

impl Presented {
    /// The session that a message belongs to; none where there are no sessions, or where `initialize` opens one.
    pub(crate) fn of(&self, opens: bool) -> Result<Option<&Arc<Session>>, Fault> {
        match self {
            Self::Off => Ok(None),
            Self::Twice => Err(Fault::invalid_request("`Mcp-Session-Id` is sent more than once")),
            Self::Absent if opens => Ok(None),
            _ if opens => {
                Err(Fault::invalid_request("`initialize` opens a session: send it without `Mcp-Session-Id`"))
            }
            Self::Known(in_use) => Ok(Some(in_use.session())),
            Self::Absent => Err(Fault::invalid_request(
                "`Mcp-Session-Id` is missing: send `initialize`, and then what its answer has in that header with \
                 everything else",
            )),
            Self::Malformed => Err(Fault::invalid_request("`Mcp-Session-Id` has to be visible ASCII")),
            Self::Unknown => Err(Fault::new(
                FaultKind::NoSession,
                "There is no such session, or not any more: send `initialize` to open one",
            )),
        }
    }
}
