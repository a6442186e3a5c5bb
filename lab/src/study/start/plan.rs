use netclock::start::OrganiserConfig;

use netclock_sim::network::NetworkConfig;

#[derive(Clone, Debug)]
pub struct RoundPlan {
    /// Each client's path, with its own seed. The only clock setting used is the wander.
    pub network: NetworkConfig,
    pub clients: usize,
    /// The organiser's settings, except for the capacity, which is ignored.
    pub organiser: OrganiserConfig,
    /// When the first start is proposed (s).
    pub settle_s: f64,
    /// Whether the first client is silent, the first start is cancelled, and a client joins after the start.
    pub rough: bool,
}

/// A round's results. Times are in ms.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub seed: u64,
    /// How many participants were ready when the start was scheduled.
    pub counted: u32,
    /// Time from the successful proposal to the start.
    pub lead_ms: f64,
    /// Time from the first proposal to the successful one.
    pub held_up_ms: f64,
    /// The last participant that delayed the start, and why.
    pub held_up_by: Option<(u64, String)>,
    /// Time between the first and the last true start of a participant.
    pub spread_ms: f64,
    /// The spread without frame loops, which is the largest difference between the clocks.
    pub clocks_ms: f64,
    /// The spread that the server computes from the reports.
    pub reported_ms: f64,
    /// How many participants received the start after its time.
    pub heard_late: u32,
    /// The lateness that the client who joined late reports.
    pub joined_ms: Option<f64>,
    /// For each client and each change of UTC, the time until one of the client's frames used it.
    pub utc_ms: Vec<f32>,
    pub faults: Vec<String>,
}
