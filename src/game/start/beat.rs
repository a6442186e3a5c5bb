//! Counts beats from an origin at a rational rate, with integer arithmetic that stays exact at any time.
//!
//! Beat `n` begins `n * seconds / beats` after the origin. Dividing the elapsed time by the duration of a
//! beat yields the beat's number and its elapsed part. Errors therefore do not accumulate.

use crate::clock::for_parts::range::number;
use crate::clock::{ConfigError, MAX_INSTANT_TICKS, ServerTime, Span, TICKS_PER_SECOND};

/// With this limit and [`FASTEST`], every product stays below 2^63.
const MOST_SECONDS: u32 = 10_000;
const FASTEST: u32 = 240;

/// Beats at a fixed rate, where beat 0 begins at the origin.
///
/// ```
/// # use netclock::{ServerTime, start::Beat};
/// let beat = Beat::new(ServerTime::from_ticks(0), 60, 1)?; // 60 a second
/// assert_eq!(beat.at(beat.time_of(90)), (90, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    origin: ServerTime,
    beats: i64,
    /// Duration of `beats` beats, in ticks.
    group: i64,
}

impl Beat {
    /// Creates beats from `origin` at a rate of `beats` per `seconds`, for example 60 per 1 s or 60,000 per
    /// 1001 s. For one beat every `N` ms, use 1000 per `N` s.
    ///
    /// # Errors
    /// Fails if `seconds` (1..=10000), `beats` (1 to 240 per second) or `origin` is out of range. The error
    /// names the parameter that is out of range.
    pub fn new(origin: ServerTime, beats: u32, seconds: u32) -> Result<Self, ConfigError> {
        number("seconds", f64::from(seconds), 1.0, f64::from(MOST_SECONDS), "s")?;
        number("beats", f64::from(beats), f64::from(seconds), f64::from(seconds * FASTEST), "beats")?;
        if !origin.is_valid() {
            let (value, max) = (origin.ticks() as f64, MAX_INSTANT_TICKS as f64);
            return Err(ConfigError { field: "origin", value, min: -max, max, unit: "ticks" });
        }
        Ok(Beat { origin, beats: i64::from(beats), group: i64::from(seconds) * TICKS_PER_SECOND })
    }

    /// Returns the number of the beat at `now` and its elapsed fraction, from 0 to just below 1. Beats before
    /// the origin have negative numbers.
    pub fn at(&self, now: ServerTime) -> (i64, f64) {
        let elapsed = (now - self.origin).ticks();
        let (groups, rest) = (elapsed.div_euclid(self.group), elapsed.rem_euclid(self.group));
        // `rest` is below 10^11 and `beats` is at most 2.4 * 10^6, so the product is below 2.4 * 10^17.
        // `number` is below 2^63 / 10^7 * 240.
        let parts = rest * self.beats;
        let number = groups * self.beats + parts / self.group;
        debug_assert!(parts >= 0, "no product overflows: {rest} times {}", self.beats);
        (number, (parts % self.group) as f64 / self.group as f64)
    }

    /// Returns the time at which beat `number` starts, rounded up to a tick of 100 ns so that
    /// [`at`](Self::at) returns this number. The result saturates far beyond the valid range of times.
    pub fn time_of(&self, number: i64) -> ServerTime {
        let (groups, rest) = (number.div_euclid(self.beats), number.rem_euclid(self.beats));
        let parts = rest * self.group;
        let up = i64::from(parts % self.beats > 0);
        self.origin
            + Span::from_ticks(groups.saturating_mul(self.group))
            + Span::from_ticks(parts / self.beats + up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: [(u32, u32); 8] = [
        (1, 1),
        (60, 1),
        (240, 1),
        (60_000, 1001),
        (1000, 7),
        (1000, 999),
        (2_400_000, 10_000),
        (9_999, 9_998),
    ];

    fn beat(beats: u32, seconds: u32) -> Beat {
        Beat::new(ServerTime::from_ticks(638_400_000_000_000_000), beats, seconds).expect("in range")
    }

    #[test]
    fn a_beat_begins_at_the_first_tick_with_its_number() {
        for (beats, seconds) in RATES {
            let beat = beat(beats, seconds);
            let day = i64::from(beats) * 86_400 / i64::from(seconds);
            for number in (-5..5).chain(day - 5..day + 5).chain([1_000_003, -1_000_003]) {
                let begins = beat.time_of(number);
                let (at, fraction) = beat.at(begins);
                assert_eq!(at, number, "{beats} in {seconds}");
                assert!((0.0..0.01).contains(&fraction), "{fraction} of {beats} in {seconds}");
                let (before, late) = beat.at(begins - Span::from_ticks(1));
                assert_eq!(before, number - 1);
                assert!((0.99..1.0).contains(&late), "{late} of {beats} in {seconds}");
            }
        }
    }

    #[test]
    fn a_day_has_the_exact_number_of_beats() {
        for (beats, seconds) in RATES {
            let beat = beat(beats, seconds);
            // A period of `seconds` days has a whole number of beats. For a single day, compare with a
            // computation in 128-bit integers.
            let days = Span::from_secs(86_400 * i64::from(seconds));
            assert_eq!(beat.at(beat.time_of(0) + days), (86_400 * i64::from(beats), 0.0));
            let now = beat.time_of(0) + Span::from_secs(86_400) + Span::from_ticks(1234);
            let exact = (86_400 * i128::from(TICKS_PER_SECOND) + 1234) * i128::from(beats);
            let group = i128::from(seconds) * i128::from(TICKS_PER_SECOND);
            assert_eq!(i128::from(beat.at(now).0), exact / group, "{beats} in {seconds}");
        }
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        for origin in [-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS] {
            for (beats, seconds) in RATES {
                let beat = Beat::new(ServerTime::from_ticks(origin), beats, seconds).expect("in range");
                for now in [i64::MIN, -MAX_INSTANT_TICKS, 0, MAX_INSTANT_TICKS, i64::MAX] {
                    let (_, fraction) = beat.at(ServerTime::from_ticks(now));
                    assert!((0.0..1.0).contains(&fraction), "{fraction} at {now}");
                }
                let [first, zero, last] = [i64::MIN, 0, i64::MAX].map(|number| beat.time_of(number));
                assert!(first < zero, "{first:?} wraps");
                assert!(zero < last, "{last:?} wraps");
            }
        }
    }
}
