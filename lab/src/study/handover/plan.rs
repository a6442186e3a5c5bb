//! The plan of a round in which the host dies, and its results.

use netclock_sim::network::NetworkConfig;

/// What a round consists of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The path of each client to each host; each path has its own seed.
    pub network: NetworkConfig,
    /// Number of clients.
    pub clients: usize,
    /// Number of clients that tell the new host the same lie. The host is configured to tolerate this number.
    pub liars: usize,
    /// The lie: claimed minus true time (ms).
    pub lie_ms: f64,
    /// The new host was a client before.
    pub is_player: bool,
    /// The last client never answers the new host.
    pub is_one_silent: bool,
}

/// The results of a round. Times in ms.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Its seed.
    pub seed: u64,
    /// The dispersion that the new host states.
    pub dispersion_ms: f64,
    /// The true difference of the new host's clock from the old host's, at the adoption.
    pub error_ms: f64,
    /// Clients that answered the new host.
    pub answers: u32,
    /// Answers that agree.
    pub agreeing: u32,
    /// From the death of the old host to the adoption.
    pub adopted_ms: f64,
    /// Clients that continued without a step.
    pub continued: u32,
    /// Clients that started over.
    pub restarts: u32,
    /// Reads after the death.
    pub reads: u64,
    /// Reads outside their bound.
    pub outside: u64,
    /// Reads that showed less than the read before, in the same epoch.
    pub backwards: u64,
    /// 99th percentile of the error of the shown time, after the clients have settled on the new host.
    pub p99_ms: f64,
    /// Largest error of the shown time since the death.
    pub worst_ms: f64,
    /// Why the new host could not adopt the timescale, if it never did.
    pub refused: Option<String>,
}
