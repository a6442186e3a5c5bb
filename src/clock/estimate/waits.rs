//! Waiting for the next frame: the delay that a game's own loop adds, and that no minimum removes.
//!
//! A message that is handled at frame boundaries a period `P` apart waits up to `P`. If messages meet the
//! frame at many moments, some message hardly waits, and the smallest delay is free of the wait. But frame
//! rates in an exact ratio meet at the same moment every time. Then all messages wait alike, and nothing in
//! the stamps shows how long. The best guess is half of what may be hidden, with the deviation of a uniform
//! distribution.
//!
//! The delays above the smallest one show how much may be hidden. Waits that are uniform over the whole
//! period exceed their smallest by `P / 2` on average. Waits that are always the same exceed it by nothing.
//! So with `g` the mean excess, cut off at `P`, the hidden part is `P - 2 g`. It depends on how the jitter
//! divides the messages between one frame and the next: the nearer the boundary, the more of them miss it.
//!
//! A mean needs many exchanges: of `n` even waits it errs by `P / sqrt(12 n)`, and their range by `P / n`. So
//! the first ones are judged by their range, as far as they are spread.
//!
//! Two crystals time the two frame loops, so even an exact ratio slides. A wait grows until it is a whole
//! frame and falls back to nothing, or the reverse. Phases are *locked* while all messages meet the frame
//! at nearly the same phase. Then two things follow. A bound loses worth with age, at the rate at which the
//! crystals slide. And a bound from before a wait fell back may still be the tightest. Then all messages
//! come a frame after it, `P - 2 g` is negative, and the bound is beyond the truth by that much.
//!
//! To see whether phases are locked, take the gaps as angles, `2 pi gap / P`, so that a whole frame is no
//! distance. The squared length of their mean is 1 if they are all alike, and near 0 if they are spread (the
//! resultant of circular statistics).

use core::f64::consts::TAU;

use super::frequency::Posterior;
use super::history::Block;

/// Exchanges over which means are taken.
const MEMORY: f64 = 64.0;

/// From this many exchanges on, the mean alone tells what is hidden.
const MANY: f64 = 48.0;

/// Share of the period that is never ruled out. Even frames that drift past each other meet at few moments.
const UNMET: f64 = 1.0 / 12.0;

/// One direction.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Wait {
    /// Frame period at the receiver (s), zero if messages are handled on arrival.
    period: f64,
    /// The tightest bound when an exchange was last noted (s), turned so that smaller is tighter.
    floor: f64,
    /// Mean excess over the tightest bound, each cut off at the period (s).
    excess: f64,
    /// The largest excess so far, and the mean, of messages that did not miss their frame (s). They count
    /// only for the first exchanges.
    widest: f32,
    met: f32,
    /// Mean of the gaps as angles.
    cos: f32,
    sin: f32,
}

impl Wait {
    /// Takes in a bound `gap` beyond the tightest, which is at `floor` and was expected at `expected`.
    fn note(&mut self, gap: f64, floor: f64, expected: f64, count: f64) {
        if self.period == 0.0 {
            return;
        }
        if count > 1.0 {
            // Former gaps were measured from where the tightest bound was then.
            self.excess = self.within_frame(self.excess + expected - floor);
            let moved = |excess: f32| self.within_frame(f64::from(excess) + expected - floor) as f32;
            (self.widest, self.met) = (moved(self.widest), moved(self.met));
        }
        self.floor = floor;
        let (sin, cos) = (TAU * gap / self.period).sin_cos();
        self.excess += (self.within_frame(gap) - self.excess) / count;
        // After a whole frame comes what missed its own.
        let missed = gap > (1.0 - UNMET) * self.period;
        let met = if missed { 0.0 } else { self.within_frame(gap) as f32 };
        self.widest = self.widest.max(met);
        self.met += (met - self.met) / count as f32;
        self.cos += (cos as f32 - self.cos) / count as f32;
        self.sin += (sin as f32 - self.sin) / count as f32;
    }

    fn within_frame(&self, wait: f64) -> f64 {
        wait.clamp(0.0, self.period)
    }

    /// 0: messages meet the frame at any phase. 1: always at the same phase.
    fn locked(&self) -> f64 {
        f64::from(self.cos.powi(2) + self.sin.powi(2))
    }

    /// Mean excess over the tightest bound, as far as `count` exchanges tell (s).
    fn mean_excess(&self, count: f64) -> f64 {
        // The middle of waits that are spread evenly is better known by the largest, which is short of the
        // end by a part in `count`. What the mean knows besides is how many missed their frame.
        let middle = f64::from(self.widest) * (1.0 + 1.0 / count.max(1.0)) / 2.0;
        let few = (1.0 - (count / MANY).powi(2)).max(0.0);
        self.excess + (1.0 - self.locked()) * few * (middle - f64::from(self.met))
    }

    /// How long a wait the tightest bound may hide (s), after `count` exchanges. Negative: it lies beyond the
    /// truth.
    fn hidden(&self, count: f64) -> f64 {
        let apparent = self.period - 2.0 * self.mean_excess(count);
        // Jitter of more than a frame also brings a large excess, but then nothing is locked.
        if apparent >= 0.0 { apparent } else { self.locked() * apparent }
    }

