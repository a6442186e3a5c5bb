//! What a round of a scheduled start is made of, and what happened in it.

use netclock::start::OrganiserConfig;
use serde::Serialize;

use crate::sim::network::NetworkConfig;

/// What a round is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The path of every client, with a seed of its own each; of the crystals only the wander counts.
    pub network: NetworkConfig,
    /// How many clients there are.
    pub clients: usize,
    /// Frames per second of the clients and of the server.
    pub fps: f64,
    /// The start is proposed from here on (s).
    pub settle_s: f64,
    /// At this confidence.
    pub confidence: f64,
    /// The organiser's settings; the capacity is made to fit.
    pub organiser: OrganiserConfig,
    /// The first client never says a word, the first start is cancelled, and another client joins after the start.
    pub rough: bool,
}

/// What happened in a round. Times in ms.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Round {
    /// Its seed.
    pub seed: u64,
    /// Participants that were ready when the start was scheduled.
    pub counted: u32,
    /// From the proposal that succeeded to the start.
    pub lead_ms: f64,
    /// How long after the first proposal that was.
    pub held_up_ms: f64,
    /// Who held it up in the end, and why.
    pub held_up_by: Option<(u64, String)>,
    /// From the first to the last true moment at which one of them started.
    pub spread_ms: f64,
    /// The same if frames took no time: what the clocks differ by.
    pub clocks_ms: f64,
    /// As the server reads it from what they say.
    pub reported_ms: f64,
    /// Those who heard of it when its time had passed.
    pub told_late: u32,
    /// How late the late joiner says it is.
    pub joined_ms: Option<f64>,
    /// What should not have happened.
    pub faults: Vec<String>,
}
