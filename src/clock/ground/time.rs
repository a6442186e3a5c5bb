//! Instants and durations in ticks of 100 ns, each instant typed by its timescale.
//!
//! Ticks are signed 64-bit numbers, as in Unreal's `FDateTime` and `FTimespan`, so values cross the engine
//! boundary without rounding. Instants of the client's local clock and of the server's clock have different
//! types. Only [`Time`] values of the same timescale can be compared or subtracted:
//!
//! ```compile_fail
//! use netclock::{LocalTime, ServerTime};
//! let local = LocalTime::from_ticks(10);
//! let server = ServerTime::from_ticks(20);
//! let nonsense = server - local; // the difference of two timescales is an offset, not a duration
//! ```
//!
//! Sign convention throughout the crate: `offset = server - local` is positive if the server is ahead.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Neg, Sub};

/// Ticks in one second.
pub const TICKS_PER_SECOND: i64 = 10_000_000;

const TICKS_PER_MS: u64 = 10_000;

/// Below this many seconds (2^28, or 8.5 years), converting ticks to `f64` seconds and back is exact. The
/// seconds are rounded by at most 2^-26 s (a seventh of a tick), and their product with 10^7 by at most a
/// quarter of a tick. Above this limit, the sum of both errors may reach half a tick.
const EXACT_SECONDS: f64 = (1_u64 << 28) as f64;

/// Largest magnitude of a valid instant, in ticks (2^62 - 1, about 14,600 years).
///
/// The difference of any two valid instants fits in an `i64`. All values of Unreal's `FDateTime` are valid.
pub const MAX_INSTANT_TICKS: i64 = (1 << 62) - 1;

/// The number that stands for an unknown instant in messages and in C.
pub(crate) const NO_INSTANT: i64 = i64::MIN;

/// Rounds `number` up, saturating, and turns NaN into zero. `f64::ceil` is a library call on baseline x86-64.
pub(crate) fn whole_above(number: f64) -> i64 {
    let whole = number as i64;
    whole.saturating_add(i64::from((whole as f64) < number))
}

/// Compensates for three `f64` roundings in a product of time and rate, and five in the rate itself.
const OUTWARDS: f64 = 1.0 + 8.0 * f64::EPSILON;

/// Returns how many ticks two clocks can drift apart in `elapsed` ticks at `rate` per tick. The result is
/// rounded up, so it is never below the true product.
pub(crate) fn most_apart(elapsed: f64, rate: f64) -> i64 {
    whole_above(elapsed * rate * OUTWARDS)
}

/// A signed duration in ticks of 100 ns, with saturating arithmetic.
///
/// ```
/// # use netclock::Span;
/// assert_eq!((Span::from_millis(1) + Span::from_micros(500)).ticks(), 15_000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(i64);

impl Span {
    /// Zero.
    pub const ZERO: Span = Span(0);
    /// The longest span, which represents an unlimited error bound.
    pub const MAX: Span = Span(i64::MAX);

    /// Creates a span of `ticks` (100 ns each).
    pub const fn from_ticks(ticks: i64) -> Self {
        Span(ticks)
    }

    /// Creates a span of `micros` microseconds, saturating.
    pub const fn from_micros(micros: i64) -> Self {
        Span(micros.saturating_mul(10))
    }

    /// Creates a span of `millis` milliseconds, saturating.
    pub const fn from_millis(millis: i64) -> Self {
        Span(millis.saturating_mul(10_000))
    }

    /// Creates a span of `seconds`, saturating.
    pub const fn from_secs(seconds: i64) -> Self {
        Span(seconds.saturating_mul(TICKS_PER_SECOND))
    }

    /// Creates a span of `seconds`, rounded to the nearest tick and saturating. The result is zero for NaN.
    pub fn from_secs_f64(seconds: f64) -> Self {
        Span((seconds * TICKS_PER_SECOND as f64).round() as i64)
    }

