//! The plan of a round with a scheduled start, and its results.

use netclock::start::OrganiserConfig;

use netclock_sim::network::NetworkConfig;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The path of each client, each with its own seed. Only the wander of the clock settings is used.
    pub network: NetworkConfig,
    pub clients: usize,
    /// The organiser's settings, except its capacity.
    pub organiser: OrganiserConfig,
    /// Time of the first proposal (s).
    pub settle_s: f64,
    /// The first client is silent, the first start is cancelled, and another client joins after the start.
    pub rough: bool,
}

/// The results of a round. Times are in ms.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub seed: u64,
    /// Participants that were ready when the start was scheduled.
    pub counted: u32,
    /// Time from the successful proposal to the start.
    pub lead_ms: f64,
    /// Time from the first proposal to the successful one.
    pub held_up_ms: f64,
    /// The last participant that delayed the start, and the reason.
    pub held_up_by: Option<(u64, String)>,
    /// Time from the first to the last true start of a participant.
    pub spread_ms: f64,
    /// The same without frames, which leaves the differences between the clocks.
    pub clocks_ms: f64,
    /// The spread that the server computes from the reports.
    pub reported_ms: f64,
    /// Participants that learned about the start only after its time.
    pub heard_late: u32,
    /// The lateness reported by the client that joined late.
    pub joined_ms: Option<f64>,
    /// For each client and each change in UTC, the time until a frame of that client used the change.
    pub utc_ms: Vec<f32>,
    pub faults: Vec<String>,
}
