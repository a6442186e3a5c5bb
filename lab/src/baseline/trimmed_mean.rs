//! Latency = mean of the half round trips within one standard deviation of their median, over the last 16;
//! offset = S + latency - t3 of the newest exchange.
//! Source: P. Marquez, two clients synchronised through the game server.

use super::rule::{Pace, Rule, Stamps, Terms};
use super::window::{Window, mean, middle, sorted};

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
        // With an even number nothing may lie within the deviation of the median between the middle two.
        let latency = mean(&kept).unwrap_or(centre);
        self.offset = Some(x.t1 + latency - x.t3);
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::{exchange, offset_ms};
    use super::*;

    #[test]
    fn outliers_are_left_out() {
        let mut rule = TrimmedMean::default();
        // Halves 200, 20, 22, 24 ms: median 23, deviation 89; the first is left out, the mean is 22.
        for (forward_ms, reverse_ms) in [(200.0, 200.0), (20.0, 20.0), (22.0, 22.0), (24.0, 24.0)] {
            rule.take(&exchange(0.0, forward_ms, reverse_ms, 0.0));
        }
        assert_eq!(offset_ms(&mut rule, 0.0), -2.0);
    }
}
