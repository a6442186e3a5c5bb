//! Tracks what a client can know about a change of the clocks.

use netclock::{Config, Exchange};

use super::Change;

/// Rounding error in ticks. Both clocks are read twice, and each reading may be up to a tick late.
pub(super) const TICKS: f64 = 4.0;

/// Limits on the slew rate that the client assumes (ppm, see `netclock::Degradation::Slewed`).
const LIMITS_PPM: [f64; 3] = [0.0, 550.0, 5_500.0];

pub(super) struct Knowledge {
    /// Maximum change in the clock offset per tick, with the highest slew limit that the change exceeds.
    limit: f64,
    /// Replies from one server epoch since the last gap in the local clock.
    replies: Vec<Exchange>,
    pub(super) epoch: u64,
    pub(super) contradictions: u32,
    pub(super) contradicted: u64,
}

impl Knowledge {
    pub(super) fn of(change: Change, config: &Config) -> Self {
        let [client, server] = [config.client_drift_ppm, config.server_drift_ppm].map(|ppm| ppm * 1e-6);
        let ppm: f64 = if let Change::Slew(_, ppm, _) = change { ppm } else { 0.0 };
        let below = LIMITS_PPM.into_iter().rfind(|limit| *limit < ppm.abs()).unwrap_or(0.0) * 1e-6;
        let limit = (client + server + below) / (1.0 - client - below);
        Knowledge { limit, replies: Vec::new(), epoch: 0, contradictions: 0, contradicted: 0 }
    }

    pub(super) fn forget(&mut self, epoch: u64) {
        self.replies.clear();
        self.epoch = epoch;
    }

    pub(super) fn learn(&mut self, reply: Exchange) {
        let beyond = |upper: &Exchange, lower: &Exchange| {
            let highest = upper.server_received.ticks() - upper.client_sent.ticks();
            let lowest = lower.server_sent.ticks() - lower.client_received.ticks();
            let age = (upper.client_sent - lower.client_received).abs().ticks() as f64;
            (lowest - highest) as f64 > self.limit * age + TICKS
        };
        let contradicts = self.replies.iter().any(|other| beyond(other, &reply) || beyond(&reply, other));
        if contradicts {
            self.contradicted = if self.contradictions == 0 { self.epoch } else { self.contradicted };
            self.contradictions += 1;
        }
        self.replies.push(reply);
    }
}
