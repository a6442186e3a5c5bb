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

#[cfg(test)]
mod tests {
    use super::super::rule::testing::{exchange, offset_ms};
    use super::*;

    #[test]
    fn keeps_the_first() {
        let mut rule = OneShot::default();
        rule.take(&exchange(0.0, 30.0, 20.0, 100.0));
        rule.take(&exchange(1.0, 20.0, 20.0, 100.0));
        assert_eq!(offset_ms(&mut rule, 2.0), 105.0);
    }
}
