//! One direction's delays as the clock sees them, and the allowance that a chosen share of messages keeps to.
//!
//! Two estimates are put together. The [window](super::window) gives the quantile of recent delays at a *level*, which
//! is right if delays come and go in any order alike. They do not: queues grow, routes change. So the level itself
//! follows what happened, message by message, as in adaptive conformal inference (Gibbs and Candès, 2021):
//!
//! ```text
//!   level += GAIN (1 - share) ((1 if late, else 0) - (1 - share))
//! ```
//!
//! which stands still only when the asked share of messages is in time, whatever the delays do.
//!
//! What is given out does not flutter: the allowance rises at once, since late messages cost more than an early one,
//! and falls only when it is too large by more than the hysteresis, and then slowly. "Late" above means later than
//! what was given out, so that the level makes up for this too.

use super::window::Window;

/// Step of the level for a late message, in units of the share of late ones that is allowed: ten late ones in a row
/// take it from where it belongs to the largest delay of the window.
const GAIN: f64 = 0.1;
/// How far the level may go below the asked share, and above 1, in the same unit.
const BELOW: f64 = 2.0;
const ABOVE: f64 = 1.0;

/// Time between delays that are kept (ticks; 125 ms): the window then holds 32 s, longer than most queues last.
const SPACING: f64 = 1_250_000.0;
/// Messages over which their interval is averaged.
const INTERVALS: f64 = 64.0;
/// Longest interval that counts as one (ticks; 10 s).
const LONGEST_INTERVAL: i64 = 100_000_000;

/// Part of the spread, from the median to the allowance, by which the allowance may be too large ...
const HYSTERESIS: f64 = 0.125;
/// ... and the least that it may (ticks; 0.5 ms).
const LEAST_HYSTERESIS: f64 = 5_000.0;
/// How fast the allowance falls (ticks per tick): a game that follows runs 2 % slow.
const FALL: f64 = 0.02;

#[derive(Clone, Debug)]
pub(super) struct Delays {
    /// Share of messages that should be in time.
    share: f64,
    window: Window,
    level: f64,
    /// Mean time between messages (ticks), and that since one was kept.
    interval: f64,
    unkept: f64,
    /// Latest arrival (ticks).
    latest: Option<i64>,
    allowance: f64,
}

impl Delays {
    pub(super) fn new(share: f64) -> Self {
        Delays {
            share,
            window: Window::new(),
            level: share,
            interval: SPACING,
            unkept: 0.0,
            latest: None,
            allowance: 0.0,
        }
    }

    /// Ticks that the asked share of messages keeps to; none before the first.
    pub(super) fn allowance(&self) -> Option<f64> {
        self.latest.map(|_| self.allowance)
    }

    /// A message took `delay` ticks and arrived at `arrived` (ticks).
    pub(super) fn add(&mut self, arrived: i64, delay: i32) {
        let first = self.latest.is_none();
        let latest = self.latest.unwrap_or(arrived);
        let elapsed = arrived.saturating_sub(latest).clamp(0, LONGEST_INTERVAL) as f64;
        self.latest = Some(latest.max(arrived));
        if !first {
            self.adapt(f64::from(delay) > self.allowance);
            self.interval += (elapsed - self.interval) / INTERVALS;
        }
        // One of so many messages, and not one in so much time: what comes in a heap was late, and counts as often.
        self.unkept += self.interval;
        if first || self.unkept >= SPACING {
            self.unkept = (self.unkept - SPACING).min(SPACING);
            self.window.add(latest.max(arrived), delay);
        }
        self.follow(elapsed, first);
    }

    fn adapt(&mut self, late: bool) {
        let allowed = 1.0 - self.share;
        let missed = f64::from(u8::from(late)) - allowed;
        let level = self.level + GAIN * allowed * missed;
        self.level = level.max(self.share - BELOW * allowed).min(1.0 + ABOVE * allowed);
    }

    fn follow(&mut self, elapsed: f64, first: bool) {
        let Some(target) = self.window.quantile(self.level) else { return };
        if first || target > self.allowance {
            self.allowance = target;
            return;
        }
        let median = self.window.quantile(0.5).unwrap_or(target);
        let hysteresis = ((target - median) * HYSTERESIS).max(LEAST_HYSTERESIS);
        if self.allowance > target + hysteresis {
            self.allowance = (self.allowance - FALL * elapsed).max(target);
        }
    }
}
