//! One direction's delays, each with the offset of two clocks in it, and an allowance that a chosen share of
//! messages does not exceed.
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
use crate::clock::Span;
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
/// How fast it falls (ticks per tick): nobody notices a game that is 2 % slow.
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

    /// Forgets all delays.
    pub(super) fn forget(&mut self) {
        self.window.clear();
        (self.level, self.interval, self.since_kept) = (self.share, SPACING, 0.0);
        (self.latest, self.allowance) = (None, 0.0);
    }

    /// The delay that the chosen share of messages does not exceed; none before the first message.
    pub(super) fn allowance(&self) -> Option<Span> {
        self.latest.map(|_| Span::from_ticks(self.allowance.ceil() as i64))
    }

    /// A message took `delay` ticks and arrived at `arrived` (ticks).
    pub(super) fn add(&mut self, arrived: i64, delay: i64) {
        let first = self.latest.is_none();
        let latest = self.latest.unwrap_or(arrived);
        let elapsed = arrived.saturating_sub(latest).clamp(0, LONGEST_INTERVAL) as f64;
        self.latest = Some(latest.max(arrived));
        if !first {
            let weight = (elapsed / self.interval.max(1.0)).min(1.0);
            let (allowed, is_late) = (1.0 - self.share, delay as f64 > self.allowance);
            let level = self.level + GAIN * allowed * (f64::from(u8::from(is_late)) - allowed) * weight;
            self.level = level.max(self.share - BELOW * allowed).min(1.0 + ABOVE * allowed);
            self.interval += (elapsed - self.interval) / INTERVALS;
        }
        // Sample by count, not by time: messages that arrive bunched were delayed, and each must count.
        self.since_kept += self.interval;
        if first || self.since_kept >= SPACING {
            self.since_kept = (self.since_kept - SPACING).min(SPACING);
            self.window.add(latest.max(arrived), delay);
        }
        self.follow(elapsed, first);
        debug_assert!(self.allowance.is_finite(), "a delay is a number: {}", self.allowance);
        debug_assert!(self.interval >= 0.0, "arrivals are in order: {}", self.interval);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 30 messages a second (ticks).
    const INTERVAL: i64 = 333_333;
    const MS: i64 = 10_000;

    /// A number that looks random, below `most`.
    fn noise(index: i64, most: i64) -> i64 {
        let mixed = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33) as i64 % most
    }

    /// Share in time of the messages `from..to`, and the allowance after the last.
    fn run(delays: &mut Delays, from: i64, to: i64, delay: impl Fn(i64) -> i64) -> (f64, Span) {
        let mut in_time = 0;
        for index in from..to {
            let delay = delay(index);
            in_time += i64::from(delays.allowance().is_some_and(|allowance| delay <= allowance.ticks()));
            delays.add(index * INTERVAL, delay);
        }
        (in_time as f64 / (to - from) as f64, delays.allowance().expect("messages were added"))
    }

    #[test]
    fn a_longer_route_is_followed_within_seconds_and_a_shorter_one_too() {
        let mut delays = Delays::new(0.95).expect("there is memory");
        let short = |index| 20 * MS + noise(index, 4 * MS);
        run(&mut delays, 0, 3_000, short);
        let (_, allowance) = run(&mut delays, 3_000, 3_060, |index| short(index) + 50 * MS);
        assert!(allowance > Span::from_millis(70), "two seconds later: {allowance}");
        let (in_time, _) = run(&mut delays, 3_060, 6_000, |index| short(index) + 50 * MS);
        assert!(in_time > 0.94, "{in_time}");
        // The window has to be full of the new route, and the way down is 2 % slow.
        let (_, allowance) = run(&mut delays, 6_000, 7_200, short);
        assert!(allowance < Span::from_millis(30), "40 s later: {allowance}");
    }

    #[test]
    fn the_allowance_holds_still_within_its_hysteresis() {
        let mut delays = Delays::new(0.95).expect("there is memory");
        run(&mut delays, 0, 1_000, |index| 20 * MS + noise(index, 10 * MS));
        let mut falls = 0;
        let mut last = delays.allowance();
        for index in 1_000..10_000 {
            delays.add(index * INTERVAL, 20 * MS + noise(index, 10 * MS));
            falls += i32::from(delays.allowance() < last);
            last = delays.allowance();
        }
        assert!(falls < 90, "{falls} of 9000");
    }

    #[test]
    fn heaps_of_late_messages_count_as_often_as_others() {
        // Every tenth second nothing passes; what was sent then arrives at its end, a share of 10 %.
        let mut delays = Delays::new(0.8).expect("there is memory");
        let (period, stall) = (300, 30);
        for index in 0..12_000_i64 {
            let within = index % period;
            let end = (index - within + stall) * INTERVAL;
            let delay = if within < stall { end - index * INTERVAL } else { MS };
            delays.add(index * INTERVAL + delay, delay);
        }
        let allowance = delays.allowance().expect("messages were added");
        assert!(allowance < Span::from_millis(20), "a tenth stands for no fifth: {allowance}");
    }

    #[test]
    fn stamps_that_leap_do_no_harm() {
        let mut delays = Delays::new(0.95).expect("there is memory");
        for (index, at) in [i64::MAX, i64::MIN, 0, -1, 1].into_iter().cycle().take(1_000).enumerate() {
            delays.add(at, if index % 2 == 0 { i64::MAX } else { i64::MIN });
            assert!(delays.allowance.is_finite());
        }
    }
}
