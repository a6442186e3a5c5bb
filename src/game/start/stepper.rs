//! Computes how many simulation steps of fixed length to run.

use super::beat::Beat;
use crate::clock::ServerTime;

/// The steps to run in this frame, numbered from `first` to `first + count - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Steps {
    /// Number of the first step.
    pub first: i64,
    /// Number of steps to run.
    pub count: u32,
    /// Number of steps skipped just before `first` because too many were due.
    pub skipped: i64,
    /// Number of further steps that are due but wait for the next frame.
    pub behind: i64,
    /// Elapsed fraction of the current beat, from 0 to just below 1, for interpolation between steps.
    pub alpha: f64,
}

/// Counts the steps of a simulation at the rate of a [`Beat`]. If the simulation can roll back, copy the
/// stepper along with the simulation state.
///
/// Even if the clock jumps, the stepper never returns a number twice. It counts every omitted number in
/// [`Steps::skipped`]. After a backward jump, no step is due until the clock reaches the old time again.
///
/// ```
/// use netclock::start::{Beat, Stepper};
/// use netclock::{ServerTime, Span};
///
/// let start = ServerTime::from_ticks(0);
/// let mut stepper = Stepper::new(Beat::new(start, 60, 1)?, Some(0), 8, None);
/// let steps = stepper.advance(start + Span::from_millis(60)); // in a frame, 60 ms after the start
/// assert_eq!((steps.first, steps.count), (0, 4));
/// assert_eq!(stepper.beat().time_of(60), start + Span::from_secs(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepper {
    beat: Beat,
    next: i64,
    has_begun: bool,
    most_steps: u32,
    most_behind: i64,
}

impl Stepper {
    /// Creates a stepper.
    ///
    /// If `first` is set, the stepper starts at that number and catches up on all steps that are already due.
    /// If `first` is `None`, the stepper starts at the current beat of the first call, or at beat 0 if that
    /// call is before the origin. Use `None` for a client that joins a long-running server, for example.
    ///
    /// Each call returns at most `most_steps` steps (at least 1). If more than `most_behind` steps are due,
    /// the oldest steps are skipped until that many are left. If `most_behind` is `None`, no step is ever
    /// skipped, as lockstep simulations require.
    pub fn new(beat: Beat, first: Option<i64>, most_steps: u32, most_behind: Option<u32>) -> Self {
        Stepper {
            beat,
            next: first.unwrap_or(0),
            has_begun: first.is_some(),
            most_steps: most_steps.max(1),
            most_behind: most_behind.map_or(i64::MAX, |most| i64::from(most).max(1)),
        }
    }

    /// Returns the beat that numbers the steps.
    pub fn beat(&self) -> &Beat {
        &self.beat
    }

    /// Returns the number of the next step to run.
    pub fn next(&self) -> i64 {
        self.next
    }

    /// Returns the steps to run at `now`. Step `n` is due at the start of beat `n`.
    pub fn advance(&mut self, now: ServerTime) -> Steps {
        let (number, alpha) = self.beat.at(now);
        let due = number.saturating_add(1).saturating_sub(self.next).max(0);
        let most = if self.has_begun { self.most_behind } else { 1 };
        self.has_begun = true;
        let skipped = (due - most).max(0);
        let count = (due - skipped).min(i64::from(self.most_steps));
        let first = self.next + skipped;
        self.next = first + count;
        Steps { first, count: count as u32, skipped, behind: due - skipped - count, alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Span;

    const ORIGIN: ServerTime = ServerTime::from_ticks(77);

    fn stepper(most_steps: u32, most_behind: Option<u32>) -> Stepper {
        Stepper::new(Beat::new(ORIGIN, 60, 1).expect("in range"), Some(0), most_steps, most_behind)
    }

    fn after(millis: i64) -> ServerTime {
        ORIGIN + Span::from_millis(millis)
    }

    #[test]
    fn every_step_runs_once_in_a_day_of_uneven_frames() {
        let mut stepper = Stepper::new(Beat::new(ORIGIN, 60_000, 1001).expect("in range"), Some(0), 5, None);
        let (mut now, mut expected, mut word) = (ORIGIN, 0, 1_u64);
        while now - ORIGIN < Span::from_secs(86_400) {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            now += Span::from_micros(4_000 + (word >> 49) as i64);
            let steps = stepper.advance(now);
            assert_eq!((steps.first, steps.skipped), (expected, 0));
            expected += i64::from(steps.count);
            let due = stepper.beat().at(now).0 + 1;
            assert_eq!(expected + steps.behind, due, "all due steps run or are reported");
        }
        assert!(expected > 5_178_000, "{expected}: 59.94 per second for a day");
    }

    #[test]
    fn nothing_is_due_before_the_origin() {
        let mut stepper = stepper(4, None);
        assert_eq!(stepper.advance(after(-1)).count, 0);
        assert_eq!(stepper.advance(after(0)), Steps { first: 0, count: 1, ..Steps::default() });
        assert_eq!(stepper.advance(after(0)).count, 0, "not twice");
    }

    #[test]
    fn late_joiners_begin_with_the_current_beat() {
        let days = Span::from_secs(3 * 86_400);
        let new = |first| Stepper::new(Beat::new(ORIGIN, 60, 1).expect("in range"), first, 5, None);
        let mut joins = new(None);
        let steps = joins.advance(ORIGIN + days);
        assert_eq!((steps.first, steps.count, steps.behind), (15_552_000, 1, 0));
        assert_eq!(steps.skipped, 15_552_000, "skipped steps are reported");
        let steps = joins.advance(ORIGIN + days + Span::from_secs(1));
        assert_eq!((steps.first, steps.count, steps.skipped, steps.behind), (15_552_001, 5, 0, 55));
        // A stepper that is created before the origin or with a `first` step runs all steps.
        let mut early = new(None);
        assert_eq!(early.advance(after(-5)).count, 0);
        assert_eq!((early.advance(after(50)).first, early.next()), (0, 4));
        assert_eq!(new(Some(0)).advance(ORIGIN + days).behind, 15_551_996);
    }

    #[test]
    fn a_hitch_is_caught_up_over_several_frames() {
        let mut stepper = stepper(4, None);
        let steps = stepper.advance(after(1000));
        assert_eq!((steps.first, steps.count, steps.skipped, steps.behind), (0, 4, 0, 57));
        let steps = stepper.advance(after(1000));
        assert_eq!((steps.first, steps.count, steps.behind), (4, 4, 53));
        assert_eq!((steps.skipped, stepper.next()), (0, 8));
    }

    #[test]
    fn skipped_steps_are_reported() {
        let mut stepper = stepper(4, Some(10));
        let steps = stepper.advance(after(1000));
        assert_eq!((steps.skipped, steps.first, steps.count, steps.behind), (51, 51, 4, 6));
        assert_eq!(stepper.next(), 55);
    }

    #[test]
    fn no_step_repeats_after_a_backward_jump() {
        let mut stepper = stepper(u32::MAX, None);
        assert_eq!(stepper.advance(after(1000)).count, 61);
        assert_eq!(stepper.advance(after(500)), Steps { first: 61, count: 0, ..Steps::default() });
        assert_eq!(stepper.advance(after(1017)).first, 61);
    }
}
