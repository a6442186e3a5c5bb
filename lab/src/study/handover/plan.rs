//! What a round with a host that dies is made of, and what happened in it.

use serde::Serialize;

use crate::sim::network::NetworkConfig;

/// What a round is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The path of every client to each host, with seeds of their own.
    pub network: NetworkConfig,
    /// How many clients there are.
    pub clients: usize,
    /// How many of them lie to the new host, all the same way, and how many lies it is told to tolerate.
    pub liars: usize,
    /// By how much they lie (ms).
    pub lie_ms: f64,
    /// The new host was a client itself.
    pub is_player: bool,
    /// The last client never answers the new host.
    pub is_one_silent: bool,
}

/// What happened in a round. Times in ms.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Round {
    /// Its seed.
    pub seed: u64,
    /// What the new host states, and how far its clock was really off the old one's.
    pub dispersion_ms: f64,
    /// See [`dispersion_ms`](Self::dispersion_ms).
    pub error_ms: f64,
    /// Who answered, and who agrees.
    pub answers: u32,
    /// See [`answers`](Self::answers).
    pub agreeing: u32,
    /// From the death of the old host to the first reply of the new one, and to the last client that went on.
    pub adopted_ms: f64,
    /// See [`adopted_ms`](Self::adopted_ms).
    pub gone_on_ms: f64,
    /// Clients that went on, and that began anew.
    pub gone_on: u32,
    /// See [`gone_on`](Self::gone_on).
    pub restarts: u32,
    /// Reads after the death, those outside their bound, and those before an earlier one in the same epoch.
    pub reads: u64,
    /// See [`reads`](Self::reads).
    pub outside: u64,
    /// See [`reads`](Self::reads).
    pub backwards: u64,
    /// Error of what clients show: in 99 of 100 reads, once settled on the new host; and the largest since the death.
    pub p99_ms: f64,
    /// See [`p99_ms`](Self::p99_ms).
    pub worst_ms: f64,
    /// Why the new host could not take over, at last.
    pub refused: Option<String>,
}
