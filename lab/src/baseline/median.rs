//! Median of the offset ((t1 - t0) + (t2 - t3)) / 2 over the last 16 exchanges.
//! Source: clock offset derivation for lockstep starts.

use super::rule::{Pace, Rule, Stamps, Terms};
use super::window::{Window, middle};
use netclock_sim::measure::figures::sorted;

/// The state: the last offsets and their median (s).
#[derive(Default)]
pub(super) struct Median {
    offsets: Window<f64, 16>,
    median: Option<f64>,
}

impl Rule for Median {
    fn terms(&self) -> Terms {
        Terms::four_stamps("median", Pace::each(1.0))
    }

    fn take(&mut self, x: &Stamps) {
        self.offsets.push(x.middle());
        self.median = middle(&sorted(self.offsets.iter().copied()));
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.median
    }
}
