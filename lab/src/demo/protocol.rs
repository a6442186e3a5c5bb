//! The messages between a demo client and its parent: one JSON object per line.

use serde::{Deserialize, Serialize};

use crate::baseline::RIVALS;
use crate::net::sync::client::Traffic;
use crate::net::sync::events::Described;

/// One judged read of a client's clock. Times in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Read {
    /// The machine time.
    pub(crate) at: i64,
    /// Shown minus true server time, positive if the shown time is ahead.
    pub(crate) error: i64,
    /// The promised bound of this read; `i64::MAX` if there is none.
    pub(crate) bound: i64,
    /// The expected error: one standard deviation.
    pub(crate) expected: i64,
    /// Like `error`, for each of the [`RIVALS`]; `None` if it shows nothing.
    pub(crate) rivals: [Option<i64>; RIVALS.len()],
    /// The read of the world's clock, if there was one.
    pub(crate) world: Option<WorldRead>,
}

/// One judged read of the world's clock. Times in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorldRead {
    /// Shown minus true world time.
    pub(crate) error: i64,
    /// The certain bound; `i64::MAX` if there is none.
    pub(crate) bound: i64,
}

/// Counters of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Reads without a server time.
    pub(crate) unsynced: u64,
    /// Reads that were judged.
    pub(crate) judged: u64,
    /// Judged reads without a bound.
    pub(crate) unpromised: u64,
    /// Judged reads outside their bound.
    pub(crate) outside: u64,
    /// Judged reads that showed less than the read before, within an epoch.
    pub(crate) backwards: u64,
    /// Reads whose server epoch has no known clock yet.
    pub(crate) waiting: u64,
    /// Reads of the world's clock that were judged.
    pub(crate) world_judged: u64,
    /// Judged reads of the world without a certain bound.
    pub(crate) world_unpromised: u64,
    /// Judged reads of the world outside their certain bound.
    pub(crate) world_outside: u64,
    /// Judged reads of the world that showed less than the read before, within an epoch of the timeline.
    pub(crate) world_backwards: u64,
    /// Reads of the server's UTC that were judged.
    pub(crate) utc_judged: u64,
    /// Judged reads of UTC outside their bound.
    pub(crate) utc_outside: u64,
}

/// The state of a client, for the live table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) round_trip_ms: f64,
    pub(crate) ppm: f64,
    pub(crate) state: String,
    pub(crate) utc: Option<UtcStatus>,
}

/// The last read of the server's UTC. Times in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UtcStatus {
    /// Since 1970.
    pub(crate) utc: i64,
    /// The promised bound; `i64::MAX` if there is none.
    pub(crate) bound: i64,
}

/// From a client to its parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Report {
    /// Several times a second.
    Reads { reads: Vec<Read>, tally: Box<Tally>, status: Status, traffic: Traffic },
    /// The clock had an event at this machine time (ticks).
    Event { at: i64, described: Described },
    /// A clock showed the beginning of a beat at this machine time (ticks). NetClock's number is 0, and the
    /// [`RIVALS`] follow.
    Beat { clock: usize, at: i64, number: i64 },
    /// The last line.
    End,
}

/// From the parent to a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Order {
    /// The first order: follow the server with this key, a line from a key file.
    Key { key: String },
    /// The clock of the server of this epoch showed zero at this machine time (ticks). Its world follows this
    /// script.
    Truth { epoch: u64, start_ticks: i64, world: String },
    /// No script changes before this machine time (ticks).
    Settled { until: i64 },
    /// Do nothing for a while, for systems that cannot stop a process from outside.
    Sleep { millis: u64 },
    /// Send the rest, then end.
    End,
}
