//! One direction's delays as the clock sees them, and an allowance that a chosen share of messages does not
//! exceed.
//!
//! Two estimates work together. The [window](super::window) gives the quantile of recent delays at a *level*.
//! That is right if delays are exchangeable. But they are not: queues grow, routes change. So the level
//! itself adapts with each message, as in adaptive conformal inference (Gibbs and Candès, 2021):
//!
//! ```text
//!   level += GAIN (1 - share) ((1 if late, else 0) - (1 - share))
//! ```
//!
//! The level stands still only when the chosen share of messages is in time, whatever the delays do. Messages
//! that arrive bunched say the same thing once. So the weight of a message is the time since the one before,
//! up to the usual interval.
//!
//! The allowance does not flutter. It rises at once, since late messages cost more than early ones. It falls
//! only when it is too large by more than the hysteresis, and then slowly. "Late" above means later than the
//! allowance, so the level compensates for this too.

use super::window::Window;
use crate::clock::for_parts::OutOfMemory;

/// Step of the level for a late message, in units of the allowed share of late messages. About twenty late
/// messages in a row take the level from the chosen share to the largest delay of the window.
const GAIN: f64 = 0.05;
/// How far the level may go below the chosen share, and above 1, in the same unit. It must not sink far:
/// while a queue is empty all messages are in time, but the next queue will come.
const BELOW: f64 = 0.5;
const ABOVE: f64 = 1.0;

/// Time between delays to keep (ticks; 125 ms). So the window holds 32 s, longer than most queues last.
const SPACING: f64 = 1_250_000.0;
/// Number of messages to average their interval over.
const INTERVALS: f64 = 64.0;
/// Longest interval that counts as one (ticks; 10 s).
const LONGEST_INTERVAL: i64 = 100_000_000;

/// The allowance may be too large by this part of the spread from the median to the allowance ...
const HYSTERESIS: f64 = 0.125;
/// ... or by this, if it is more (ticks; 0.5 ms).
const LEAST_HYSTERESIS: f64 = 5_000.0;
/// How fast the allowance falls (ticks per tick). A game that follows it runs 2 % slow.
const FALL: f64 = 0.02;

#[derive(Clone, Debug)]
pub(super) struct Delays {
    /// Chosen share of messages that should be in time.
    share: f64,
    window: Window,
    level: f64,
    /// Mean time between messages (ticks).
    interval: f64,
    /// Mean time of the messages since one was kept (ticks).
    since_kept: f64,
    /// Latest arrival (ticks).
    latest: Option<i64>,
    allowance: f64,
}

impl Delays {
    pub(super) fn new(share: f64) -> Result<Self, OutOfMemory> {
        Ok(Delays {
            share,
            window: Window::new()?,
            level: share,
            interval: SPACING,
            since_kept: 0.0,
            latest: None,
            allowance: 0.0,
        })
    }

    pub(super) fn forget(&mut self) {
        self.window.clear();
        (self.level, self.interval, self.since_kept) = (self.share, SPACING, 0.0);
        (self.latest, self.allowance) = (None, 0.0);
    }

    /// The delay that the chosen share of messages does not exceed (ticks); none before the first message.
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
            let weight = (elapsed / self.interval.max(1.0)).min(1.0);
            self.adapt(f64::from(delay) > self.allowance, weight);
            self.interval += (elapsed - self.interval) / INTERVALS;
        }
        // Sample by count, not by time: messages that arrive bunched were delayed, and each must count.
        self.since_kept += self.interval;
        if first || self.since_kept >= SPACING {
            self.since_kept = (self.since_kept - SPACING).min(SPACING);
            self.window.add(latest.max(arrived), delay);
        }
        self.follow(elapsed, first);
    }

    fn adapt(&mut self, late: bool, weight: f64) {
        let allowed = 1.0 - self.share;
        let missed = f64::from(u8::from(late)) - allowed;
        let level = self.level + GAIN * allowed * missed * weight;
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
