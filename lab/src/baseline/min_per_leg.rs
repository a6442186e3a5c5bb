//! The smallest delay of each direction over 10 s: offset = (min(t1 - t0) - min(t3 - t2)) / 2.
//! Source: catid's TimeSync.

use std::collections::VecDeque;

use super::rule::{Pace, Rule, Stamps, Terms};

/// Length of the window (s).
const WINDOW_S: f64 = 10.0;

/// The state: the exchanges of the window.
#[derive(Default)]
pub(super) struct MinPerLeg(VecDeque<Stamps>);

impl Rule for MinPerLeg {
    fn terms(&self) -> Terms {
        Terms::four_stamps("min_per_leg", Pace::each(0.1))
    }

    fn take(&mut self, x: &Stamps) {
        // Only a newer exchange removes old ones.
        while self.0.front().is_some_and(|oldest| oldest.t3 < x.t3 - WINDOW_S) {
            self.0.pop_front();
        }
        self.0.push_back(*x);
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        let forward = self.0.iter().map(|x| x.t1 - x.t0).reduce(f64::min)?;
        let reverse = self.0.iter().map(|x| x.t3 - x.t2).reduce(f64::min)?;
        Some((forward - reverse) / 2.0)
    }
}
