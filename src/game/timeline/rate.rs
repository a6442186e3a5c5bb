//! The rate of a world's clock as a fixed-point number. Server and clients compute with exactly the same
//! number, so they do not drift apart.

use crate::clock::MAX_INSTANT_TICKS;

/// Number of fraction bits. A rate has at most 53 bits, so an `f64` represents it exactly. In ten days, the
/// last bit makes a difference of 1/8 tick.
const FRACTION: u32 = 46;

/// Limits on the rate of a running world. Engines allow rates from 1e-4 to 20.
const SLOWEST: f64 = 1e-4;
const FASTEST: f64 = 100.0;

/// A world's rate, in world ticks per tick of the server's real clock. The rate is zero while paused, and
/// otherwise 1e-4 to 100 in steps of 2^-46.
///
/// ```
/// # use netclock::timeline::Rate;
/// assert_eq!(Rate::new(0.5).map(Rate::as_f64), Some(0.5));
/// assert_eq!(Rate::new(0.0), None); // a world that stands still is `Rate::PAUSED`
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(pub(super) u64);

impl Rate {
    /// The rate of a paused world.
    pub const PAUSED: Rate = Rate(0);
    /// The rate of real time.
    pub const ONE: Rate = Rate(1 << FRACTION);

    /// Creates the rate of a running world. Returns `None` unless `rate` is between 1e-4 and 100, which rules
    /// out zero, negative values and NaN.
    pub fn new(rate: f64) -> Option<Rate> {
        let valid = (SLOWEST..=FASTEST).contains(&rate);
        valid.then(|| Rate((rate * Self::ONE.0 as f64).round() as u64))
    }

    pub(crate) fn nearest(rate: f64) -> Rate {
        let end = if rate > FASTEST { FASTEST } else { SLOWEST };
        Self::new(rate).or_else(|| Self::new(end)).unwrap_or(Rate::ONE)
    }

    pub(crate) fn scaled(self, scale: f64) -> Rate {
        let rate = self.as_f64() * scale;
        if rate == 0.0 { Rate::PAUSED } else { Self::nearest(rate) }
    }

    /// Returns the exact number of world ticks per real tick, or zero while paused.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / Self::ONE.0 as f64
    }

    /// Returns whether the world is paused.
    pub fn is_paused(self) -> bool {
        self == Rate::PAUSED
    }

    /// Converts real ticks to world ticks, rounded down and clamped to twice the range of instants.
    pub(crate) fn passed(self, elapsed: i64) -> i64 {
        const MOST: i128 = 2 * MAX_INSTANT_TICKS as i128;
        let passed = (i128::from(elapsed) * i128::from(self.0)) >> FRACTION;
        passed.clamp(-MOST, MOST) as i64
    }

    pub(crate) fn from_bits(bits: u64) -> Option<Rate> {
        let rate = Rate(bits);
        // An `f64` is only inexact above 2^53, which is far above the maximum rate.
        if rate.is_paused() { Some(rate) } else { Self::new(rate.as_f64()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_represent_rates_exactly() {
        for rate in [1e-4, 0.1, 0.2, 0.2_f32.into(), 1.0 / 3.0, 1.0, 1.1, 19.999, 99.99, 100.0] {
            let fixed = Rate::new(rate).unwrap_or(Rate::PAUSED);
            assert!((fixed.as_f64() - rate).abs() <= 0.5 / Rate::ONE.0 as f64, "{rate}");
            assert_eq!(Rate::new(fixed.as_f64()), Some(fixed));
            assert_eq!(Rate::from_bits(fixed.0), Some(fixed));
        }
        assert_eq!(Rate::new(1.0), Some(Rate::ONE));
        assert_eq!(Rate::from_bits(0), Some(Rate::PAUSED));
    }

    #[test]
    fn ticks_are_rounded_down_and_never_wrap() {
        let half = Rate::nearest(0.5);
        assert_eq!([-3, -2, -1, 0, 1, 2, 3].map(|ticks| half.passed(ticks)), [-2, -1, -1, 0, 0, 1, 1]);
        let fast = Rate::nearest(100.0);
        assert_eq!(fast.passed(i64::MAX), 2 * MAX_INSTANT_TICKS);
        assert_eq!(fast.passed(i64::MIN), -2 * MAX_INSTANT_TICKS);
        assert_eq!(Rate::PAUSED.passed(i64::MAX), 0);
        assert_eq!(Rate::ONE.passed(123_456_789), 123_456_789);
    }
}
