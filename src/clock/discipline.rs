//! Steers the shown clock towards the estimate. It steps only where a step is declared.

use super::mapping::Mapping;
use crate::time::{LocalTime, ServerTime, Span};

/// A new correction does not change what is shown within this time of the writer's `now`, before and after. The local time
/// of a reader may be a little older or newer (another thread, the rest of the frame). It then reads what it would have
/// read before the correction.
const LEAD: Span = Span::from_millis(20);

/// Small corrections are spread over this time. Larger ones take as long as the slew limit demands.
const GENTLE: Span = Span::from_millis(250);

/// What steering did to the shown clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steering {
    /// Nothing visible, or a slew within the limit.
    Slewed,
    /// The clock jumped forwards by this much, and the jump has to be declared.
    Jumped(Span),
}

/// Holds the shown clock and its limits.
#[derive(Clone, Debug)]
pub(crate) struct Discipline {
    mapping: Option<Mapping>,
    /// A correction was postponed, because the mapping would have lost what may have been read.
    behind: bool,
    /// Largest deviation of the shown rate from 1.
    max_slew: f64,
    step_threshold: Span,
}

impl Discipline {
    pub(crate) fn new(max_slew: f64, step_threshold: Span) -> Self {
        // After a jump forwards, readers must be ahead of what they may have read already. But either line may have
        // slewed against the other while both were read.
        let least = Span::from_ticks((4.0 * max_slew * LEAD.ticks() as f64).ceil() as i64);
        Discipline { mapping: None, behind: false, max_slew, step_threshold: step_threshold.max(least) }
    }

    pub(crate) fn mapping(&self) -> Option<&Mapping> {
        self.mapping.as_ref()
    }

    /// Shows `server` at `now` and runs at `rate` from there, whatever was shown before. The caller declares it.
    pub(crate) fn restart(&mut self, now: LocalTime, server: ServerTime, rate: f64) {
        self.mapping = Some(Mapping::straight(now, server, self.limit(rate)));
        self.behind = false;
    }

    /// Whether a postponed correction can be made now: steer once more.
    pub(crate) fn is_behind(&self, now: LocalTime) -> bool {
        self.behind && self.mapping.is_some_and(|shown| !is_crowded(&shown, now))
    }

    /// Steers towards a clock that reads `server` at `now` and advances by `1 + rate`.
    ///
    /// What may be read within [`LEAD`] stays as it is. That includes a correction which is about to begin; the new one is
    /// then postponed.
    pub(crate) fn steer(&mut self, now: LocalTime, server: ServerTime, rate: f64) -> Steering {
        let Some(shown) = self.mapping else {
            self.restart(now, server, rate);
            return Steering::Slewed;
        };
        let rate = self.limit(rate);
        // A correction that nobody can have read is replaced where it would have begun.
        let start = shown.slew_start().max(now + LEAD);
        let ahead = start - now;
        let target = server + ahead + Span::from_ticks((ahead.ticks() as f64 * rate).round() as i64);
        let from = shown.server_at(start);
        let correction = target - from;
        if correction > self.step_threshold {
            let jump = server - shown.server_at(now);
            self.restart(now, server, rate);
            return Steering::Jumped(jump);
        }
        self.behind = is_crowded(&shown, now);
        if self.behind {
            return Steering::Slewed;
        }
        // What the limit leaves for the correction after the clock's own rate.
        let room = (self.max_slew - rate.abs()).max(self.max_slew / 2.0);
        let needed = (correction.ticks() as f64 / room).abs().ceil();
        let duration = Span::from_ticks(needed as i64).max(GENTLE);
        let rate_slew = self.limit(rate + correction.ticks() as f64 / duration.ticks() as f64);
        self.mapping = Some(shown.bent(now - LEAD, start, rate_slew, duration, rate));
        Steering::Slewed
    }

    fn limit(&self, rate: f64) -> f64 {
        // Not `clamp`: see `waits.rs`.
        rate.max(-self.max_slew).min(self.max_slew)
    }
}

