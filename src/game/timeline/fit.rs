//! The publisher's tools for fitting a line: the trend of the rate, the residuals of recent frames, and the
//! budget of segments.

use super::rate::Rate;
use crate::clock::{Span, TICKS_PER_SECOND};

/// Number of recent frames to search, about half a second, for the one with the shortest gap between reading
/// world time and real time. Even a server that is usually late has one good frame among these.
const WINDOW: usize = 32;

/// Residuals of recent frames, world time minus line. Late readings of real time make a residual too small,
/// so the largest is the most accurate.
#[derive(Debug)]
pub(crate) struct Residuals {
    ticks: [i64; WINDOW],
    count: usize,
}

impl Residuals {
    pub(crate) fn of(first: Span) -> Self {
        Residuals { ticks: [first.ticks(); WINDOW], count: 1 }
    }

    pub(crate) fn add(&mut self, residual: Span) {
        self.ticks[self.count % WINDOW] = residual.ticks();
        // Counts up to twice the window and back, so that it never overflows.
        self.count = if self.count + 1 == 2 * WINDOW { WINDOW } else { self.count + 1 };
    }

    pub(crate) fn largest(&self) -> Span {
        let known = &self.ticks[..self.count.min(WINDOW)];
        Span::from_ticks(known.iter().copied().max().unwrap_or(0))
    }

    /// Whether there are enough frames to distinguish a late reading from lost time.
    pub(crate) fn are_many(&self) -> bool {
        self.count >= WINDOW
    }
}

/// The change of the rate from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trend {
    rate: f64,
    /// Change per second in the last frame, and in the one before.
    change: f64,
    before: f64,
    /// Length of the last frame, in seconds.
    frame: f64,
}

/// Two changes that differ by at most this factor belong to an animation; others are steps.
const SIMILAR: f64 = 2.0;

/// Share of the tolerance that a line through a parabola is planned to use. The rest is for deviations from a
/// parabola.
const PLANNED: f64 = 0.8;

/// The longest expected duration of an animation (s).
const LONGEST: f64 = 1.0;

impl Trend {
    pub(crate) fn start(rate: Rate) -> Self {
        Trend { rate: rate.as_f64(), ..Trend::default() }
    }

    pub(crate) fn add(&mut self, rate: Rate, elapsed: Span) {
        let frame = elapsed.as_secs_f64();
        let change = (rate.as_f64() - self.rate) / frame;
        *self = Trend { rate: rate.as_f64(), change, before: self.change, frame };
    }

    /// The change of the rate per second, if it is steady.
    fn acceleration(&self) -> f64 {
        let (a, b) = (self.change, self.before);
        let similar = a * b > 0.0 && a.abs() <= SIMILAR * b.abs() && b.abs() <= SIMILAR * a.abs();
        if similar { 0.5 * (a + b) } else { 0.0 }
    }

    /// The tolerance at which one line lasts for `time`.
    pub(crate) fn tolerance_for(&self, time: Span) -> Span {
        let time = time.as_secs_f64();
        Span::from_secs_f64(self.acceleration().abs() * time * time / (16.0 * PLANNED))
    }

    /// The line that stays within `tolerance` of the world for the longest time, if the rate keeps changing
    /// as it does now. Returns the line's rate, and its initial offset from the world.
    ///
    /// With an acceleration `a` the world is a parabola. The line that is nearest to it for a time `T` has
    /// the parabola's rate in the middle. It is off by `a T^2 / 16` at both ends, and by the same amount with
    /// the opposite sign in the middle. Each rate applies for a whole frame, so the world lags behind the
    /// parabola by half a frame.
    ///
    /// The world runs at `scale` times the stated rate.
    pub(crate) fn line(&self, stated: Rate, scale: f64, tolerance: Span) -> (Rate, Span) {
        let (rate, a) = (stated.scaled(scale), scale * self.acceleration());
        if a == 0.0 || rate.is_paused() {
            return (rate, Span::ZERO);
        }
        let off = PLANNED * tolerance.as_secs_f64();
        let time = (16.0 * off / a.abs()).sqrt().min(LONGEST);
        if time < 2.0 * self.frame {
            return (rate, Span::ZERO);
        }
        let middle = rate.as_f64() + a * 0.5 * (time - self.frame);
        (Rate::nearest(middle), Span::from_secs_f64(-a * time * time / 16.0))
    }
}

/// The budget of segments. A quarter of a second's number may be published at once and the others one by one,
/// so no second has more than its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Real time that one segment costs (ticks).
    price: i64,
    /// The maximum and current credit (ticks).
    most: i64,
    credit: i64,
}

impl Budget {
    pub(crate) fn per_second(count: u32) -> Self {
        let at_once = count.div_ceil(4).max(1);
        // The last segment earned in a second is available at the end of that second.
        let price = TICKS_PER_SECOND / i64::from(count.saturating_sub(at_once) + 1);
        let most = i64::from(at_once) * price;
        Budget { price, most, credit: most }
    }

    pub(crate) fn earn(&mut self, elapsed: Span) {
        self.credit = self.credit.saturating_add(elapsed.ticks()).min(self.most);
    }

    /// Pays for a segment. Returns false if the credit is too low.
    pub(crate) fn spend(&mut self) -> bool {
        let enough = self.can_spend();
        self.credit -= if enough { self.price } else { 0 };
        debug_assert!((0..=self.most).contains(&self.credit), "no debts and no riches: {}", self.credit);
        enough
    }

    pub(crate) fn can_spend(&self) -> bool {
        self.credit >= self.price
    }

    /// Whether no segment was paid for recently.
    pub(crate) fn is_full(&self) -> bool {
        self.credit == self.most
    }

    /// Whether less than half of the credit is left.
    pub(crate) fn is_scarce(&self) -> bool {
        2 * self.credit < self.most
    }

    /// The time it takes to earn the next segment.
    pub(crate) fn interval(&self) -> Span {
        Span::from_ticks(self.price)
    }
}
