//! The server pushes its time. The client sums the differences S - t3 and moves half-way to their mean at
//! each push. After 250 pushes it replaces the sum by the mean.
//! Source: Unreal Engine 5's replicated world time.

use super::rule::{Pace, Rule, Stamps, Terms};

/// At this count, the mean replaces the sum.
const FOLD: f64 = 250.0;

/// The state (s).
#[derive(Default)]
pub(super) struct EngineAverage {
    sum: f64,
    count: f64,
    offset: Option<f64>,
}

impl Rule for EngineAverage {
    fn terms(&self) -> Terms {
        Terms::pushed("engine_average", Pace::each(0.1))
    }

    fn take(&mut self, x: &Stamps) {
        self.sum += x.t2 - x.t3;
        self.count += 1.0;
        let mean = self.sum / self.count;
        if self.count >= FOLD {
            (self.sum, self.count) = (mean, 1.0);
        }
        self.offset = Some(self.offset.map_or(mean, |offset| (offset + mean) / 2.0));
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.offset
    }
}