    /// Returns the length in ticks (100 ns).
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Returns the length in seconds, which is exact below 28 years.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / TICKS_PER_SECOND as f64
    }

    /// Returns the length in milliseconds, which is exact below 28 years.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 10_000.0
    }

    /// Returns the magnitude, saturating.
    pub const fn abs(self) -> Self {
        Span(self.0.saturating_abs())
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Neg for Span {
    type Output = Span;
    fn neg(self) -> Span {
        Span(self.0.saturating_neg())
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Integer formatting is exact and avoids linking the code that formats floats.
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}", size / TICKS_PER_MS)?;
        let (mut fraction, mut digits) = (size % TICKS_PER_MS, 4);
        if fraction > 0 {
            while fraction % 10 == 0 {
                (fraction, digits) = (fraction / 10, digits - 1);
            }
            write!(f, ".{fraction:0digits$}")?;
        }
        f.write_str(" ms")
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Marker for the client's local clock, which is monotonic and has an arbitrary origin and a small rate
/// error.
#[derive(Clone, Copy, Debug)]
pub enum Local {}

/// Marker for the server's real clock, which has an arbitrary origin and restarts with every server epoch.
#[derive(Clone, Copy, Debug)]
pub enum Server {}

/// Marker for a game world's clock. It starts at zero in each world, and may pause or run fast or slow.
#[derive(Clone, Copy, Debug)]
pub enum World {}

/// Marker for UTC as defined by POSIX. Every day has 86,400 s, and leap seconds are not counted.
#[derive(Clone, Copy, Debug)]
pub enum Utc {}

/// An instant on the timescale `S`, in ticks of 100 ns since the timescale's origin.
///
/// ```
/// # use netclock::{LocalTime, Span};
/// let begin = LocalTime::from_ticks(5);
/// assert_eq!((begin + Span::from_secs(2)) - begin, Span::from_secs(2)); // other timescales do not compile
/// ```
pub struct Time<S> {
    ticks: i64,
    timescale: PhantomData<fn() -> S>,
}

/// An instant of the client's local monotonic clock.
pub type LocalTime = Time<Local>;

/// An instant of the server's real clock.
pub type ServerTime = Time<Server>;

/// An instant of a game world's clock.
pub type WorldTime = Time<World>;

/// An instant of UTC, in ticks of 100 ns since 1970-01-01 00:00.
pub type UtcTime = Time<Utc>;

impl<S> Time<S> {
    /// Creates the instant `ticks` after the timescale's origin. Any `i64` is accepted. Functions that take
    /// instants from callers check [`is_valid`](Self::is_valid) and reject extreme values.
    pub const fn from_ticks(ticks: i64) -> Self {
        Time { ticks, timescale: PhantomData }
    }

    /// Returns the ticks since the timescale's origin.
    pub const fn ticks(self) -> i64 {
        self.ticks
    }

    /// Creates the instant `seconds` after the timescale's origin, rounded to the nearest tick. Returns
    /// `None` for NaN and for 2^28 s (8.5 years) or more, because such an `f64` cannot resolve ticks.
    pub fn from_secs_f64(seconds: f64) -> Option<Self> {
        let exact = seconds.abs() < EXACT_SECONDS;
        exact.then(|| Self::from_ticks((seconds * TICKS_PER_SECOND as f64).round() as i64))
    }

    /// Returns the seconds since the timescale's origin. Below 2^28 s (8.5 years),
    /// [`from_secs_f64`](Self::from_secs_f64) converts the result back to the same instant.
    pub fn as_secs_f64(self) -> f64 {
        self.ticks as f64 / TICKS_PER_SECOND as f64
    }

    /// Returns whether the instant is within `±`[`MAX_INSTANT_TICKS`].
    pub const fn is_valid(self) -> bool {
        self.ticks >= -MAX_INSTANT_TICKS && self.ticks <= MAX_INSTANT_TICKS
    }

    pub(crate) fn check(self) -> Result<(), TimeError> {
        if self.is_valid() { Ok(()) } else { Err(TimeError::OutOfRange) }
    }
}

// These traits are implemented by hand, because derived ones would require that the marker types implement
// them too.
impl<S> Clone for Time<S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Time<S> {}
impl<S> PartialEq for Time<S> {
    fn eq(&self, other: &Self) -> bool {
        self.ticks == other.ticks
    }
}
impl<S> Eq for Time<S> {}
impl<S> PartialOrd for Time<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<S> Ord for Time<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.ticks.cmp(&other.ticks)
    }
}
impl<S> Hash for Time<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ticks.hash(state);
    }
}
impl<S> fmt::Debug for Time<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.as_secs_f64())
    }
}

