//! The interval that is guaranteed to contain the offset.
//!
//! Let `D` be the largest rate difference that the user allows
//! ([`Config::client_drift_ppm`](crate::Config::client_drift_ppm) and the server's). An upper bound `u` that
//! was measured `age` ago is now `u + D age`. A lower bound falls by the same amount. All bounds age at the
//! same rate, so the tightest bound stays the tightest. One bound per direction is enough, and the two can
//! come from different exchanges.
//!
//! Every exchange's interval contains the true offset. If a new interval does not overlap the aged one, one
//! of the clocks stepped or a timestamp is wrong.

use crate::clock::exchange::Exchange;
use crate::clock::ground::time::{LocalTime, Span, most_apart};

/// A bound on the offset (ticks), measured at local time `at`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    offset: i64,
    at: LocalTime,
}

impl Bound {
    fn slack(&self, now: LocalTime, rate: f64) -> i64 {
        most_apart((now - self.at).abs().ticks() as f64, rate)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Largest rate difference between the clocks, as a fraction.
    pub(crate) drift: f64,
    /// Clock resolutions (ticks). A clock's reading is up to one step behind the true time.
    pub(crate) client_step: i64,
    pub(crate) server_step: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    upper: Bound,
    lower: Bound,
}

impl Interval {
    /// Clock readings lag by up to one step. Therefore, `t1 - t0` may be too small by the server's step, and
    /// `t2 - t3` too large by the client's step.
    pub(crate) fn of(exchange: &Exchange, limits: &Limits) -> Self {
        Interval {
            upper: Bound {
                offset: exchange.upper().saturating_add(limits.server_step),
                at: exchange.client_sent,
            },
            lower: Bound {
                offset: exchange.lower().saturating_sub(limits.client_step),
                at: exchange.client_received,
            },
        }
    }

    /// Returns the upper and lower bounds at local time `now`, in ticks.
    pub(crate) fn at(&self, now: LocalTime, limits: &Limits) -> (i64, i64) {
        (
            self.upper.offset.saturating_add(self.upper.slack(now, limits.drift)),
            self.lower.offset.saturating_sub(self.lower.slack(now, limits.drift)),
        )
    }

    pub(crate) fn meets(&self, other: &Interval, limits: &Limits) -> bool {
        let below = |upper: &Bound, lower: &Bound| {
            upper.offset.saturating_add(upper.slack(lower.at, limits.drift)) < lower.offset
        };
        !below(&self.upper, &other.lower) && !below(&other.upper, &self.lower)
    }

    pub(crate) fn tighten(&mut self, other: &Interval, now: LocalTime, limits: &Limits) {
        let (upper, lower) = self.at(now, limits);
        let (other_upper, other_lower) = other.at(now, limits);
        if other_upper <= upper {
            self.upper = other.upper;
        }
        if other_lower >= lower {
            self.lower = other.lower;
        }
    }

    /// Keeps the looser bound in each direction at `now`, because the offset may be in either interval.
    pub(crate) fn loosen(&mut self, other: &Interval, now: LocalTime, limits: &Limits) {
        let (upper, lower) = self.at(now, limits);
        let (other_upper, other_lower) = other.at(now, limits);
        if other_upper > upper {
            self.upper = other.upper;
        }
        if other_lower < lower {
            self.lower = other.lower;
        }
    }

    pub(crate) fn widened(&self, by: Span) -> Self {
        let mut wide = *self;
        wide.upper.offset = wide.upper.offset.saturating_add(by.ticks());
        wide.lower.offset = wide.lower.offset.saturating_sub(by.ticks());
        wide
    }

    pub(crate) fn raised(&self, most: Span) -> Self {
        let mut raised = *self;
        raised.upper.offset = raised.upper.offset.saturating_add(most.ticks());
        raised
    }

    /// Ages the bounds to `now`, so that they can age at a different rate afterwards.
    pub(crate) fn aged(&self, now: LocalTime, limits: &Limits) -> Self {
        let (upper, lower) = self.at(now, limits);
        Interval { upper: Bound { offset: upper, at: now }, lower: Bound { offset: lower, at: now } }
    }

    pub(crate) fn width(&self, now: LocalTime, limits: &Limits) -> Span {
        let (upper, lower) = self.at(now, limits);
        Span::from_ticks(upper.saturating_sub(lower))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { drift: 100e-6, client_step: 0, server_step: 0 };

    fn interval(t0: i64, offset: i64, forward: i64, reverse: i64) -> Interval {
        let received = t0 + offset + forward;
        Interval::of(&Exchange::of_ticks([t0, received, received, t0 + forward + reverse]), &LIMITS)
    }

    #[test]
    fn each_direction_keeps_its_own_best() {
        let now = LocalTime::from_ticks(2_000);
        let mut kept = interval(0, 5_000, 10, 900);
        kept.tighten(&interval(1_000, 5_000, 800, 20), now, &LIMITS);
        assert_eq!(kept.at(now, &LIMITS), (5_011, 4_979));
        assert_eq!(kept.width(now, &LIMITS).ticks(), 32);
    }

    #[test]
    fn the_offset_may_be_in_either_of_two_intervals() {
        let now = LocalTime::from_ticks(2_000);
        let mut kept = interval(0, 5_000, 10, 20);
        kept.loosen(&interval(1_000, 5_500, 10, 20), now, &LIMITS);
        assert_eq!(kept.at(now, &LIMITS), (5_511, 4_979));
        kept.loosen(&interval(1_000, 4_000, 10, 20), now, &LIMITS);
        assert_eq!(kept.at(now, &LIMITS), (5_511, 3_979));
    }

    #[test]
    fn bounds_age_with_the_configured_drift_and_no_less() {
        let kept = interval(0, 0, 100, 100);
        let (upper, lower) = kept.at(LocalTime::from_ticks(10_000_200), &LIMITS);
        assert_eq!((upper, lower), (100 + 1_001, -100 - 1_001));
    }

    #[test]
    fn a_step_is_proved_and_drift_is_not() {
        let kept = interval(0, 0, 100, 100);
        let second = 10_000_000;
        // At 100 ppm, two clocks drift apart by 1000 ticks in a second, so a change of 1000 ticks proves
        // nothing.
        assert!(kept.meets(&interval(second, 1_000, 50, 50), &LIMITS));
        assert!(kept.meets(&interval(second, -1_000, 50, 50), &LIMITS));
        assert!(!kept.meets(&interval(second, 1_300, 50, 50), &LIMITS));
        assert!(!kept.meets(&interval(second, -1_300, 50, 50), &LIMITS));
    }

    #[test]
    fn coarse_clocks_widen_the_interval_by_their_step() {
        let limits = Limits { drift: 0.0, client_step: 10_000, server_step: 156_000 };
        let interval = Interval::of(&Exchange::of_ticks([0; 4]), &limits);
        assert_eq!(interval.at(LocalTime::from_ticks(0), &limits), (156_000, -10_000));
    }

    #[test]
    fn extremes_saturate() {
        let kept = interval(0, 1 << 62, 0, 0);
        let (upper, lower) = kept.at(LocalTime::from_ticks(i64::MAX), &LIMITS);
        assert!(upper >= lower);
        assert!(!kept.meets(&interval(0, -(1 << 61), 0, 0), &LIMITS));
    }
}
