//! Asking the client while a call runs, in both eras with one body.
//!
//! In the handshake era an ask is a request of the server's own (`peer.rs`). In the modern era the call is answered by
//! what it wants to know, and the client calls again with the answers (`round.rs`; 2026-07-28, "Multi Round-Trip
//! Requests").

mod answer;
mod ask;
mod once;
mod peer;
mod round;

pub use answer::{Answer, AskError, OnceError};
pub use ask::{Ask, Asking, Elicit};

pub use once::{Remembered, RunOnce};
pub(crate) use once::{inside_driver, once};
pub(crate) use peer::{Peer, Reply};
pub(crate) use round::{Round, State, Suspended};

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::shared::{Shared, Span};
use crate::protocol::asking::Need;

/// How one call asks its client.
pub(crate) enum Means {
    /// It cannot, and why.
    Never(&'static str),
    /// By requests of the server's own.
    Reverse(Arc<Peer>),
    /// By rounds: the answers that came with the request.
    Rounds(Option<Span>),
}

/// What a key is used by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Used {
    Ask,
    Once,
}

/// What one call asks.
pub(crate) struct Asks {
    pub(crate) means: Means,
    /// The state that came with the request.
    pub(crate) sealed: Option<Box<str>>,
    /// What the client could not be asked for.
    refused: OnceLock<Need>,
    /// The same, opened.
    state: OnceLock<Box<State>>,
    round: OnceLock<Box<Round>>,
    /// The keys that were used where there are no rounds, which keep their own.
    keys: Mutex<Vec<(Used, String)>>,
    /// What tells this call, over all its rounds, from every other.
    identity: OnceLock<Box<str>>,
}

impl Asks {
    pub(crate) fn new(means: Means, sealed: Option<Box<str>>) -> Self {
        Self {
            means,
            sealed,
            refused: OnceLock::new(),
            state: OnceLock::new(),
            round: OnceLock::new(),
            keys: Mutex::default(),
            identity: OnceLock::new(),
        }
    }

    /// Takes the state that came with the request.
    pub(crate) fn resume(&self, state: State) {
        let _ = self.state.set(Box::new(state));
    }

    /// What the client could not be asked for.
    pub(crate) fn refused(&self) -> Option<Need> {
        self.refused.get().copied()
    }

    /// Whether the request continues an earlier one.
    pub(crate) fn is_continued(&self) -> bool {
        self.sealed.is_some() || matches!(self.means, Means::Rounds(Some(_)))
    }

    /// Whether an ask is open that only another round answers.
    pub(crate) fn is_open(&self) -> bool {
        self.round.get().is_some_and(|round| round.is_open())
    }

    /// Whether the call waits for nothing but answers of another round.
    pub(crate) fn is_suspendable(&self) -> bool {
        self.round.get().is_some_and(|round| round.is_suspendable())
    }

    /// Ends the round with what is open.
    pub(crate) fn suspend(&self) -> Option<Suspended> {
        self.round.get()?.suspend(self.identity.get().map(AsRef::as_ref))
    }

    /// The question of that id never reached the client: whoever waits for its answer is told.
    pub(crate) fn was_dropped(&self, id: u64) {
        if let Means::Reverse(peer) = &self.means {
            peer.answer(id, Err((-32603, "middleware dropped the question".to_owned())));
        }
    }

    /// From now on nothing is asked any more.
    pub(crate) fn end(&self) {
        if let Some(round) = self.round.get() {
            round.close();
        }
    }

    /// Uses a key, which is good for one.
    fn use_key(&self, by: Used, key: &str) -> Result<(), AskError> {
        // Nothing that holds the lock can panic half way through a change.
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.iter().any(|(used, known)| *used == by && known == key) {
            return Err(AskError::KeyTwice(key.to_owned()));
        }
        keys.push((by, key.to_owned()));
        Ok(())
    }

    /// Gives a key back: what used it was not answered.
    fn give_back(&self, by: Used, key: &str) {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|(used, known)| *used != by || known != key);
    }

    fn round(&self, call: &Shared, given: Option<Span>) -> &Round {
        self.round.get_or_init(|| {
            let given = given.map(|span| span.text(&call.body));
            Box::new(Round::new(given, self.state.get().map(AsRef::as_ref)))
        })
    }

    /// What tells this call, over all its rounds, from every other.
    pub(crate) fn identity(&self) -> &str {
        self.identity.get_or_init(|| {
            let before = self.state.get().and_then(|state| state.identity.as_deref()).map(Box::from);
            before.unwrap_or_else(|| {
                let mut random = [0_u8; 16];
                // Without randomness an identity is at least one of this process and moment.
                if getrandom::fill(&mut random).is_err() {
                    use std::hash::{BuildHasher as _, Hasher as _};
                    let hash = std::hash::RandomState::new().build_hasher().finish();
                    random[..8].copy_from_slice(&hash.to_ne_bytes());
                }
                random.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
            })
        })
    }
}
