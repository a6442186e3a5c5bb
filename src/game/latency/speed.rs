//! Plans a playback speed that compensates for a time shift. The speed ramps away from 1 and back, so that
//! the avatar gains exactly the shift.
//!
//! The local avatar plays at speed `scale`. `done`, the integral of `scale - 1`, is how far the avatar is
//! ahead of real time. If the latency rises by `d`, the server receives the player's actions `d` later. The
//! local avatar stays in step with the server's avatar if `done` is `-d`.
//!
//! To hide a shift as fast as possible, the speed ramps up at a constant rate, holds at its limit if
//! necessary, and ramps down. If another shift occurs in the meantime, a new plan starts at the current
//! speed.

use crate::clock::{LocalTime, Span};

/// Maximum deviation of the speed from 1.
const LIMIT: f64 = 0.1;
/// How much the speed changes per second. It takes 250 ms to reach its maximum deviation from 1.
const PACE: f64 = LIMIT / 0.25;
/// Shifts are clamped to this many seconds. Such a shift takes 20 s to hide at a speed deviation of 0.1.
const MOST_S: f64 = 2.0;
/// Shifts below this many seconds (half a tick) are ignored.
const NOTHING_S: f64 = 0.5e-7;

/// The playback speed of the local avatar at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Playback speed, usually 1. The speed falls smoothly after a latency increase and rises after a
    /// decrease.
    pub scale: f64,
    /// How far the avatar has moved ahead of real time since the watch was created. The value is negative if
    /// the avatar is behind. Playing the avatar at `now + done` is exact in every frame, regardless of the
    /// frame lengths.
    pub done: Span,
    /// The remaining change of `done`.
    pub remaining: Span,
    /// Whether a change is being hidden. If no change is being hidden, `scale` is 1 and `remaining` is zero.
    pub is_hiding: bool,
}

/// Times are in seconds since the start of the plan, and speeds are differences from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpeedPlan {
    start: LocalTime,
    ends: [f64; 3],
    first: f64,
    peak: f64,
    /// `shift` and `before` are in ticks.
    shift: i64,
    before: i64,
}

impl SpeedPlan {
    pub(super) const NONE: Self = SpeedPlan {
        start: LocalTime::from_ticks(0),
        ends: [0.0; 3],
        first: 0.0,
        peak: 0.0,
        shift: 0,
        before: 0,
    };

    pub(super) fn at(&self, now: LocalTime) -> Speed {
        let [rise, hold, end] = self.ends;
        let t = (now - self.start).as_secs_f64().max(0.0);
        if t >= end {
            let done = Span::from_ticks(self.before.saturating_add(self.shift));
            return Speed { scale: 1.0, done, remaining: Span::ZERO, is_hiding: false };
        }
        // The avatar's gain during a ramp is the area of a trapezoid.
        let ramp = |from: f64, to: f64, part: f64, t: f64| {
            let speed = if part > 0.0 { from + (to - from) * (t / part) } else { to };
            (speed, (from + speed) / 2.0 * t)
        };
        let (speed, remaining) = if t >= hold {
            // Compute the area of the remaining triangle directly, to avoid accumulated rounding errors.
            let left = end - t;
            let speed = self.peak * (left / (end - hold));
            (speed, speed * left / 2.0)
        } else {
            let area = self.shift as f64 * 1e-7;
            let (speed, played) = ramp(self.first, self.peak, rise, t.min(rise));
            (speed, area - played - self.peak * (t - rise).max(0.0))
        };
        debug_assert!(speed.abs() <= LIMIT + 1e-9, "the speed exceeds the maximum: {speed}");
        let remaining = Span::from_secs_f64(remaining);
        let done = Span::from_ticks(self.before.saturating_add(self.shift)) - remaining;
        Speed { scale: 1.0 + speed, done, remaining, is_hiding: true }
    }

    pub(super) fn add(&mut self, shift: Span, now: LocalTime) {
        let present = self.at(now);
        let most = (MOST_S * 1e7) as i64;
        let shift = (present.remaining + shift).ticks().clamp(-most, most);
        let (first, area) = (present.scale - 1.0, shift as f64 * 1e-7);
        *self = SpeedPlan { start: now, first, shift, before: present.done.ticks(), ..*self };
        // Braking to a speed of 1 immediately gains this much, so speed up if the gain is too small.
        let braking = first * first.abs() / (2.0 * PACE);
        let sign = if area >= braking { 1.0 } else { -1.0 };
        let (first, area) = (sign * first, sign * area);
        // Ramping from `first` to the peak and down to zero gains (2 peak^2 - first^2) / (2 pace).
        let highest = (PACE * area + first * first / 2.0).max(0.0).sqrt();
        let peak = highest.min(LIMIT);
        let sides = (2.0 * peak * peak - first * first) / (2.0 * PACE);
        let hold = if highest > LIMIT { (area - sides) / peak } else { 0.0 };
        let rise = (peak - first).max(0.0) / PACE;
        self.peak = sign * peak;
        debug_assert!(rise >= 0.0 && hold > -1e-9 && peak >= 0.0, "{rise} s up, {hold} s at {peak}");
        self.ends = [rise, rise + hold, rise + hold + peak / PACE];
        if area.abs() < NOTHING_S && first.abs() < 1e-12 {
            self.ends = [0.0; 3];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 10_000;

    fn at(ms: f64) -> LocalTime {
        LocalTime::from_ticks((ms * MS as f64) as i64 + 77_000_000_000)
    }

    fn hidden(ms: i64) -> Speed {
        Speed { scale: 1.0, done: Span::from_millis(ms), remaining: Span::ZERO, is_hiding: false }
    }

    fn play(plan: &SpeedPlan, from: f64, to: f64) -> f64 {
        let (mut played, mut last) = (0.0, plan.at(at(from)));
        for step in 1..=((to - from) * 2.0) as i64 {
            let speed = plan.at(at(from + step as f64 / 2.0));
            assert!((0.9 - 1e-9..=1.1 + 1e-9).contains(&speed.scale), "{speed:?}");
            assert!((speed.scale - last.scale).abs() <= 0.4 * 0.0005 + 1e-7, "{last:?}, {speed:?}");
            played += ((speed.scale + last.scale) / 2.0 - 1.0) * 0.5;
            assert!(((speed.done - last.done).as_millis_f64() - (speed.scale - 1.0) * 0.5).abs() < 3e-4);
            assert_eq!(speed.done + speed.remaining, last.done + last.remaining);
            last = speed;
        }
        played
    }

    #[test]
    fn shifts_add_up_during_a_speed_change() {
        for when in [0.0, 30.0, 120.0, 250.0, 300.0, 420.0, 630.0, 649.9, 800.0] {
            for second in [-300_i64, -40, -7, -1, 0, 1, 12, 40, 41, 80, 300] {
                let mut plan = SpeedPlan::NONE;
                plan.add(Span::from_millis(-40), at(0.0));
                let first = play(&plan, 0.0, when);
                let before = plan.at(at(when));
                plan.add(Span::from_millis(second), at(when));
                let after = plan.at(at(when));
                assert!((before.scale - after.scale).abs() < 1e-9, "{when}, {second}: the speed jumps");
                assert_eq!(before.done, after.done, "{when}, {second}");
                let played = first + play(&plan, when, when + 5_000.0);
                assert!((played - (second - 40) as f64).abs() < 0.2, "{when}, {second}: {played}");
                let end = plan.at(at(when + 5_000.0));
                assert_eq!(end, hidden(second - 40));
            }
        }
    }
}
