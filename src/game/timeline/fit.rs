//! Fits lines to the trend of the rate and to recent residuals, and limits the number of segments.

use super::rate::Rate;
use crate::clock::{Span, TICKS_PER_SECOND};

/// Number of recent frames to compare, about half a second. Even a server that usually reads real time late
/// probably reads it early in one of these frames.
const WINDOW: usize = 32;

/// The differences between world time and the line in recent frames. Reading real time late makes a residual
/// too small, so the largest residual is the most accurate.
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
        // Wrap the count to the window size, so that it never overflows and the buffer still counts as full.
        self.count = if self.count + 1 == 2 * WINDOW { WINDOW } else { self.count + 1 };
    }

    pub(crate) fn largest(&self) -> Span {
        let known = &self.ticks[..self.count.min(WINDOW)];
        Span::from_ticks(known.iter().copied().max().unwrap_or(0))
    }

    pub(crate) fn are_many(&self) -> bool {
        self.count >= WINDOW
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trend {
    rate: f64,
    /// The change of the rate per second in the last frame and in the frame before it.
    change: f64,
    before: f64,
    frame: f64,
}

/// Consecutive rate changes count as smooth if they differ by at most this factor, and otherwise as steps.
const SIMILAR: f64 = 2.0;

/// A fitted line may use this fraction of the tolerance. The rest is a margin for prediction errors.
const PLANNED: f64 = 0.8;

/// Rate changes are extrapolated by at most this many seconds.
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

    fn acceleration(&self) -> f64 {
        let (a, b) = (self.change, self.before);
        let similar = a * b > 0.0 && a.abs() <= SIMILAR * b.abs() && b.abs() <= SIMILAR * a.abs();
        if similar { 0.5 * (a + b) } else { 0.0 }
    }

    pub(crate) fn tolerance_for(&self, time: Span) -> Span {
        let time = time.as_secs_f64();
        Span::from_secs_f64(self.acceleration().abs() * time * time / (16.0 * PLANNED))
    }

    /// Fits the line that stays within `tolerance` of world time as long as possible while the rate keeps
    /// changing as it does now. Returns the rate and the initial offset of the line.
    ///
    /// With an acceleration `a`, world time follows a parabola. The best line over a time `T` has the
    /// parabola's rate at `T / 2`. At both ends, the line is off by `a T^2 / 16`, and in the middle by the
    /// opposite amount. World time lags behind the parabola by half a frame, because each rate applies for a
    /// whole frame.
    ///
    /// `scale` is the actual rate of the world divided by its stated rate.
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

/// Limits the number of segments per second. A quarter of the segments may be published in a burst. The
/// others are spread out so that no second exceeds the limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// The price of a segment, the maximum credit and the current credit are in ticks.
    price: i64,
    most: i64,
    credit: i64,
}

impl Budget {
    pub(crate) fn per_second(count: u32) -> Self {
        let at_once = count.div_ceil(4).max(1);
        // The last segment of a second is only earned at the end of the second.
        let price = TICKS_PER_SECOND / i64::from(count.saturating_sub(at_once) + 1);
        let most = i64::from(at_once) * price;
        Budget { price, most, credit: most }
    }

    pub(crate) fn earn(&mut self, elapsed: Span) {
        self.credit = self.credit.saturating_add(elapsed.ticks()).min(self.most);
    }

    pub(crate) fn spend(&mut self) -> bool {
        let enough = self.can_spend();
        self.credit -= if enough { self.price } else { 0 };
        debug_assert!((0..=self.most).contains(&self.credit), "credit out of range: {}", self.credit);
        enough
    }

    pub(crate) fn can_spend(&self) -> bool {
        self.credit >= self.price
    }

    pub(crate) fn is_full(&self) -> bool {
        self.credit == self.most
    }

    pub(crate) fn is_scarce(&self) -> bool {
        2 * self.credit < self.most
    }

    pub(crate) fn interval(&self) -> Span {
        Span::from_ticks(self.price)
    }
}
