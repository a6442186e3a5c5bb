//! Steers the shown clock towards the estimate and reports every step.

use super::mapping::Mapping;
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// Small corrections are spread over this time, and larger ones take as long as the slew limit requires.
const GENTLE: Span = Span::from_millis(100);

#[derive(Clone, Debug)]
pub(crate) struct Discipline {
    pub(crate) mapping: Option<Mapping>,
    max_slew: f64,
    step_threshold: Span,
}

impl Discipline {
    pub(crate) fn new(max_slew: f64, step_threshold: Span) -> Self {
        Discipline { mapping: None, max_slew, step_threshold }
    }

    /// Restarts the clock at `server`, which the caller must report as a step.
    pub(crate) fn restart(&mut self, now: LocalTime, server: ServerTime, rate: f64) {
        self.mapping = Some(Mapping::straight(now, server, self.limit(rate)));
    }

    /// Steers towards a clock that reads `server` at `now` and advances at `1 + rate`. Up to the returned
    /// time, which is `read` or later, the shown times either stay the same or jump ahead. Also returns the
    /// size of a jump, or `None` for a slew within the limit. The caller must report a jump.
    pub(crate) fn steer(
        &mut self,
        now: LocalTime,
        read: LocalTime,
        server: ServerTime,
        rate: f64,
    ) -> (Option<Span>, LocalTime) {
        let rate = self.limit(rate);
        let Some(shown) = self.mapping else {
            self.restart(now, server, rate);
            return (None, now);
        };
        let start = shown.next_bend(now.max(read));
        let ahead = start - now;
        let target = server + ahead + Span::from_ticks((ahead.ticks() as f64 * rate).round() as i64);
        let correction = target - shown.server_at(start);
        if correction > self.step_threshold {
            if let Some(until) = self.jump(now, read, server, rate) {
                return (Some(server - shown.server_at(now)), until);
            }
        }
        // The clock's rate uses up part of the slew limit, and the correction gets the rest.
        let room = (self.max_slew - rate.abs()).max(self.max_slew / 2.0);
        let needed = (correction.ticks() as f64 / room).abs().ceil();
        let duration = Span::from_ticks(needed as i64).max(GENTLE);
        let rate_slew = self.limit(rate + correction.ticks() as f64 / duration.ticks() as f64);
        let bent = shown.bent(start, rate_slew, duration, rate);
        debug_assert!(bent.server_at(now) >= shown.server_at(now), "the shown time does not go back");
        self.mapping = Some(bent);
        (None, start)
    }

    /// Jumps to a clock that reads `server` at `now`. Up to the returned time (`read` or later), the shown
    /// times jump ahead as well. Returns `None` if a reader could see a backward step.
    pub(crate) fn jump(
        &mut self,
        now: LocalTime,
        read: LocalTime,
        server: ServerTime,
        rate: f64,
    ) -> Option<LocalTime> {
        let shown = self.mapping?;
        let start = shown.next_bend(now.max(read));
        self.mapping = Some(shown.jumped(now, start, server, self.limit(rate))?);
        Some(start)
    }

    fn limit(&self, rate: f64) -> f64 {
        rate.clamp(-self.max_slew, self.max_slew)
    }
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
    fn steer(clock: &mut Discipline, now: LocalTime, server: ServerTime, rate: f64) -> Option<Span> {
        clock.steer(now, now, server, rate).0
    }
    fn shown(clock: &Discipline, now: LocalTime) -> ServerTime {
        clock.mapping.map_or(server(0), |mapping| mapping.server_at(now))
    }

    #[test]
    fn a_correction_is_exact_and_within_the_slew_limit() {
        for micros in [-200_000, -900, 0, 17, 249_000] {
            let mut clock = clock();
            let now = local(1_000);
            assert_eq!(steer(&mut clock, now, server(2_000_000 + micros), 0.0), None);
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
    fn a_small_correction_takes_a_tenth_of_a_second() {
        let mut clock = clock();
        steer(&mut clock, local(1_000), server(2_001_000), 0.0);
        // A correction of 1 ms takes 100 ms, although the limit would allow 20 ms.
        assert!(shown(&clock, local(1_050)) < server(2_050_700));
        assert_eq!(shown(&clock, local(1_120)), server(2_121_000));
    }

    #[test]
    fn only_large_forward_corrections_jump() {
        let mut clock = clock();
        let now = local(1_000);
        assert_eq!(steer(&mut clock, now, server(2_300_000), 0.0), Some(Span::from_millis(300)));
        assert_eq!(shown(&clock, now), server(2_300_000));
        assert_eq!(steer(&mut clock, local(1_100), server(1_000_000), 0.0), None);
        assert!(shown(&clock, local(1_101)) > server(2_300_000));
    }

    #[test]
    fn past_and_future_reads_are_kept() {
        let mut clock = clock();
        clock.steer(local(1_000), local(1_015), server(2_200_000), 0.0);
        for (now, read, target) in [
            // These times are before the first correction, during it, soon after it, and much later.
            (1_010, 1_015, 1_700_000),
            (1_018, 1_400, 2_218_000),
            (1_660, 1_665, 2_600_000),
            (1_661, 9_000, 2_500_000),
        ] {
            let times = || (900..=read).map(local);
            let before: Vec<_> = times().map(|at| shown(&clock, at)).collect();
            let (steering, until) = clock.steer(local(now), local(read), server(target), 0.0);
            assert_eq!(steering, None);
            assert!(until >= local(read) && until <= local(read + 20), "{until:?}");
            let oldest = clock.mapping.map_or(local(0), |mapping| mapping.pieces[0].local);
            for (at, was) in times().zip(before) {
                let is = shown(&clock, at);
                assert!(is == was || (at < oldest && is >= was), "{was:?} became {is:?} at {at:?}");
            }
        }
    }

    #[test]
    fn a_jump_is_forward_for_every_reader_even_with_steep_slews() {
        let mut clock = Discipline::new(0.5, Span::from_millis(1));
        clock.restart(local(0), server(1_000_000), 0.0);
        steer(&mut clock, local(1_000), server(1_500_000), 0.0);
        // The old clock runs at half pace, so the new one only gets ahead near the end of the reads.
        let times = || (900..1_100).map(local);
        let read_before: Vec<_> = times().map(|at| shown(&clock, at)).collect();
        let target = shown(&clock, local(1_060)) + Span::from_millis(2) - Span::from_millis(30);
        clock.steer(local(1_040), local(1_099), target, 0.5);
        let read_after: Vec<_> = times().map(|at| shown(&clock, at)).collect();
        assert!(read_after.iter().zip(&read_before).all(|(after, before)| after >= before), "{read_after:?}");
    }

    #[test]
    fn the_shown_rate_stays_within_the_limit_for_any_frequency() {
        let mut clock = clock();
        steer(&mut clock, local(1_000), server(2_100_000), 0.9);
        let mut last = shown(&clock, local(1_000));
        for millis in 1_001..3_000 {
            let reading = shown(&clock, local(millis));
            assert!(((reading - last).ticks() as f64 / 10_000.0 - 1.0).abs() <= SLEW + 1.0 / 10_000.0);
            last = reading;
        }
    }
}
