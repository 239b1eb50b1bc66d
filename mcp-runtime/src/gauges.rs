//! How much a server has going on at this moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much a server has going on at this moment, by [`Handle::gauges`](crate::mcp::Handle::gauges). Each reads 0 where
/// nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gauges {
    /// Handlers at work, those of notifications included.
    pub handlers: usize,
    /// Streams of events that a client reads, or could, over HTTP.
    pub streams: usize,
    /// `subscriptions/listen` of modern clients.
    pub listens: usize,
    /// Resources that handshake clients have subscribed to.
    pub subscriptions: usize,
    /// Requests of the server's own that no handshake client has answered yet. Modern clients are asked by answers, of
    /// which nothing is kept.
    pub asks: usize,
    /// Sessions of handshake clients over HTTP.
    pub sessions: usize,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gauge {
    Handlers,
    Streams,
    Listens,
    Subscriptions,
    Asks,
    Sessions,
}

/// The counts of one server.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    handlers: AtomicUsize,
    streams: AtomicUsize,
    listens: AtomicUsize,
    subscriptions: AtomicUsize,
    asks: AtomicUsize,
    sessions: AtomicUsize,
}

impl Meter {
    /// Counts one more, until it is dropped.
    pub(crate) fn count(self: &Arc<Self>, gauge: Gauge) -> Counted {
        self.of(gauge).fetch_add(1, Ordering::AcqRel);
        Counted { meter: Arc::clone(self), gauge }
    }

    /// The same where there are not as many as there may be.
    pub(crate) fn count_up_to(self: &Arc<Self>, most: usize, gauge: Gauge) -> Option<Counted> {
        self.take(most, gauge).then(|| Counted { meter: Arc::clone(self), gauge })
    }

    /// Counts one more where there are not as many as there may be; whoever was counted is given back.
    pub(crate) fn take(&self, most: usize, gauge: Gauge) -> bool {
        let takes = self.of(gauge).fetch_add(1, Ordering::AcqRel) < most;
        if !takes {
            self.give_back(gauge);
        }
        takes
    }

    /// Counts one less.
    pub(crate) fn give_back(&self, gauge: Gauge) {
        self.of(gauge).fetch_sub(1, Ordering::AcqRel);
    }

    pub(crate) fn read(&self) -> Gauges {
        let read = |gauge| self.of(gauge).load(Ordering::Acquire);
        Gauges {
            handlers: read(Gauge::Handlers),
            streams: read(Gauge::Streams),
            listens: read(Gauge::Listens),
            subscriptions: read(Gauge::Subscriptions),
            asks: read(Gauge::Asks),
            sessions: read(Gauge::Sessions),
        }
    }

    fn of(&self, gauge: Gauge) -> &AtomicUsize {
        match gauge {
            Gauge::Handlers => &self.handlers,
            Gauge::Streams => &self.streams,
            Gauge::Listens => &self.listens,
            Gauge::Subscriptions => &self.subscriptions,
            Gauge::Asks => &self.asks,
            Gauge::Sessions => &self.sessions,
        }
    }
}

/// One of what is counted.
#[derive(Debug)]
pub(crate) struct Counted {
    meter: Arc<Meter>,
    gauge: Gauge,
}

impl Counted {
    /// Whose count it is one of.
    pub(crate) fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.meter.give_back(self.gauge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_is_not_counted() {
        let meter = Arc::new(Meter::default());
        let first = meter.count_up_to(1, Gauge::Asks);
        assert!(first.is_some());
        assert!(meter.count_up_to(1, Gauge::Asks).is_none());
        let stream = meter.count(Gauge::Streams);
        assert_eq!(meter.read(), Gauges { asks: 1, streams: 1, ..Gauges::default() });
        drop((first, stream));
        assert_eq!(meter.read(), Gauges::default());
    }
}
