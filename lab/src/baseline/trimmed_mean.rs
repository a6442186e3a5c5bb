//! Latency = mean of the half round trips within one standard deviation of their median, over the last 16;
//! offset = S + latency - t3 of the newest exchange.
//! Source: P. Marquez, two clients synchronised through the game server.

use super::rule::{Pace, Rule, Stamps, Terms};
use super::window::{Window, mean, middle};
use netclock_sim::measure::figures::sorted;

/// The state: half round trips and the offset (s).
#[derive(Default)]
pub(super) struct TrimmedMean {
    halves: Window<f64, 16>,
    offset: Option<f64>,
}

impl Rule for TrimmedMean {
    fn terms(&self) -> Terms {
        Terms::two_stamps("trimmed_mean", Pace { count: 16, gap_s: 0.020, every_s: f64::INFINITY })
    }

    fn take(&mut self, x: &Stamps) {
        self.halves.push(x.delta() / 2.0);
        let halves = sorted(self.halves.iter().copied());
        let (Some(centre), Some(average)) = (middle(&halves), mean(&halves)) else { return };
        let squares: f64 = halves.iter().map(|half| (half - average).powi(2)).sum();
        let deviation = (squares / (halves.len() as f64 - 1.0).max(1.0)).sqrt();
        let kept: Vec<f64> =
            halves.iter().copied().filter(|half| (half - centre).abs() <= deviation).collect();
        // With an even number, the median lies between the middle two, and none may be within the deviation
        // of it.
        let latency = mean(&kept).unwrap_or(centre);
        self.offset = Some(x.t1 + latency - x.t3);
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.offset
    }
}
