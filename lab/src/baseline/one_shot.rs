//! One exchange when the player joins, never another: offset = S + (t3 - t0) / 2 - t3.
//! Source: J. Sutphin's synchronised clock for Unreal, 2018.

use super::rule::{Pace, Rule, Stamps, Terms};

/// The state: the offset (s).
#[derive(Default)]
pub(super) struct OneShot(Option<f64>);

impl Rule for OneShot {
    fn terms(&self) -> Terms {
        Terms::two_stamps("one_shot", Pace::each(f64::INFINITY))
    }

    fn take(&mut self, x: &Stamps) {
        self.0.get_or_insert(x.t1 + x.delta() / 2.0 - x.t3);
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.0
    }
}
