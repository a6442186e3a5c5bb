//! Median of the offset ((t1 - t0) + (t2 - t3)) / 2 over the last 16 exchanges.
//! Source: clock offset derivation for lockstep starts.

use super::anchored::FOUR_STAMPS;
use super::window::{Window, middle, sorted};
use super::{Pace, Rule, Stamps};
use crate::measure::estimator::Wire;

/// The state: the last offsets and their median (s).
#[derive(Default)]
pub(super) struct Median {
    offsets: Window<f64, 16>,
    median: Option<f64>,
}

impl Rule for Median {
    fn name(&self) -> &'static str {
        "median"
    }

    fn take(&mut self, x: &Stamps) {
        self.offsets.push(x.middle());
        self.median = middle(&sorted(self.offsets.iter().copied()));
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.median
    }

    fn pace(&self) -> Pace {
        Pace::each(1.0)
    }

    fn wire(&self) -> Wire {
        FOUR_STAMPS
    }
}

#[cfg(test)]
mod tests {
    use super::super::anchored::testing::{exchange, offset_ms};
    use super::*;

    #[test]
    fn middle_of_three() {
        let mut rule = Median::default();
        for forward_ms in [20.0, 90.0, 24.0] {
            rule.take(&exchange(0.0, forward_ms, 20.0, 0.0));
        }
        assert_eq!(offset_ms(&mut rule, 0.0), 2.0);
    }
}
