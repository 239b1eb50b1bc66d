//! Changes of what a server offers, told to whoever listens: `subscriptions/listen` in the modern era, connections and
//! sessions that have subscribed before it.
//!
//! What a listener has not taken yet is a set: a list that changes ten times has changed, and so has a resource. A
//! listener that is slow therefore holds as much as one that is not, and loses nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use crate::gauges::{Counted, Gauge, Meter};

/// Something that has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources, or of their templates.
    Resources,
    /// The resource at this URI.
    Resource(String),
}

impl Change {
    /// The resource at that URI has changed.
    pub fn resource(uri: impl Into<String>) -> Self {
        Self::Resource(uri.into())
    }
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Receipt {
    /// Nobody listens for it.
    NoListener,
    /// Whoever listens for it gets it once they are connected again, or have read what they got before.
    Queued,
    /// Somebody who listens for it is connected, and gets it now.
    Delivered,
}

/// What a listener wants to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wants {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) uris: BTreeSet<String>,
}

impl Wants {
    /// Changes of every list.
    pub(crate) fn lists() -> Self {
        Self { tools: true, prompts: true, resources: true, uris: BTreeSet::new() }
    }
}

/// Everybody who listens to one server.
#[derive(Default)]
pub(crate) struct Hub {
    /// What is counted, of this and all else that the server does.
    pub(crate) meter: Arc<Meter>,
    state: Mutex<Listeners>,
}

#[derive(Default)]
struct Listeners {
    next: u64,
    by_number: HashMap<u64, Weak<Listener>>,
}

impl Hub {
    /// Somebody who listens from now on, until it is dropped.
    pub(crate) fn listen(self: &Arc<Self>, wants: Wants) -> Arc<Listener> {
        let mut listeners = lock(&self.state);
        let number = listeners.next;
        listeners.next += 1;
        let listener =
            Arc::new(Listener { hub: Arc::clone(self), number, state: Mutex::new(State::new(wants)) });
        listeners.by_number.insert(number, Arc::downgrade(&listener));
        listener
    }

    /// Tells whoever wants to know.
    pub(crate) fn tell(&self, change: &Change) -> Receipt {
        let listeners: Vec<_> = lock(&self.state).by_number.values().filter_map(Weak::upgrade).collect();
        listeners.iter().map(|listener| listener.tell(change)).max().unwrap_or(Receipt::NoListener)
    }
}

/// One who listens.
pub(crate) struct Listener {
    hub: Arc<Hub>,
    number: u64,
    state: Mutex<State>,
}

struct State {
    wants: Wants,
    /// What has changed and was not taken yet.
    changed: Wants,
    waits: Option<Waker>,
    /// What it has subscribed to one by one.
    subscribed: Vec<Counted>,
}

impl State {
    fn new(wants: Wants) -> Self {
        Self { wants, changed: Wants::default(), waits: None, subscribed: Vec::new() }
    }
}

/// How many resources one listener is told of. Those beyond are refused.
pub(crate) const MOST_URIS: usize = 1024;

/// How long the URI of one may be, in bytes.
pub(crate) const LONGEST_URI: usize = 2048;

impl Listener {
    fn tell(&self, change: &Change) -> Receipt {
        let mut state = lock(&self.state);
        let State { wants, changed, waits, .. } = &mut *state;
        let wanted = match change {
            Change::Tools => (wants.tools, &mut changed.tools),
            Change::Prompts => (wants.prompts, &mut changed.prompts),
            Change::Resources => (wants.resources, &mut changed.resources),
            Change::Resource(uri) => {
                let wanted = wants.uris.contains(uri);
                if wanted && !changed.uris.contains(uri) {
                    changed.uris.insert(uri.clone());
                }
                (wanted, &mut true)
            }
        };
        let (true, flag) = wanted else { return Receipt::NoListener };
        *flag = true;
        match waits.take() {
            Some(waker) => {
                waker.wake();
                Receipt::Delivered
            }
            None => Receipt::Queued,
        }
    }

