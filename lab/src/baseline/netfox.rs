//! A reference clock that each sample moves by an eighth of the mean offset of the last 8. Samples are in
//! reference time; they do not change when the clock moves. The weight of a sample is ln(1 + round trip), so
//! long trips weigh more. Source: netfox, multiplayer addons for Godot.

use super::rule::{Pace, Rule, Stamps, Terms};
use super::window::Window;

/// Each sample corrects this part of the offset.
const STEPS: f64 = 8.0;
/// A larger offset sets the clock at once (s).
const PANIC_S: f64 = 2.0;

/// The state: moves of the reference clock as (client time, offset before), its offset (s), and samples as
/// (offset, weight).
#[derive(Default)]
pub(super) struct Netfox {
    nudges: Window<(f64, f64), 64>,
    offset: Option<f64>,
    samples: Window<(f64, f64), 8>,
}

impl Netfox {
    /// The offset of the reference clock at an earlier time.
    fn offset_then(&self, t: f64, now: f64) -> f64 {
        // A move is recorded with the offset before it.
        self.nudges.iter().find(|nudge| nudge.0 > t).map_or(now, |nudge| nudge.1)
    }

    fn adjust(&mut self, by: f64, offset: f64, now: f64) {
        self.nudges.push((now, offset));
        self.offset = Some(offset + by);
    }
}

impl Rule for Netfox {
    fn terms(&self) -> Terms {
        Terms::four_stamps("netfox", Pace::each(0.25))
    }

    fn take(&mut self, x: &Stamps) {
        let Some(current) = self.offset else {
            self.adjust(x.middle(), 0.0, x.t3);
            return;
        };
        let sent = x.t0 + self.offset_then(x.t0, current);
        let received = x.t3 + current;
        let offset = ((x.t1 - sent) + (x.t2 - received)) / 2.0;
        self.samples.push((offset, (1.0 + (received - sent)).ln()));
        let (sum, weights) = self
            .samples
            .iter()
            .fold((0.0, 0.0), |(sum, weights), (offset, weight)| (sum + offset * weight, weights + weight));
        let mean = if weights > 0.0 { sum / weights } else { 0.0 };
        if mean.abs() > PANIC_S {
            self.samples.clear();
            self.adjust(mean, current, x.t3);
        } else {
            self.adjust(mean / STEPS, current, x.t3);
        }
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::exchange;
    use super::*;

    #[test]
    fn stamps_keep_the_reference_of_their_time() {
        let mut rule = Netfox::default();
        rule.take(&exchange(0.0, 20.0, 20.0, 0.0));
        let late = exchange(1.0, 20.0, 20.0, 8.0);
        rule.take(&exchange(1.0, 10.0, 10.0, 8.0));
        // Sent with the reference at 0 ms, received with it at 1 ms: 8 - 0.5 = 7.5.
        rule.take(&late);
        let newest = rule.samples.iter().last().map(|sample| sample.0).unwrap();
        assert!((newest - 0.0075).abs() < 1e-12, "{newest}");
    }
}
