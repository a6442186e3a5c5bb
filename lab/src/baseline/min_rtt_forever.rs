//! The exchange with the smallest round trip since the start wins: offset = S + rtt / 2 - t3, for
//! rtt <= 500 ms; what was shown approaches it by 0.33 s per second.
//! Source: the FServerTimeSynchronizer write-up of a shipped Unreal game.

use super::fade::Fade;
use super::rule::{Pace, Rule, Stamps, Terms};

/// Longer round trips are refused (s).
const LONGEST_TRIP_S: f64 = 0.5;
/// Speed of the approach (s per s).
const APPROACH: f64 = 0.33;

/// The state.
pub(super) struct MinRttForever {
    smallest: f64,
    offset: Option<f64>,
    fade: Fade,
}

impl Default for MinRttForever {
    fn default() -> Self {
        Self { smallest: LONGEST_TRIP_S, offset: None, fade: Fade::new(APPROACH) }
    }
}

impl Rule for MinRttForever {
    fn terms(&self) -> Terms {
        Terms::two_stamps("min_rtt_forever", Pace::each(5.0))
    }

    fn take(&mut self, x: &Stamps) {
        if x.delta() > self.smallest {
            return;
        }
        self.smallest = x.delta();
        let offset = x.t1 + x.delta() / 2.0 - x.t3;
        if let Some(shown) = self.offset(x.t3) {
            self.fade.hide(shown - offset, x.t3);
        }
        self.offset = Some(offset);
    }

    fn offset(&mut self, now: f64) -> Option<f64> {
        Some(self.offset? + self.fade.left(now))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::{exchange, offset_ms};
    use super::*;

    #[test]
    fn only_smaller_trips_count_and_are_approached() {
        let mut rule = MinRttForever::default();
        rule.take(&exchange(0.0, 400.0, 200.0, 0.0));
        assert_eq!(rule.offset(1.0), None, "600 ms are refused");
        rule.take(&exchange(1.0, 30.0, 20.0, 100.0));
        assert_eq!(offset_ms(&mut rule, 1.05), 105.0);
        rule.take(&exchange(2.0, 20.0, 20.0, 100.0));
        assert_eq!(offset_ms(&mut rule, 2.04), 105.0);
        assert_eq!(offset_ms(&mut rule, 2.05), 101.7);
        assert_eq!(offset_ms(&mut rule, 3.0), 100.0);
        rule.take(&exchange(3.0, 20.0, 21.0, 200.0));
        assert_eq!(offset_ms(&mut rule, 4.0), 100.0);
    }
}
