//! The best possible accuracy of a clock that knows the rate. The oracle receives the same exchanges, never
//! discards one, and knows everything about the two clocks except their offset.
//!
//! Without drift, each exchange proves that the offset is between theta - r and theta + f, where f and r are
//! its true delays. The best estimate is the midpoint between the tightest bounds. The error of this midpoint
//! is (min f - min r) / 2. On a path with changing delays, no clock that has to learn the rate comes close to
//! this error.

use super::anchored::FOUR_STAMPS;
use netclock_sim::{Clocks, Estimator, Exchange, Wire};

pub const ORACLE: &str = "oracle";

pub(super) struct Oracle {
    clocks: Clocks,
    forward: f64,
    reverse: f64,
}

impl Oracle {
    pub(super) fn new(clocks: Clocks) -> Self {
        Self { clocks, forward: f64::INFINITY, reverse: f64::INFINITY }
    }
}

impl Estimator for Oracle {
    fn on_exchange(&mut self, x: &Exchange) {
        let forward = self.clocks.since_start(x.t1) - self.clocks.server_when_client(x.t0);
        let reverse = self.clocks.server_when_client(x.t3) - self.clocks.since_start(x.t2);
        self.forward = self.forward.min(forward);
        self.reverse = self.reverse.min(reverse);
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        let error = (self.forward - self.reverse) / 2.0;
        error.is_finite().then(|| self.clocks.stamp(self.clocks.server_when_client(local) + error))
    }

    fn wire(&self) -> Wire {
        FOUR_STAMPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netclock_sim::ClockConfig;

    #[test]
    fn error_is_half_the_difference_of_the_smallest_delays() {
        let clocks = Clocks::new(&ClockConfig { drift_ppm: 80.0, ..Default::default() }, 100.0, 1);
        let mut oracle = Oracle::new(clocks.clone());
        for (sent_s, forward_s, reverse_s) in [(1.0, 0.030, 0.090), (50.0, 0.080, 0.020)] {
            let (received, arrived_s) = (clocks.server(sent_s + forward_s), sent_s + forward_s + reverse_s);
            let times = [clocks.client(sent_s), received, received, clocks.client(arrived_s)];
            oracle.on_exchange(&Exchange::of_stamps(0, times));
        }
        let shown = oracle.shown(clocks.client(90.0)).unwrap();
        assert!((clocks.error(shown, 90.0) - 50_000.0).abs() <= 2.0, "5 ms ahead");
    }
}
