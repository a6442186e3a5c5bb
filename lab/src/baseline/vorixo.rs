//! Two clocks for Unreal by Vorixo. In the first, the smallest round trip ever wins: offset = S - t0 - delta
//! / 2. The second uses each exchange with a trimmed round trip: offset = S - t0 - a / 2, a = mean of the
//! middle 8 of the last 10. Source: Vorixo, network clock for Unreal.

use super::rule::{Pace, Rule, Stamps, Terms};
use super::window::{Window, mean};
use netclock_sim::measure::figures::sorted;

/// Smallest round trip ever: that trip and its offset (s).
#[derive(Default)]
pub(super) struct Smallest(Option<(f64, f64)>);

impl Rule for Smallest {
    fn terms(&self) -> Terms {
        Terms::two_stamps("vorixo_min", Pace::each(1.0))
    }

    fn take(&mut self, x: &Stamps) {
        if self.0.is_none_or(|(smallest, _)| x.delta() < smallest) {
            self.0 = Some((x.delta(), x.t1 - x.t0 - x.delta() / 2.0));
        }
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.0.map(|(_, offset)| offset)
    }
}

/// Trimmed round trip: the last trips and the offset (s).
#[derive(Default)]
pub(super) struct Trimmed {
    trips: Window<f64, 10>,
    offset: Option<f64>,
}

impl Rule for Trimmed {
    fn terms(&self) -> Terms {
        Terms::two_stamps("vorixo_trim", Pace::each(1.0))
    }

    fn take(&mut self, x: &Stamps) {
        self.trips.push(x.delta());
        let trips = sorted(self.trips.iter().copied());
        let kept = if self.trips.is_full() { &trips[1..9] } else { &trips[..] };
        self.offset = mean(kept).map(|trip| x.t1 - x.t0 - trip / 2.0);
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.offset
    }
}
