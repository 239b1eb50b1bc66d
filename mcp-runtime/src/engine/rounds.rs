//! Calls that are answered by what they want to know (2026-07-28, "Multi Round-Trip Requests").

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::Engine;
use super::frame::{SERVER_INFO, error, open, write};
use crate::call::{AskState, Shared, Suspended, Transport};
use crate::protocol::envelope::Envelope;
use crate::protocol::fault::{Fault, FaultKind, Leg};
use crate::protocol::{Answer, Frame};
use crate::protocol::{Era, Meta};
use crate::schema::ordered::Ordered;
use crate::seal::KeyRing;

/// How many rounds a call may take.
const MOST_ROUNDS: u32 = 32;

/// How long a sealed state may be, in bytes. It comes back with the next request.
const MOST_STATE: usize = 256 * 1024;

/// The keys that states are sealed with, and for how long they are good.
pub(crate) struct Sealing {
    pub(crate) keys: Option<KeyRing>,
    pub(crate) ttl: Duration,
}

impl Engine {
    /// Opens the state that came with a request.
    pub(crate) fn resume(&self, call: &Shared, now: SystemTime) -> Result<(), Fault> {
        let Some(sealed) = &call.asks.sealed else { return Ok(()) };
        let refused = || {
            Fault::invalid_params(
                "Invalid params: `params.requestState` is not what this server gave for this request and caller",
            )
        };
        let about = about(call).ok_or_else(refused)?;
        let opened = self.keys().open(sealed, &about).ok_or_else(refused)?;
        let state: AskState = serde_json::from_slice(&opened).map_err(|_| refused())?;
        if seconds(now) >= state.expires {
            return Err(Fault::invalid_params(
                "Invalid params: `params.requestState` has expired: send the request again without it",
            ));
        }
        call.asks.resume(state);
        Ok(())
    }

    /// The answer to a call that has to know something first.
    pub(crate) fn asked(&self, call: &Shared, suspended: Suspended, what: &str, now: SystemTime) -> Answer {
        let Suspended { requests, mut state, is_deaf } = suspended;
        if is_deaf {
            crate::log::warn(&format!(
                "{what} was given answers to other questions than it asks: where a question changes each time, it needs a `.key(…)`"
            ));
        }
        let failed = |text: String| {
            crate::log::error(&text);
            error(&Fault::new(FaultKind::Internal, text), Leg::Era(Era::Modern), Some(call.id_json()))
        };
        if state.rounds > MOST_ROUNDS {
            return failed(format!(
                "The {what} still asks after {MOST_ROUNDS} rounds, and is given up: the answers do not fit its questions, or those change each time"
            ));
        }
        // By pipes there is one process for one client.
        let shared = call.transport == Transport::Http;
        if shared && self.settings.sealing.keys.is_none() && self.own_keys.get().is_none() {
            crate::log::warn(
                "a call asks its client, and only this process can go on with it: where several serve together, give them \
                 the same `.state_keys([…])`, or MCP_STATE_KEYS",
            );
        }
        state.expires = seconds(now).saturating_add(self.settings.sealing.ttl.as_secs());
        let (Some(about), Ok(bytes)) = (about(call), serde_json::to_vec(&state)) else {
            return failed(format!("The {what} cannot ask: what it was called with cannot be told"));
        };
        let sealed = match self.keys().seal(&bytes, &about) {
            Ok(sealed) if sealed.len() <= MOST_STATE => sealed,
            Ok(_) => {
                return failed(format!("What the {what} has to remember is longer than {MOST_STATE} bytes"));
            }
            Err(error) => return failed(format!("The {what} cannot ask: {error}")),
        };
        let mut meta = Meta::new();
        meta.insert(SERVER_INFO.to_owned(), json!(self.settings.info));
        let result = json!({
            "resultType": "input_required", "inputRequests": requests, "requestState": sealed, "_meta": meta,
        });
        let mut out = open(call.id_json(), sealed.len() + 512);
        write(&mut out, &Ordered(&result));
        out.push(b'}');
        Answer::result(Frame::from(out))
    }

    pub(super) fn keys(&self) -> &KeyRing {
        match &self.settings.sealing.keys {
            Some(keys) => keys,
            None => self.own_keys.get_or_init(|| {
                KeyRing::random().unwrap_or_else(|error| {
                    crate::log::error(&format!("there is no randomness for a key: {error}"));
                    KeyRing::none()
                })
            }),
        }
    }
}

/// What a state is about: who calls what, and with what. It is good for nothing else; what cannot be told is about
/// nothing.
fn about(call: &Shared) -> Option<Vec<u8>> {
    // What a handler gets, read as it is for the handler; what else a request holds makes no difference to it.
    let message = Envelope::again(&call.body)?;
    let params = message.params.as_ref()?;
    let called = (params.name.text(), params.uri.text(), params.arguments.0);
    serde_json::to_vec(&(call.principal.id(), message.method.text()?, called)).ok()
}

fn seconds(now: SystemTime) -> u64 {
    now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
