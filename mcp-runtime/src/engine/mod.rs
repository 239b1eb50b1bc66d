//! The protocol, without input or output: bytes and headers in, decisions and bytes out.
//!
//! It reads no clock, opens no socket and awaits nothing. The steps are those of `ARCHITECTURE.md`, in that order,
//! for both eras and every transport: [`admit`] takes a message as far as its headers, [`prepare`] finds what it
//! calls and judges the parameters, [`finish`] turns what the handler returned into bytes.

mod admit;
mod amend;
mod classify;
mod completion;
mod draft;
mod finish;
mod frame;
mod headers;
mod jobs;
mod lifecycle;
mod listen;
mod pages;
mod pipe;
mod prepare;
mod render;
mod rounds;

pub(crate) use crate::protocol::{Answer, Frame};
pub(crate) use admit::{About, Admission, Caller};
pub(crate) use amend::Amend;
pub(crate) use draft::{Notice, Work};
pub(crate) use finish::{Task, internal};
pub(crate) use frame::error;
#[cfg(feature = "http")]
pub(crate) use headers::Headers;
pub(crate) use jobs::Job;
pub(crate) use listen::change_message;
pub(crate) use pipe::Pipe;
pub(crate) use prepare::{Prepared, Run};
pub(crate) use rounds::Sealing;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use crate::call::States;
use crate::handler::{Running, Scope};
use crate::protocol::project::Project;
use crate::protocol::{Cache, Era, Implementation, Meta, Revision};
use crate::registry::{Live, Surface};
use crate::seal::KeyRing;

/// What decides how a server speaks.
pub(crate) struct Settings {
    pub(crate) info: Implementation,
    /// The revisions that are served in each era, newest first; not both empty.
    pub(crate) modern: Vec<Revision>,
    pub(crate) handshake: Vec<Revision>,
    pub(crate) instructions: Instructions,
    /// For lists, and for resources that say nothing of their own.
    pub(crate) cache: Cache,
    /// How many entries a page of a list has; all of them, where nothing is said.
    pub(crate) page_size: Option<usize>,
    pub(crate) sealing: Sealing,
    /// How many clients may listen at once.
    pub(crate) max_subscriptions: usize,
    /// How long each of them does over HTTP.
    pub(crate) subscription_lifetime: Option<Duration>,
    /// Cancelled when the server is to stop.
    pub(crate) stop: CancellationToken,
    /// Where there is middleware, which may change results.
    pub(crate) amend: Option<Amend>,
    /// A handler of `server/discover`, in place of the default.
    pub(crate) discover: Option<Arc<dyn Fn(Scope) -> Running<Meta> + Send + Sync>>,
}

/// How to use the server, for the model, by era.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instructions {
    pub(crate) handshake: Option<String>,
    pub(crate) modern: Option<String>,
}

/// One server's protocol.
pub(crate) struct Engine {
    pub(crate) settings: Settings,
    pub(crate) live: Arc<Live>,
    pub(crate) states: Arc<States>,
    /// `"resultType":"complete","_meta":{…}`, prepared.
    stamp: Bytes,
    /// Where the author gave no keys.
    own_keys: OnceLock<KeyRing>,
}

impl Engine {
    pub(crate) fn new(mut settings: Settings, live: Arc<Live>, states: Arc<States>) -> Self {
        settings.info.project(Revision::V2026_07_28);
        let stamp = frame::stamp(&settings.info);
        Self { settings, live, states, stamp, own_keys: OnceLock::new() }
    }

    fn surface(&self) -> arc_swap::Guard<Arc<Surface>> {
        self.live.surface()
    }

    fn serves(&self, era: Era) -> bool {
        !self.revisions(era).is_empty()
    }

    fn revisions(&self, era: Era) -> &[Revision] {
        match era {
            Era::Handshake => &self.settings.handshake,
            Era::Modern => &self.settings.modern,
        }
    }
}
