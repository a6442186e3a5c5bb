//! Detects holdover, a bound above the target, and the recovery from both.

use super::config::Config;
use crate::clock::ground::time::{LocalTime, Span};

/// Requests count as separate attempts if they are at least a round trip plus this time apart. By then, the
/// first one has been answered or lost.
const APART: Span = Span::from_millis(500);

/// If a run of lost requests is less likely than this, we assume that the server has stopped replying.
const RARELY: f64 = 1e-5;
const LEAST_LOSS: f64 = 0.02;
const MOST_LOSS: f64 = 0.9;
const WINDOW: f64 = 64.0;

#[derive(Clone, Debug)]
pub(super) struct Quality {
    holdover_after: Span,
    /// This is twice the target bound, because an interval is twice as wide as its bound.
    target_width: Span,
    last_reply: Option<LocalTime>,
    /// The number of separate attempts since the last reply, and the time of the latest one. The time is
    /// `None` if the caller sends unscheduled requests.
    tries: u32,
    asked: Option<LocalTime>,
    loss: f64,
    weight: f64,
    pub(super) is_holdover: bool,
    above_target: bool,
}

impl Quality {
    pub(super) fn new(config: &Config) -> Self {
        Quality {
            holdover_after: config.holdover_after,
            target_width: config.target_bound + config.target_bound,
            last_reply: None,
            tries: 0,
            asked: None,
            loss: LEAST_LOSS,
            weight: 0.0,
            is_holdover: false,
            above_target: false,
        }
    }

    pub(super) fn asked(&mut self, now: LocalTime, round_trip: Span) {
        if self.asked.is_none_or(|asked| (now - asked).abs() >= APART + round_trip) {
            self.tries = self.tries.saturating_add(1);
            self.asked = Some(now);
        }
    }

    /// Requests that are lost during an outage do not count towards the loss rate.
    fn learn_loss(&mut self) {
        if self.is_holdover || self.tries == 0 {
            return;
        }
        self.weight = (self.weight + f64::from(self.tries)).min(WINDOW);
        let share = (f64::from(self.tries) / self.weight).min(1.0);
        self.loss += share * (f64::from(self.tries - 1) / f64::from(self.tries) - self.loss);
        self.loss = self.loss.clamp(LEAST_LOSS, MOST_LOSS);
    }

    fn is_unanswered(&self) -> bool {
        let lost_in_a_row = RARELY.ln() / self.loss.ln();
        // The most recent request does not count yet, because it may still be answered.
        self.asked.is_none() || f64::from(self.tries) > lost_in_a_row.ceil()
    }

    /// Returns true only in the call in which a holdover starts.
    pub(super) fn turns_to_holdover(&mut self, now: LocalTime) -> bool {
        let is_old = self.last_reply.is_some_and(|last| now - last > self.holdover_after);
        let is_silent = is_old && self.is_unanswered();
        let turns = is_silent && !self.is_holdover;
        self.is_holdover |= is_silent;
        turns
    }

    /// Returns true only in the call in which the interval first exceeds the target.
    pub(super) fn exceeds_target(&mut self, width: Option<Span>) -> bool {
        let exceeds = !self.above_target && self.is_wide(width);
        self.above_target |= exceeds;
        exceeds
    }

    /// Records a reply that led to an interval of this `width`. Returns true if the clock was degraded or
    /// doubtful and is now good. A clock that was never shown (`is_counted` is false) cannot recover.
    pub(super) fn recovers(
        &mut self,
        now: LocalTime,
        was_doubtful: bool,
        width: Option<Span>,
        is_counted: bool,
    ) -> bool {
        self.learn_loss();
        (self.last_reply, self.tries) = (Some(now), 0);
        let was_degraded = was_doubtful || self.is_holdover || self.above_target;
        self.is_holdover = false;
        let still_above = self.above_target && self.is_wide(width);
        let recovers = was_degraded && !still_above && is_counted;
        self.above_target &= !recovers;
        recovers
    }

    pub(super) fn forget_last_reply(&mut self) {
        (self.last_reply, self.tries) = (None, 0);
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
    fn holdover_is_reported_once_and_ends_with_a_reply() {
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
    fn a_lossy_path_is_silent_after_more_losses_than_usual() {
        for (lost, silent_from) in [(0, 4), (1, 18)] {
            let mut quality = Quality::new(&Config::default());
            let mut second = 0;
            let mut ask = |quality: &mut Quality| {
                second += 10;
                quality.asked(at(second), Span::from_millis(40));
                at(second)
            };
            for _ in 0..100 {
                for _ in 0..lost {
                    ask(&mut quality);
                }
                let asked = ask(&mut quality);
                assert!(!quality.turns_to_holdover(asked));
                quality.recovers(asked, false, NARROW, true);
            }
            let tries = (1..).find(|_| {
                let asked = ask(&mut quality);
                quality.turns_to_holdover(asked)
            });
            assert_eq!(tries, Some(silent_from), "{lost} lost before each reply");
        }
    }

    #[test]
    fn a_wide_bound_is_reported_once_until_it_is_narrow() {
        let mut quality = Quality::new(&Config::default());
        assert!(!quality.exceeds_target(None) && !quality.exceeds_target(NARROW));
        assert!(quality.exceeds_target(WIDE));
        assert!(!quality.exceeds_target(WIDE));
        assert!(!quality.recovers(at(1), true, WIDE, true), "still wide");
        assert!(!quality.recovers(at(1), true, NARROW, false), "not shown yet");
        assert!(quality.recovers(at(2), false, NARROW, true));
        assert!(!quality.recovers(at(3), false, NARROW, true));
        assert!(quality.recovers(at(4), true, NARROW, true), "the clock is no longer doubtful");
    }
}
