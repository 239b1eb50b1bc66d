//! All sessions of one server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::one::{InUse, Session};
use super::settings::Sessions;
use crate::auth::Principal;
use crate::call::Connected;
use crate::hub::Hub;
use crate::middleware::Exit;
use crate::protocol::Revision;

/// All sessions of one server, by their id.
pub(crate) struct Table {
    common: Common,
    stop: CancellationToken,
    state: Mutex<State>,
}

/// What all sessions of one server have in common.
pub(crate) struct Common {
    pub(crate) settings: Sessions,
    pub(crate) hub: Arc<Hub>,
    pub(crate) exit: Exit,
}

#[derive(Default)]
struct State {
    sessions: HashMap<Arc<str>, Arc<Session>>,
    /// How many each authenticated caller has.
    by_principal: HashMap<Arc<str>, usize>,
    /// Whether a task looks for those that are over.
    is_swept: bool,
}

/// There is no room for another session: how many there may be, and whose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    pub(crate) most: usize,
    pub(crate) of_caller: bool,
}

impl State {
    fn remove(&mut self, id: &str) -> Option<Arc<Session>> {
        let session = self.sessions.remove(id)?;
        self.forget(&session);
        Some(session)
    }

    /// Whose a session was has one less.
    fn forget(&mut self, session: &Session) {
        if let Some(principal) = &session.principal
            && let Some(count) = self.by_principal.get_mut(principal)
        {
            *count -= 1;
            if *count == 0 {
                self.by_principal.remove(principal);
            }
        }
    }
}

impl Table {
    pub(crate) fn new(common: Common, stop: CancellationToken) -> Arc<Self> {
        Arc::new(Self { common, stop, state: Mutex::default() })
    }

    /// Opens a session of that id, which is random, as is the mark of its events.
    pub(crate) fn open(
        self: &Arc<Self>,
        id: String,
        mark: String,
        principal: &Principal,
        revision: Revision,
        client: Connected,
    ) -> Result<Arc<Session>, Full> {
        let principal: Option<Arc<str>> = principal.id().map(Arc::from);
        let id: Arc<str> = id.into();
        let mut state = self.lock();
        if state.sessions.len() >= self.common.settings.most {
            return Err(Full { most: self.common.settings.most, of_caller: false });
        }
        if let Some(principal) = &principal {
            let most = self.common.settings.most_per_principal;
            if state.by_principal.get(principal).is_some_and(|count| *count >= most) {
                return Err(Full { most, of_caller: true });
            }
            *state.by_principal.entry(Arc::clone(principal)).or_default() += 1;
        }
        let session = Session::new(Arc::clone(&id), mark, principal, revision, client, &self.common);
        let session = Arc::new(session);
        state.sessions.insert(id, Arc::clone(&session));
        if !std::mem::replace(&mut state.is_swept, true) {
            tokio::spawn(sweep(Arc::downgrade(self), self.stop.clone(), look(self.common.settings.idle)));
        }
        Ok(session)
    }

    /// The session of that id, where it is the caller's.
    pub(crate) fn find(&self, id: &str, principal: &Principal) -> Option<InUse> {
        let mut state = self.lock();
        let session = state.sessions.get(id)?;
        if session.is_over(Instant::now()) {
            let over = state.remove(id);
            drop(state);
            over?.end();
            return None;
        }
        (session.principal.as_deref() == principal.id()).then(|| session.hold())
    }

    /// Ends a session.
    pub(crate) fn close(&self, session: &Session) {
        self.lock().remove(&session.id);
        session.end();
    }

    /// Ends those that are over. Whether there are others.
    fn sweep(&self) -> bool {
        let now = Instant::now();
        let mut state = self.lock();
        let over: Vec<_> = state.sessions.extract_if(|_, session| session.is_over(now)).collect();
        for (_, session) in &over {
            state.forget(session);
        }
        // A flood does not keep its memory for ever.
        let left = state.sessions.len();
        state.sessions.shrink_to(left * 2);
        state.is_swept = left > 0;
        let others = state.is_swept;
        drop(state);
        over.iter().for_each(|(_, session)| session.end());
        others
    }

    /// Lets go whoever only listens: the server stops.
    fn end_listening(&self) {
        let sessions: Vec<_> = self.lock().sessions.values().cloned().collect();
        sessions.iter().for_each(|session| session.end_listening());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that holds the lock can panic half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often to look for what is over.
fn look(idle: Duration) -> Duration {
    (idle.min(Duration::from_secs(60)) / 4).clamp(Duration::from_millis(10), Duration::from_secs(60))
}

/// Ends sessions that are over for as long as there are any.
async fn sweep(table: Weak<Table>, stop: CancellationToken, look: Duration) {
    let mut stopped = false;
    loop {
        tokio::select! {
            () = tokio::time::sleep(look) => {
                let Some(table) = table.upgrade() else { return };
                if !table.sweep() {
                    return;
                }
            }
            () = stop.cancelled(), if !stopped => {
                stopped = true;
                let Some(table) = table.upgrade() else { return };
                table.end_listening();
            }
        }
    }
}
