//! The offset of the exchange with the smallest round trip among the last N.
//! Source: NTP's clock filter, N = 8 (Mills, RFC 5905 section 10).

use super::rule::{Pace, Rule, Stamps, Terms};
use super::window::Window;

/// The state: the last exchanges.
pub(super) struct SmallestTrip<const N: usize> {
    name: &'static str,
    pace: Pace,
    last: Window<Stamps, N>,
}

/// NTP's filter, with its shortest poll.
pub(super) fn ntp_min8() -> SmallestTrip<8> {
    SmallestTrip::new("ntp_min8", Pace { count: 8, gap_s: 2.0, every_s: 64.0 })
}

impl<const N: usize> SmallestTrip<N> {
    /// A rule without exchanges.
    pub(super) fn new(name: &'static str, pace: Pace) -> Self {
        Self { name, pace, last: Window::default() }
    }
}

impl<const N: usize> Rule for SmallestTrip<N> {
    fn terms(&self) -> Terms {
        Terms::four_stamps(self.name, self.pace)
    }

    fn take(&mut self, x: &Stamps) {
        self.last.push(*x);
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.last.iter().min_by(|a, b| a.trip().total_cmp(&b.trip())).map(Stamps::middle)
    }
}