/// Returns the span from `earlier` to `self`, exact for valid instants and saturating otherwise.
impl<S> Sub for Time<S> {
    type Output = Span;
    fn sub(self, earlier: Self) -> Span {
        Span(self.ticks.saturating_sub(earlier.ticks))
    }
}

impl<S> Add<Span> for Time<S> {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self::from_ticks(self.ticks.saturating_add(span.0))
    }
}

impl<S> Sub<Span> for Time<S> {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self::from_ticks(self.ticks.saturating_sub(span.0))
    }
}

impl<S> AddAssign<Span> for Time<S> {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

/// The reason why a local time was rejected. A call that returns this error changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// The instant is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("local time is outside the valid range of +-2^62 ticks")]
    OutOfRange,
    /// Time went backwards since a previous call, but by too little for a clock step.
    #[error("local time went backwards by {0}; pass a monotonic clock")]
    WentBackwards(Span),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_above_agrees_with_ceil() {
        let large = [1e15 + 0.5, 9.3e18, -9.3e18, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let near = (-40..=40).map(|quarter| f64::from(quarter) / 4.0);
        for number in near.chain(large).chain([0.1, -0.1, f64::MIN_POSITIVE, -0.0]) {
            assert_eq!(whole_above(number), number.ceil() as i64, "{number}");
        }
    }

    #[test]
    fn differences_of_valid_instants_are_exact() {
        let first = LocalTime::from_ticks(-MAX_INSTANT_TICKS);
        let last = LocalTime::from_ticks(MAX_INSTANT_TICKS);
        assert_eq!((last - first).ticks(), 2 * MAX_INSTANT_TICKS);
        assert!(first.is_valid() && last.is_valid());
        assert!(!LocalTime::from_ticks(i64::MIN).is_valid());
        assert!(!LocalTime::from_ticks(i64::MAX).is_valid());
    }

    #[test]
    fn arithmetic_saturates_instead_of_wrapping() {
        let edge = ServerTime::from_ticks(i64::MAX);
        assert_eq!(edge + Span::from_secs(1), edge);
        assert_eq!(-Span::from_ticks(i64::MIN), Span::MAX);
        assert_eq!(Span::from_ticks(i64::MIN).abs(), Span::MAX);
        assert_eq!(Span::from_millis(i64::MAX), Span::MAX);
    }

    #[test]
    fn spans_are_shown_to_the_tick() {
        let shown = |ticks| Span::from_ticks(ticks).to_string();
        assert_eq!([0, 10_000, -25_000].map(shown), ["0 ms", "1 ms", "-2.5 ms"]);
        assert_eq!([1, 10, 12_340, 10_001].map(shown), ["0.0001 ms", "0.001 ms", "1.234 ms", "1.0001 ms"]);
        assert_eq!(shown(i64::MIN), "-922337203685477.5808 ms");
    }

    #[test]
    fn conversions_agree_on_the_unit() {
        assert_eq!(Span::from_secs(1), Span::from_millis(1000));
        assert_eq!(Span::from_millis(1), Span::from_micros(1000));
        assert_eq!(Span::from_secs_f64(0.001), Span::from_millis(1));
        assert_eq!(Span::from_secs_f64(f64::NAN), Span::ZERO);
        assert_eq!(Span::from_millis(250).as_secs_f64(), 0.25);
    }

    #[test]
    fn seconds_and_ticks_convert_exactly_or_not_at_all() {
        let last = (1_i64 << 28) * TICKS_PER_SECOND - 1;
        for ticks in (0..2_000).flat_map(|i| [i, -i, last - i, i - last, i * 1_342_177_279_999]) {
            let time = WorldTime::from_ticks(ticks);
            assert_eq!(WorldTime::from_secs_f64(time.as_secs_f64()), Some(time));
        }
        // Beyond `last`, seconds cannot distinguish adjacent ticks.
        let beyond = [last + 1, i64::MIN].map(|ticks| WorldTime::from_ticks(ticks).as_secs_f64());
        for none in beyond.into_iter().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e300]) {
            assert_eq!(WorldTime::from_secs_f64(none), None, "{none}");
        }
    }
}
