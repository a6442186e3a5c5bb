use netclock::start::StartConfig;

use netclock_sim::network::NetworkConfig;

#[derive(Clone, Debug)]
pub struct RoundPlan {
    /// The path of every client. Its clock settings are ignored, except for the wander.
    pub network: NetworkConfig,
    pub clients: usize,
    /// The organiser's capacity is ignored.
    pub organiser: StartConfig,
    pub settle_s: f64,
    /// The first client is silent, the first start is cancelled, and a client joins after the start.
    pub rough: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Round {
    pub seed: u64,
    pub counted: u32,
    pub lead_ms: f64,
    pub held_up_ms: f64,
    pub held_up_by: Option<(u64, String)>,
    /// The time from the first participant's true start to the last participant's.
    pub spread_ms: f64,
    pub clocks_ms: f64,
    pub reported_ms: f64,
    pub heard_late: u32,
    pub joined_ms: Option<f64>,
    /// For each client and each change of UTC, the time until a frame used the new UTC.
    pub utc_ms: Vec<f32>,
    pub faults: Vec<String>,
}
