//! What a demo client and its parent tell each other: one JSON object per line.

use serde::{Deserialize, Serialize};

use crate::game::follower::Traffic as News;
use crate::net::sync::client::Traffic;
use crate::net::sync::events::Told;

/// One judged read of a client's clock. Times in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Read {
    /// When, by the machine's clock.
    #[serde(rename = "t")]
    pub(crate) at: i64,
    /// Shown server time minus true server time: positive if the clock shows too late a time.
    #[serde(rename = "e")]
    pub(crate) error: i64,
    /// The bound that the clock promised for this read; `i64::MAX` if it promised none.
    #[serde(rename = "b")]
    pub(crate) bound: i64,
    /// One standard deviation, as the clock expected it.
    #[serde(rename = "x")]
    pub(crate) expected: i64,
    /// The same read of the world's clock, if it was known.
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    pub(crate) world: Option<WorldRead>,
}

/// One judged read of the world's clock. Times in ticks of 100 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorldRead {
    /// Shown minus true world time.
    #[serde(rename = "e")]
    pub(crate) error: i64,
    /// The bound that was promised whatever happened; `i64::MAX` if none was.
    #[serde(rename = "b")]
    pub(crate) bound: i64,
    /// The bound that was promised if nothing has changed.
    #[serde(rename = "u")]
    pub(crate) if_unchanged: i64,
}

/// What a client has counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Reads before there was a server time.
    pub(crate) unsynced: u64,
    /// Reads that were judged.
    pub(crate) judged: u64,
    /// Of those, reads for which the clock promised no bound.
    pub(crate) unpromised: u64,
    /// Of those, reads whose error exceeded the bound.
    pub(crate) outside: u64,
    /// Of those, reads earlier than the read before, within one epoch of the client.
    pub(crate) backwards: u64,
    /// Reads of a server epoch whose truth is not known yet.
    pub(crate) waiting: u64,
    /// Reads of the world's clock that were judged.
    pub(crate) world_judged: u64,
    /// Of those, reads for which no certain bound was promised.
    pub(crate) world_unpromised: u64,
    /// Of those, reads whose error exceeded the certain bound.
    pub(crate) world_outside: u64,
    /// Of those, reads earlier than the read before, within one epoch of the timeline.
    pub(crate) world_backwards: u64,
}

/// How a client is doing, for the live table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) round_trip_ms: f64,
    pub(crate) ppm: f64,
    pub(crate) state: String,
}

/// From a client to its parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Report {
    /// Several times a second.
    Reads { reads: Vec<Read>, tally: Tally, status: Status, traffic: Traffic, news: News },
    /// The clock says that something happened, at this machine time (ticks).
    Event { at: i64, told: Told },
    /// The last line.
    End,
}

/// From the parent to a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Order {
    /// The server of this epoch read zero at this machine time (ticks); its world goes by this script.
    Truth { epoch: u64, start_ticks: i64, world: String },
    /// Do nothing for a while, where a process cannot be stopped from outside.
    Sleep { millis: u64 },
    /// Send what is left, then end.
    End,
}
