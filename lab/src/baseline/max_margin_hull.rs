//! Finds the rate b with the largest gap between the upper bounds (t0, u) and the lower bounds (t3, l) in a
//! window. The offset is the middle of the gap at `now`.
//!
//! gap(b) = min(u - b t0) - max(l - b t3) is a minimum of linear functions and therefore concave, so a
//! ternary search finds its maximum. Source: Moon, Skelly and Towsley (1999), who estimate clock skew by
//! linear programming in one direction. This rule uses both directions at once.

use std::collections::VecDeque;

use super::rule::{Rule, Stamps};

const LARGEST_RATE: f64 = 250e-6;
const ROUNDS: u32 = 48;

pub(super) struct MaxMarginHull {
    window_s: f64,
    last: VecDeque<Stamps>,
    /// The offset at time 0 (s) and the rate.
    line: Option<(f64, f64)>,
}

impl MaxMarginHull {
    pub(super) fn new(window_s: f64) -> Self {
        Self { window_s, last: VecDeque::new(), line: None }
    }

    fn envelopes(&self, b: f64) -> (f64, f64) {
        self.last.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(upper, lower), x| {
            (upper.min(x.t1 - x.t0 - b * x.t0), lower.max(x.t2 - x.t3 - b * x.t3))
        })
    }
}

impl Rule for MaxMarginHull {
    fn update(&mut self, x: &Stamps) {
        while self.last.front().is_some_and(|oldest| oldest.t3 < x.t3 - self.window_s) {
            self.last.pop_front();
        }
        self.last.push_back(*x);
        let gap = |b| {
            let (upper, lower) = self.envelopes(b);
            upper - lower
        };
        let (mut low, mut high) = (-LARGEST_RATE, LARGEST_RATE);
        for _ in 0..ROUNDS {
            let third = (high - low) / 3.0;
            if gap(low + third) < gap(high - third) { low += third } else { high -= third }
        }
        let b = (low + high) / 2.0;
        let (upper, lower) = self.envelopes(b);
        self.line = Some(((upper + lower) / 2.0, b));
    }

    fn offset(&self, now: f64) -> Option<f64> {
        self.line.map(|(offset, b)| offset + b * now)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::{exchange, offset_ms};
    use super::*;

    #[test]
    fn finds_the_rate_and_the_offset() {
        let mut rule = MaxMarginHull::new(60.0);
        // theta grows by 50 us per second. Every third exchange has no queueing delay.
        for i in 0..60 {
            let t0 = f64::from(i);
            let queue = f64::from(i % 3) * 4.0;
            rule.update(&exchange(t0, 20.0 + queue, 20.0 + queue, 0.05 * t0));
        }
        let (_, rate) = rule.line.unwrap();
        assert!((rate - 50e-6).abs() < 1e-6, "{rate}");
        let offset = offset_ms(&rule, 60.0);
        assert!((offset - 3.0).abs() < 0.02, "{offset}");
    }
}
