//! What a new client made of the exchanges of a session.

use netclock::latency::LatencyChange;
use netclock::{Event, LocalTime, Reading};
use serde::Serialize;

/// An exchange whose result differs from the recorded one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Difference {
    pub(crate) line: usize,
    pub(crate) recorded: &'static str,
    pub(crate) now: &'static str,
}

/// What the clock shows at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The index of the newest exchange, in the recording.
    pub(crate) index: usize,
    pub(crate) local: LocalTime,
    pub(crate) reading: Reading,
    /// An exchange was accepted just before.
    pub(crate) is_exchange: bool,
}

/// An event of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happened {
    /// The index of the newest exchange, in the recording.
    pub(crate) index: usize,
    /// The time of the call that reported it.
    pub(crate) local: LocalTime,
    pub(crate) event: Event,
}

/// The results of a session.
#[derive(Debug, Default)]
pub(crate) struct Rerun {
    pub(crate) accepted: usize,
    /// Answers to unknown requests. They say nothing about the clocks and cannot be repeated.
    pub(crate) left_out: usize,
    /// Exchanges whose results differ from the recorded ones, and the first of them.
    pub(crate) differing: usize,
    pub(crate) differences: Vec<Difference>,
    pub(crate) moments: Vec<Moment>,
    pub(crate) events: Vec<Happened>,
    /// Lasting changes of the delay of one direction.
    pub(crate) changes: Vec<Changed>,
    /// Pauses of the program.
    pub(crate) pauses: Vec<Pause>,
}

impl Rerun {
    /// Takes what is new in `other`.
    pub(crate) fn take_in(&mut self, other: &mut Rerun) {
        self.accepted += std::mem::take(&mut other.accepted);
        self.left_out += std::mem::take(&mut other.left_out);
        self.differing += std::mem::take(&mut other.differing);
        self.differences.append(&mut other.differences);
        self.moments.append(&mut other.moments);
        self.events.append(&mut other.events);
        self.changes.append(&mut other.changes);
        self.pauses.append(&mut other.pauses);
    }

    /// A copy of what is about this exchange and later ones. It counts none of them.
    pub(crate) fn from(&self, index: usize) -> Rerun {
        Rerun {
            moments: self.moments.iter().filter(|it| it.index >= index).copied().collect(),
            events: self.events.iter().filter(|it| it.index >= index).copied().collect(),
            changes: self.changes.iter().filter(|it| it.index >= index).copied().collect(),
            pauses: self.pauses.iter().filter(|it| it.index >= index).copied().collect(),
            ..Rerun::default()
        }
    }

    /// Lets indices count from this exchange.
    pub(crate) fn count_from(&mut self, index: usize) {
        let moments = self.moments.iter_mut().map(|it| &mut it.index);
        let events = self.events.iter_mut().map(|it| &mut it.index);
        let changes = self.changes.iter_mut().map(|it| &mut it.index);
        let pauses = self.pauses.iter_mut().map(|it| &mut it.index);
        moments.chain(events).chain(changes).chain(pauses).for_each(|it| *it -= index);
    }
}

/// A lasting change of the delay of one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    /// The index of the exchange that showed it, in the recording.
    pub(crate) index: usize,
    pub(crate) change: LatencyChange,
}

/// A pause of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    /// The index of the first exchange after it, in the recording.
    pub(crate) index: usize,
    /// The last time before, and the first after.
    pub(crate) before: LocalTime,
    pub(crate) after: LocalTime,
}
