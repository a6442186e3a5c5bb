//! Plan of a round with a scheduled start, and its results.

use netclock::start::OrganiserConfig;

use netclock_sim::network::NetworkConfig;

#[derive(Clone, Debug)]
pub struct RoundPlan {
    /// Path of each client, with its own seed. Of the clock settings, only the wander is used.
    pub network: NetworkConfig,
    pub clients: usize,
    /// Settings of the organiser. The capacity is ignored.
    pub organiser: OrganiserConfig,
    /// Time of the first proposal (s).
    pub settle_s: f64,
    /// True if the first client is silent, the first start is cancelled, and a client joins after the start.
    pub rough: bool,
}

/// Results of a round. Times are in ms.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub seed: u64,
    /// Number of participants that were ready when the start was scheduled.
    pub counted: u32,
    /// Time from the successful proposal to the start.
    pub lead_ms: f64,
    /// Time from the first proposal to the successful one.
    pub held_up_ms: f64,
    /// The last participant that delayed the start, and the reason.
    pub held_up_by: Option<(u64, String)>,
    /// Time between the first and the last true start of a participant.
    pub spread_ms: f64,
    /// Same without frames, which leaves the differences between the clocks.
    pub clocks_ms: f64,
    /// Spread that the server computes from the reports.
    pub reported_ms: f64,
    /// Number of participants that received the start after its time.
    pub heard_late: u32,
    /// Lateness reported by the client that joined late.
    pub joined_ms: Option<f64>,
    /// Time until a frame of a client used a change in UTC, for each client and change.
    pub utc_ms: Vec<f32>,
    pub faults: Vec<String>,
}