    /// Variance of the hidden wait, up to a factor (s^2).
    fn spread(&self, count: f64) -> f64 {
        self.hidden(count).abs().max(UNMET * self.period).powi(2)
    }
}

/// The waits of both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waits {
    forward: Wait,
    reverse: Wait,
    count: f64,
    /// When an exchange was last noted (s).
    noted: f64,
}

impl Waits {
    pub(crate) fn new(server_frame: f64, client_frame: f64) -> Self {
        let wait = |period| Wait { period, ..Wait::default() };
        Waits { forward: wait(server_frame), reverse: wait(client_frame), count: 0.0, noted: 0.0 }
    }

    /// Periods of the frames that hold messages up and down (s).
    pub(crate) fn periods(&self) -> [f64; 2] {
        [self.forward.period, self.reverse.period]
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.forward.period, self.reverse.period);
    }

    /// Takes in one exchange.
    pub(crate) fn note(&mut self, block: &Block, posterior: &Posterior) {
        self.count = (self.count + 1.0).min(MEMORY);
        let (rate, support, now) = (posterior.mean, &posterior.support, block.lower.at);
        let grown = rate * (now - self.noted);
        self.noted = now;
        let (upper, lower) = (support.upper + rate * now, support.lower + rate * now);
        let forward = block.upper.intercept(rate) - support.upper;
        let reverse = support.lower - block.lower.intercept(rate);
        self.forward.note(forward, upper, self.forward.floor + grown, self.count);
        self.reverse.note(reverse, -lower, self.reverse.floor - grown, self.count);
    }

    /// 0: the frames do not matter. 1: a wait may slide unseen.
    pub(crate) fn locked(&self) -> f64 {
        self.forward.locked().max(self.reverse.locked())
    }

    /// The expected error of the offset from hidden waits, and its standard deviation (s).
    pub(crate) fn expected(&self) -> (f64, f64) {
        let sigma =
            (self.forward.spread(self.count) + self.reverse.spread(self.count)).sqrt() / 12_f64.sqrt();
        let bias = (self.forward.hidden(self.count) - self.reverse.hidden(self.count)) / 4.0;
        (bias, sigma / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f64 = 1.0 / 30.0;

    fn after(gaps: impl Iterator<Item = f64>) -> Wait {
        let mut wait = Wait { period: FRAME, ..Wait::default() };
        for (i, gap) in gaps.enumerate() {
            wait.note(gap, 0.0, 0.0, (i as f64 + 1.0).min(MEMORY));
        }
        wait
    }

    #[test]
    fn waits_that_are_always_the_same_may_hide_the_whole_frame() {
        let wait = after((0..50).map(|_| 0.0));
        assert_eq!(wait.hidden(MEMORY), FRAME);
        assert!((wait.locked() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn waits_that_differ_hide_little_and_lock_nothing() {
        let wait = after((0..200).map(|i| FRAME * f64::from(i * 37 % 100) / 100.0));
        assert!(wait.hidden(MEMORY).abs() < 0.1 * FRAME, "{}", wait.hidden(MEMORY));
        assert!(wait.locked() < 0.05, "{}", wait.locked());
        let jittery = after((0..200).map(|i| 1.0 + FRAME * f64::from(i * 37 % 100) / 100.0));
        assert!(jittery.hidden(MEMORY).abs() < 0.1 * FRAME, "jitter beyond a frame mixes the waits");
    }

    #[test]
    fn a_few_waits_show_by_their_range_what_is_hidden() {
        // A server of 10 frames per second asked by a client of 60: waits are whole frames of the client.
        let period = 0.1;
        let (mut squares, mut random) = (0.0, 1_u32);
        for _ in 0..40 {
            let mut wait = Wait { period, ..Wait::default() };
            for i in 0..12 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                wait.note(f64::from((random >> 16) % 6) / 60.0, 0.0, 0.0, f64::from(i + 1));
            }
            squares += (wait.hidden(12.0) - period / 6.0).powi(2) / 40.0;
        }
        assert!(squares.sqrt() < 0.012, "{} s", squares.sqrt());
    }

    #[test]
    fn a_bound_from_before_the_phase_fell_back_is_seen_through() {
        // All messages now come a frame later than the tightest bound: it is half a frame beyond the middle
        // of what a wait may be.
        let fallen = after((0..200).map(|_| FRAME));
        assert!((fallen.hidden(MEMORY) + FRAME).abs() < 1e-9, "{}", fallen.hidden(MEMORY));
        // Once that bound has given way to the present ones, they may hide a whole frame again.
        let mut replaced = fallen;
        replaced.note(0.0, FRAME, 0.0, MEMORY);
        assert!((replaced.hidden(MEMORY) - FRAME).abs() < 1e-9, "{}", replaced.hidden(MEMORY));
    }

    #[test]
    fn the_longer_frame_is_expected_to_hide_more() {
        let (bias, sigma) = Waits::new(1.0 / 30.0, 1.0 / 60.0).expected();
        assert!((bias - 1.0 / 240.0).abs() < 1e-12);
        assert!(sigma > 0.005 && sigma < 0.006);
        assert_eq!(Waits::new(0.0, 0.0).expected(), (0.0, 0.0));
    }
}
