//! Tracks the delays in one direction. They include the offset between the two clocks. The configured
//! fraction of delays stays within the *allowance*. This is a *center* plus a quantile of the deviations from
//! the center. The *level* of this quantile adapts with each message (`docs/theory.md`, "Order, rewinding,
//! prediction").
//!
//! A constant level would suffice if the deviations were exchangeable. Growing queues make the deviations
//! dependent, so the level follows adaptive conformal inference:
//!
//! ```text
//!   level += GAIN (1 - share) ((1 if late, else 0) - (1 - share))
//! ```
//!
//! Each message is weighted by the time since the previous message, up to the mean interval. A burst
//! therefore counts as a single observation. A message is late if its delay exceeds the allowance at the time
//! of sending. The level therefore also compensates for the hysteresis.

use super::window::Window;
use crate::clock::Span;
use crate::clock::for_parts::OutOfMemory;

/// How much each late message raises the level, relative to the allowed fraction of late messages. About 20
/// late messages in a row raise the level from the configured fraction to the largest delay in the window.
const GAIN: f64 = 0.05;
/// In units of the allowed fraction of late messages, the level may go this far below the configured fraction
/// or above 1. The lower limit is tight because a period without late messages is probably followed by
/// another queue.
const BELOW: f64 = 0.5;
const ABOVE: f64 = 1.0;

/// Interval between stored delays in ticks (250 ms), so that the window covers about a minute. The window
/// then contains several queues even if one builds up only twice a minute. A single queue contributes too few
/// delays to affect the 95 % quantile.
const SPACING: f64 = 2_500_000.0;
const NEWEST: usize = 15;
/// The center moves to the median of the newest delays only if the two differ by more than this fraction of
/// the spread. The spread is the distance from the window's median to its quantile at the current level.
const STEADY: f64 = 0.6;
/// The center moves only if at least this many of the newest delays are on the same side of it.
const AGREEING: usize = 13;
const INTERVALS: f64 = 64.0;
/// Intervals between messages are clamped to this many ticks (10 s).
const LONGEST_INTERVAL: i64 = 100_000_000;

/// The allowance may exceed its target by this fraction of the spread.
const HYSTERESIS: f64 = 0.125;
/// The hysteresis is at least this many ticks (0.5 ms).
const LEAST_HYSTERESIS: f64 = 5_000.0;
/// The allowance falls at least at this rate, because players do not notice a game that runs 2 % slow.
const FALL: f64 = 0.02;
/// A larger excess decays with this time constant in ticks (1 s), so that congestion does not have a lasting
/// effect.
const FALL_TIME: f64 = 10_000_000.0;
const FASTEST_FALL: f64 = 0.25;