    /// Wants to be told of a resource; not where it is told of as many as there may be.
    pub(crate) fn subscribe(&self, uri: &str) -> bool {
        let mut state = lock(&self.state);
        if state.wants.uris.len() >= MOST_URIS && !state.wants.uris.contains(uri) {
            return false;
        }
        if state.wants.uris.insert(uri.to_owned()) {
            state.subscribed.push(self.hub.meter.count(Gauge::Subscriptions));
        }
        true
    }

    pub(crate) fn unsubscribe(&self, uri: &str) {
        let mut state = lock(&self.state);
        if state.wants.uris.remove(uri) {
            state.subscribed.pop();
        }
        state.changed.uris.remove(uri);
    }

    /// The next thing that has changed.
    pub(crate) fn poll_change(&self, cx: &Context<'_>) -> Poll<Change> {
        let mut state = lock(&self.state);
        let changed = &mut state.changed;
        let next = if std::mem::take(&mut changed.tools) {
            Change::Tools
        } else if std::mem::take(&mut changed.prompts) {
            Change::Prompts
        } else if std::mem::take(&mut changed.resources) {
            Change::Resources
        } else if let Some(uri) = changed.uris.pop_first() {
            Change::Resource(uri)
        } else {
            state.waits = Some(cx.waker().clone());
            return Poll::Pending;
        };
        Poll::Ready(next)
    }

    /// Nobody takes what has changed for now.
    pub(crate) fn rest(&self) {
        lock(&self.state).waits = None;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = lock(&self.hub.state);
        listeners.by_number.remove(&self.number);
        // A flood does not keep its memory for ever.
        if listeners.by_number.capacity() > 64.max(listeners.by_number.len() * 4) {
            let left = listeners.by_number.len();
            listeners.by_number.shrink_to(left * 2);
        }
    }
}

fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that holds a lock can panic half way through a change.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(listener: &Listener) -> Option<Change> {
        match listener.poll_change(&Context::from_waker(Waker::noop())) {
            Poll::Ready(change) => Some(change),
            Poll::Pending => None,
        }
    }

    #[test]
    fn who_listens_is_told_what_it_wants_once() {
        let hub = Arc::new(Hub::default());
        assert_eq!(hub.tell(&Change::Tools), Receipt::NoListener);
        let uris = BTreeSet::from(["a://1".to_owned()]);
        let listener = hub.listen(Wants { tools: true, uris, ..Wants::default() });
        assert_eq!(next(&listener), None, "what changed before is not told");
        assert_eq!(hub.tell(&Change::Tools), Receipt::Delivered);
        assert_eq!(hub.tell(&Change::Tools), Receipt::Queued);
        assert_eq!(hub.tell(&Change::Prompts), Receipt::NoListener);
        assert_eq!(hub.tell(&Change::resource("a://1")), Receipt::Queued);
        assert_eq!(hub.tell(&Change::resource("a://2")), Receipt::NoListener);
        assert_eq!(next(&listener), Some(Change::Tools));
        assert_eq!(next(&listener), Some(Change::resource("a://1")));
        assert_eq!(next(&listener), None);
        listener.subscribe("a://2");
        listener.unsubscribe("a://1");
        assert_eq!(hub.tell(&Change::resource("a://2")), Receipt::Delivered);
        assert_eq!(hub.tell(&Change::resource("a://1")), Receipt::NoListener);
        drop(listener);
        assert_eq!(hub.tell(&Change::Tools), Receipt::NoListener);
        assert!(lock(&hub.state).by_number.is_empty());
    }

    #[test]
    fn a_listener_is_told_of_so_many_resources_and_no_more() {
        let listener = Arc::new(Hub::default()).listen(Wants::default());
        assert!((0..MOST_URIS).all(|number| listener.subscribe(&format!("a://{number}"))));
        assert!(!listener.subscribe("a://more"));
        assert!(listener.subscribe("a://7"), "that one it is told of already");
    }
}
