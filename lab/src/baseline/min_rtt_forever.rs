//! The exchange with the smallest round trip since the start wins: offset = S + rtt / 2 - t3, for rtt <= 500
//! ms. The shown time approaches it by 0.33 s per second.
//! Source: the FServerTimeSynchronizer write-up of a shipped Unreal game.

use super::fade::Fade;
use super::rule::{Pace, Rule, Stamps, Terms};

/// The rule ignores longer round trips (s).
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