#[derive(Clone, Copy, Debug)]
pub(super) struct Foreseen {
    center: i64,
    allowance: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Delays {
    share: f64,
    window: Window,
    level: f64,
    interval: f64,
    /// The number of messages since the last stored delay, times the mean interval in ticks.
    since_kept: f64,
    latest: Option<i64>,
    newest: [i64; NEWEST],
    count: usize,
    center: i64,
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
            newest: [0; NEWEST],
            count: 0,
            center: 0,
            allowance: 0.0,
        })
    }

    pub(super) fn forget(&mut self) {
        self.window.clear();
        (self.level, self.interval, self.since_kept) = (self.share, SPACING, 0.0);
        (self.latest, self.count, self.center, self.allowance) = (None, 0, 0, 0.0);
    }

    pub(super) fn foreseen(&self) -> Option<Foreseen> {
        self.latest.map(|_| Foreseen { center: self.center, allowance: self.allowance })
    }

    pub(super) fn allowance(&self) -> Option<Span> {
        self.latest.map(|_| Span::from_ticks(self.allowance.ceil() as i64))
    }

    /// `delay` and `arrived` are in ticks. `foreseen` is the prediction made when the message was sent.
    pub(super) fn add(&mut self, arrived: i64, delay: i64, foreseen: Option<Foreseen>) {
        let first = self.latest.is_none();
        if first {
            self.center = delay;
        }
        let latest = self.latest.unwrap_or(arrived);
        let elapsed = arrived.saturating_sub(latest).clamp(0, LONGEST_INTERVAL) as f64;
        self.latest = Some(latest.max(arrived));
        if let Some(Foreseen { allowance, .. }) = foreseen {
            let weight = (elapsed / self.interval.max(1.0)).min(1.0);
            let (allowed, is_late) = (1.0 - self.share, delay as f64 > allowance);
            let level = self.level + GAIN * allowed * (f64::from(u8::from(is_late)) - allowed) * weight;
            self.level = level.max(self.share - BELOW * allowed).min(1.0 + ABOVE * allowed);
        }
        if !first {
            self.interval += (elapsed - self.interval) / INTERVALS;
        }
        // Add the mean interval instead of the elapsed time, so that every message of a delayed burst counts.
        self.since_kept += self.interval;
        if first || self.since_kept >= SPACING {
            self.since_kept = (self.since_kept - SPACING).min(SPACING);
            let center = foreseen.map_or(self.center, |foreseen| foreseen.center);
            self.window.add(latest.max(arrived), delay.saturating_sub(center));
        }
        self.newest[self.count % NEWEST] = delay;
        self.count += 1;
        self.follow(elapsed, first);
        debug_assert!(self.allowance.is_finite(), "a delay is a number: {}", self.allowance);
        debug_assert!(self.interval >= 0.0, "arrivals are in order: {}", self.interval);
    }

    fn follow_newest(&mut self, spread: f64) {
        let mut newest = self.newest;
        let (newest, center) = (&mut newest[..self.count.min(NEWEST)], self.center);
        let above = newest.iter().filter(|&&delay| delay > center).count();
        let agreeing = above.max(newest.len() - above);
        if agreeing * NEWEST < AGREEING * newest.len() {
            return;
        }
        let (_, &mut median, _) = newest.select_nth_unstable(newest.len() / 2);
        if median.abs_diff(center) as f64 > STEADY * spread {
            self.center = median;
        }
    }

    fn follow(&mut self, elapsed: f64, first: bool) {
        let quantiles = self.window.quantile(self.level).zip(self.window.quantile(0.5));
        let Some((most, usual)) = quantiles else { return };
        let spread = (most - usual).max(0.0);
        self.follow_newest(spread);
        let target = self.center as f64 + most;
        if first || target > self.allowance {
            self.allowance = target;
        } else if self.allowance > target + (spread * HYSTERESIS).max(LEAST_HYSTERESIS) {
            let pace = ((self.allowance - target) / FALL_TIME).clamp(FALL, FASTEST_FALL);
            self.allowance = (self.allowance - pace * elapsed).max(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval between messages at 30 per second, in ticks.
    const INTERVAL: i64 = 333_333;
    const MS: i64 = 10_000;

    fn noise(index: i64, most: i64) -> i64 {
        let mixed = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33) as i64 % most
    }

    fn run(delays: &mut Delays, from: i64, to: i64, delay: impl Fn(i64) -> i64) -> (f64, Span) {
        let mut in_time = 0;
        for index in from..to {
            let delay = delay(index);
            in_time += i64::from(delays.allowance().is_some_and(|allowance| delay <= allowance.ticks()));
            delays.add(index * INTERVAL, delay, delays.foreseen());
        }
        (in_time as f64 / (to - from) as f64, delays.allowance().expect("messages were added"))
    }

    #[test]
    fn longer_and_shorter_routes_are_followed_within_seconds() {
        let mut delays = Delays::new(0.95).expect("there is memory");
        let short = |index| 20 * MS + noise(index, 4 * MS);
        run(&mut delays, 0, 3_000, short);
        let (_, allowance) = run(&mut delays, 3_000, 3_060, |index| short(index) + 50 * MS);
        assert!(allowance > Span::from_millis(70), "two seconds later: {allowance}");
        let (in_time, _) = run(&mut delays, 3_060, 6_000, |index| short(index) + 50 * MS);
        assert!(in_time > 0.94, "{in_time}");
        let (_, allowance) = run(&mut delays, 6_000, 6_090, short);
        assert!(allowance < Span::from_millis(30), "three seconds later: {allowance}");
    }

    #[test]
    fn a_past_congested_period_is_forgotten() {
        for (seconds, more) in [(1, 200), (5, 100), (10, 100), (10, 500), (30, 200)] {
            // At a quantile of 99 %, the first congested delays keep the allowance high until they leave the
            // window, because they are 1 % of it.
            for (share, passed) in [(0.95, 5), (0.99, 70)] {
                let mut delays = Delays::new(share).expect("there is memory");
                let calm = |index| 25 * MS + noise(index, 9 * MS);
                run(&mut delays, 0, 3_000, calm);
                let end = 3_000 + 30 * seconds;
                run(&mut delays, 3_000, end, |index| calm(index) + more * MS);
                let (_, after) = run(&mut delays, end, end + 30 * passed, calm);
                assert!(after < Span::from_millis(36), "{share}, {seconds} s of {more} ms: {after}");
            }
        }
    }

    #[test]
    fn the_allowance_rarely_falls_on_a_steady_path() {
        let mut delays = Delays::new(0.95).expect("there is memory");
        run(&mut delays, 0, 1_000, |index| 20 * MS + noise(index, 10 * MS));
        let mut falls = 0;
        let mut last = delays.allowance();
        for index in 1_000..10_000 {
            delays.add(index * INTERVAL, 20 * MS + noise(index, 10 * MS), delays.foreseen());
            falls += i32::from(delays.allowance() < last);
            last = delays.allowance();
        }
        assert!(falls < 180, "{falls} of 9000");
    }

    #[test]
    fn bunched_late_messages_count_like_others() {
        // The path stalls for one second in ten. During a stall, 10 % of all messages are sent, and they
        // arrive when it ends.
        let mut delays = Delays::new(0.8).expect("there is memory");
        let (period, stall) = (300, 30);
        for index in 0..12_000_i64 {
            let within = index % period;
            let end = (index - within + stall) * INTERVAL;
            let delay = if within < stall { end - index * INTERVAL } else { MS };
            delays.add(index * INTERVAL + delay, delay, delays.foreseen());
        }
        let allowance = delays.allowance().expect("messages were added");
        assert!(allowance < Span::from_millis(20), "10 % late messages count as 20 %: {allowance}");
    }

    #[test]
    fn jumping_timestamps_are_harmless() {
        let mut delays = Delays::new(0.95).expect("there is memory");
        for (index, at) in [i64::MAX, i64::MIN, 0, -1, 1].into_iter().cycle().take(1_000).enumerate() {
            delays.add(at, if index % 2 == 0 { i64::MAX } else { i64::MIN }, delays.foreseen());
            assert!(delays.allowance.is_finite());
        }
    }
}
