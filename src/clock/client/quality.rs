//! Whether the clock is as good as it should be, and since when it is not.

use super::config::Config;
use crate::clock::ground::time::{LocalTime, Span};

/// Compares the age of the last reply and the width of the hard interval with what is configured.
#[derive(Clone, Debug)]
pub(super) struct Quality {
    holdover_after: Span,
    /// Width of the interval at the target bound: twice the bound.
    target_width: Span,
    last_reply: Option<LocalTime>,
    /// Whether replies are missing, and the clock runs on its estimated rate.
    pub(super) is_holdover: bool,
    above_target: bool,
}

impl Quality {
    pub(super) fn new(config: &Config) -> Self {
        Quality {
            holdover_after: config.holdover_after,
            target_width: config.target_bound + config.target_bound,
            last_reply: None,
            is_holdover: false,
            above_target: false,
        }
    }

    /// True once when replies have been missing for too long.
    pub(super) fn turns_to_holdover(&mut self, now: LocalTime) -> bool {
        let is_silent = self.last_reply.is_some_and(|last| now - last > self.holdover_after);
        let turns = is_silent && !self.is_holdover;
        self.is_holdover |= is_silent;
        turns
    }

    /// True once when the interval is wider than the target.
    pub(super) fn exceeds_target(&mut self, width: Option<Span>) -> bool {
        let exceeds = !self.above_target && self.is_wide(width);
        self.above_target |= exceeds;
        exceeds
    }

    /// A reply was used at `now`, and the interval is of this width. `is_counted`: the clock was shown
    /// before, so that it can recover. True if it was not good enough, or `was_doubtful`, and is good again.
    pub(super) fn recovers(
        &mut self,
        now: LocalTime,
        was_doubtful: bool,
        width: Option<Span>,
        is_counted: bool,
    ) -> bool {
        self.last_reply = Some(now);
        let was_degraded = was_doubtful || self.is_holdover || self.above_target;
        self.is_holdover = false;
        let still_above = self.above_target && self.is_wide(width);
        let recovers = was_degraded && !still_above && is_counted;
        self.above_target &= !recovers;
        recovers
    }

    /// Forgets when the last reply came, because the local clock was set back.
    pub(super) fn forget_last_reply(&mut self) {
        self.last_reply = None;
    }

    fn is_wide(&self, width: Option<Span>) -> bool {
        width.is_some_and(|width| width > self.target_width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Option<Span> = Some(Span::from_millis(501));
    const NARROW: Option<Span> = Some(Span::from_millis(500));

    fn at(seconds: i64) -> LocalTime {
        LocalTime::from_ticks(seconds * 10_000_000)
    }

    #[test]
    fn silence_is_said_once_and_ends_with_a_reply() {
        let mut quality = Quality::new(&Config::default());
        assert!(!quality.turns_to_holdover(at(100)), "there was no reply yet");
        assert!(!quality.recovers(at(100), false, NARROW, true));
        assert!(!quality.turns_to_holdover(at(115)));
        assert!(quality.turns_to_holdover(at(116)) && !quality.turns_to_holdover(at(117)));
        assert!(quality.is_holdover);
        assert!(quality.recovers(at(118), false, NARROW, true) && !quality.is_holdover);
        quality.forget_last_reply();
        assert!(!quality.turns_to_holdover(at(200)));
    }

    #[test]
    fn a_wide_bound_is_said_once_and_has_to_become_narrow() {
        let mut quality = Quality::new(&Config::default());
        assert!(!quality.exceeds_target(None) && !quality.exceeds_target(NARROW));
        assert!(quality.exceeds_target(WIDE));
        assert!(!quality.exceeds_target(WIDE));
        assert!(!quality.recovers(at(1), true, WIDE, true), "still wide");
        assert!(!quality.recovers(at(1), true, NARROW, false), "not shown yet");
        assert!(quality.recovers(at(2), false, NARROW, true));
        assert!(!quality.recovers(at(3), false, NARROW, true));
        assert!(quality.recovers(at(4), true, NARROW, true), "doubt is over");
    }
}
