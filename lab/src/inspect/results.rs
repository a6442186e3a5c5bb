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
    pub(crate) changes: Vec<LatencyChange>,
    /// Pauses of the program.
    pub(crate) pauses: Vec<Pause>,
}

/// A pause of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    /// The last time before, and the first after.
    pub(crate) before: LocalTime,
    pub(crate) after: LocalTime,
    /// The program itself noted it. Otherwise the network may have let nothing through.
    pub(crate) is_noted: bool,
}
