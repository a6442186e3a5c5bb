//! The rate of the shown clock as a fixed-point number, so that a read multiplies integers and rounds down.
//! Floats are only exact up to 2^53, and rounding them down is a library call on x86 without SSE 4.1.

use crate::clock::ground::time::Span;

/// Server ticks per local tick, from 0 to 2, in units of 2^-63. A product with ticks fits in 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pace(u64);

const ONE: u64 = 1 << 63;

/// This is half an ulp of 1 (2^-54) and exceeds the rounding error of a rate. See [`Pace::new`].
const ROUNDING: i64 = 1 << 9;

impl Pace {
    /// Creates the pace of a clock that gains `rate` per tick, which must be above -1 and below 1. A slew
    /// usually gains a whole number of ticks, so its rate is a quotient of whole ticks. The float may be just
    /// below that quotient, and rounding down would then lose a tick. We therefore add [`ROUNDING`], which
    /// makes a pace too fast by one tick in 57 years.
    pub(crate) fn new(rate: f64) -> Self {
        debug_assert!(rate >= -1.0, "no clock runs backwards: {rate}");
        let gain = (rate * ONE as f64) as i64;
        Pace(ONE.wrapping_add_signed(gain.saturating_add(ROUNDING)))
    }

    pub(crate) fn rate(self) -> f64 {
        (self.0.wrapping_sub(ONE) as i64).wrapping_sub(ROUNDING) as f64 / ONE as f64
    }

    /// Returns a slightly slower pace. Its exact product with `elapsed` does not exceed the rounded product
    /// of this pace.
    pub(crate) fn rounded_in(self, elapsed: Span) -> Self {
        // The result is slightly less than b - 1 / elapsed, where b is this pace. Its product with `elapsed`
        // is thus below b elapsed - 1, which is less than the rounded product.
        Pace(self.0.saturating_sub(ONE / elapsed.ticks().max(1) as u64 + 1))
    }

    /// Returns the server ticks in `elapsed` local ticks, rounded down and saturating.
    pub(crate) fn passed(self, elapsed: i64) -> i64 {
        let passed = (i128::from(elapsed) * i128::from(self.0)) >> 63;
        passed.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// Like [`passed`](Self::passed), with a single multiplication. `elapsed` must be below 2^63.
    #[inline]
    pub(crate) fn passed_soon(self, elapsed: u64) -> u64 {
        ((u128::from(2 * elapsed) * u128::from(self.0)) >> 64) as u64
    }

    pub(crate) fn to_word(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn from_word(word: u64) -> Self {
        Pace(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_of_gained_ticks_stays_whole() {
        for gained in [-2_500_000, -17, -1, 0, 1, 17, 123_457, 2_500_000] {
            for duration in [2_500_001_i64, 3_000_000, 5_000_000, 49_999_999] {
                let pace = Pace::new(gained as f64 / duration as f64);
                assert_eq!(pace.passed(duration), duration + gained, "{gained} in {duration}");
            }
        }
    }

    #[test]
    fn it_rounds_down_on_both_sides_of_zero_and_saturates() {
        let pace = Pace::new(0.25);
        assert_eq!([-5, -4, -1, 0, 1, 4, 5].map(|ticks| pace.passed(ticks)), [-7, -6, -2, 0, 1, 5, 6]);
        assert_eq!([i64::MIN, i64::MAX].map(|ticks| pace.passed(ticks)), [i64::MIN, i64::MAX]);
        assert_eq!(Pace::new(0.0).passed(i64::MAX), i64::MAX);
    }

    #[test]
    fn the_effect_of_rounding_is_allowed_for() {
        for rate in [-0.5, -80e-6, 0.0, 0.3e-6, 0.05, 0.5] {
            for elapsed in [1, 2, 17, 200_000, 40_000_001, 1 << 40] {
                let (pace, slower) = (Pace::new(rate), Pace::new(rate).rounded_in(Span::from_ticks(elapsed)));
                let exact = i128::from(elapsed) * i128::from(slower.0);
                assert!(exact <= i128::from(pace.passed(elapsed)) << 63, "{rate} for {elapsed}");
                assert!(pace.rate() - slower.rate() <= 1.0 / elapsed as f64 + 1e-15);
            }
        }
    }

    #[test]
    fn the_short_product_is_the_same() {
        for rate in [-0.5, -80e-6, 0.0, 0.3e-6, 0.05, 0.5] {
            let pace = Pace::new(rate);
            assert!((pace.rate() - rate).abs() <= f64::EPSILON / 2.0);
            for elapsed in (0..48).map(|bits| (1_u64 << bits) + 12_345 % (1 << bits)) {
                assert_eq!(pace.passed_soon(elapsed) as i64, pace.passed(elapsed as i64));
            }
        }
    }
}