/// Whether a correction would change what may have been read. Either another one is about to begin, or the line that may
/// be read has more bends than the one that the mapping keeps.
fn is_crowded(shown: &Mapping, now: LocalTime) -> bool {
    let about_to_begin = now < shown.slew_start() && shown.slew_start() < now + LEAD;
    about_to_begin || shown.bends(now - LEAD, now + LEAD) > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLEW: f64 = 0.05;

    fn clock() -> Discipline {
        let mut clock = Discipline::new(SLEW, Span::from_millis(250));
        clock.restart(local(0), server(1_000_000), 0.0);
        clock
    }
    fn local(millis: i64) -> LocalTime {
        LocalTime::from_ticks(millis * 10_000)
    }
    fn server(micros: i64) -> ServerTime {
        ServerTime::from_ticks(micros * 10)
    }
    fn shown(clock: &Discipline, now: LocalTime) -> ServerTime {
        clock.mapping().map_or(server(0), |mapping| mapping.server_at(now))
    }

    #[test]
    fn a_correction_is_worked_off_within_the_limit_and_exactly() {
        for micros in [-200_000, -900, 0, 17, 249_000] {
            let mut clock = clock();
            let now = local(1_000);
            assert_eq!(clock.steer(now, server(2_000_000 + micros), 0.0), Steering::Slewed);
            let mut last = shown(&clock, now);
            assert_eq!(last, server(2_000_000), "no step");
            for millis in 1_001..7_000 {
                let reading = shown(&clock, local(millis));
                let deviation = (reading - last).ticks() as f64 / 10_000.0 - 1.0;
                assert!(deviation.abs() <= SLEW + 1.0 / 10_000.0, "{deviation} at {millis} ms");
                last = reading;
            }
            assert!((last - server(7_999_000 + micros)).abs().ticks() <= 1, "{micros} us left {last:?}");
        }
    }

    #[test]
    fn only_large_corrections_forwards_jump() {
        let mut clock = clock();
        let now = local(1_000);
        assert_eq!(clock.steer(now, server(2_300_000), 0.0), Steering::Jumped(Span::from_millis(300)),);
        assert_eq!(shown(&clock, now), server(2_300_000));
        assert_eq!(clock.steer(local(1_100), server(1_000_000), 0.0), Steering::Slewed);
        assert!(shown(&clock, local(1_101)) > server(2_300_000));
    }

    #[test]
    fn readers_slightly_ahead_of_the_writer_see_no_step_back() {
        let mut clock = clock();
        let read_before = shown(&clock, local(1_015));
        clock.steer(local(1_000), server(1_800_000), 0.0);
        assert_eq!(shown(&clock, local(1_015)), read_before);
        // A second correction before the first has begun replaces it.
        clock.steer(local(1_010), server(1_700_000), 0.0);
        assert_eq!(shown(&clock, local(1_015)), read_before);
    }

    #[test]
    fn what_was_read_of_a_planned_correction_is_kept() {
        let mut clock = clock();
        clock.steer(local(1_000), server(2_200_000), 0.0);
        // The writer was called again meanwhile, so readers may be this far ahead.
        let read_before = shown(&clock, local(1_038));
        clock.steer(local(1_018), server(1_800_000), 0.0);
        assert_eq!(shown(&clock, local(1_038)), read_before);
        assert!(!clock.is_behind(local(1_019)) && clock.is_behind(local(1_020)));
        clock.steer(local(1_020), server(1_802_000), 0.0);
        assert_eq!(shown(&clock, local(1_038)), read_before);
        assert!(!clock.is_behind(local(1_060)));
        assert!(shown(&clock, local(1_100)) < server(2_100_000));
    }

    #[test]
    fn two_bends_that_may_be_read_are_both_kept() {
        let mut clock = clock();
        clock.steer(local(1_000), server(2_001_000), 0.0);
        // That one ends at 1270 ms; the next begins at 1280 ms.
        clock.steer(local(1_260), server(2_300_000), 0.0);
        let read_before = [1_265, 1_275, 1_290, 1_300].map(|millis| shown(&clock, local(millis)));
        clock.steer(local(1_281), server(2_200_000), 0.0);
        assert_eq!([1_265, 1_275, 1_290, 1_300].map(|millis| shown(&clock, local(millis))), read_before);
        assert!(!clock.is_behind(local(1_289)) && clock.is_behind(local(1_290)));
    }

    #[test]
    fn a_jump_is_forwards_for_every_reader_even_if_slews_are_steep() {
        let mut clock = Discipline::new(0.5, Span::from_millis(1));
        clock.restart(local(0), server(1_000_000), 0.0);
        clock.steer(local(1_000), server(1_500_000), 0.0);
        // At half the pace by now. What is asked for is ahead at the end of what may be read, and behind before.
        let read_before = [1_040, 1_060].map(|millis| shown(&clock, local(millis)));
        let target = read_before[1] + Span::from_millis(2) - Span::from_millis(30);
        clock.steer(local(1_040), target, 0.5);
        let read_after = [1_040, 1_060].map(|millis| shown(&clock, local(millis)));
        assert!(read_after[0] >= read_before[0] && read_after[1] >= read_before[1], "{read_after:?}");
    }

    #[test]
    fn the_whole_rate_stays_within_the_limit_even_for_an_absurd_frequency() {
        let mut clock = clock();
        clock.steer(local(1_000), server(2_100_000), 0.9);
        let mut last = shown(&clock, local(1_000));
        for millis in 1_001..3_000 {
            let reading = shown(&clock, local(millis));
            assert!(((reading - last).ticks() as f64 / 10_000.0 - 1.0).abs() <= SLEW + 1.0 / 10_000.0);
            last = reading;
        }
    }
}
