//! Represents the shown clock as a piecewise linear function of local time, and inverts it.
//!
//! ```text
//!  server                            ________  newest
//!                           ____----´
//!                     __--´´  slew
//!           _______--´
//!  oldest --´       kept                              local
//! ```
//!
//! A correction begins after the last instant at which the clock has been read ([`publish`](super::publish)).
//! Earlier pieces are kept bit for bit, and new pieces for the slew and the new rate are appended.
//!
//! Only a few pieces are stored. Before them, times are shown as if the clock had run at its slowest pace so
//! far. This never moves earlier times back, because of all lines through a point, the slowest is the highest
//! one before that point. Even late readers are therefore consistent with all earlier reads:
//!
//! - Let `S` be the start of the stored pieces, `v` the time shown there, and `p` the slowest pace. A time
//!   `d` before `S` is shown as `v - floor(p d)`.
//! - Let the piece from `S` to `S'` with pace `b` be dropped next. Then `v' = v + floor(b (S' - S))`. `p'` is
//!   the lesser of `p` and a pace that is slower than `b` by one tick over that piece ([`Pace::rounded_in`]).
//! - Before `S`, `p' (S' - S) <= v' - v`, which is an integer. So `floor(p' (d + S' - S)) <= floor(p d) + v'
//!   - v`, and the new shown time is not before the old one.
//! - In the dropped piece, `p' <= b` and `floor(x) >= floor(x - y) + floor(y)`, so the same holds there.

use super::pace::Pace;
use crate::clock::ground::time::{LocalTime, MAX_INSTANT_TICKS, ServerTime, Span};

/// We store the current piece, the previous one, the slew, and the piece after the slew.
pub(crate) const PIECES: usize = 4;

/// From `local` on, the clock shows `server + (now - local) pace`, rounded down so that it never decreases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) local: LocalTime,
    pub(crate) server: ServerTime,
    pub(crate) pace: Pace,
}

impl Piece {
    fn server_at(&self, now: LocalTime) -> ServerTime {
        self.server + Span::from_ticks(self.pace.passed((now - self.local).ticks()))
    }

    fn local_at(&self, server: ServerTime) -> LocalTime {
        let passed = server - self.server;
        // This solves `passed = elapsed (1 + rate)` for `elapsed`. Whole ticks are exact, and only the
        // difference uses floating point.
        let rate = self.pace.rate();
        let difference = passed.ticks() as f64 * (rate / (1.0 + rate));
        self.local + passed - Span::from_ticks(difference.floor() as i64)
    }
}

/// A piece lasts at least this long, so that we know the pace of dropped pieces to 5 ppm.
const SHORTEST: Span = Span::from_millis(20);

/// A line that is ahead by this much was also ahead at all earlier times, despite the rounding of pieces.
const CLEARLY: Span = Span::from_micros(1);

/// The shown clock, whose pieces are contiguous and in chronological order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    pub(crate) pieces: [Piece; PIECES],
    /// The slowest pace of all dropped pieces.
    pub(crate) before: Pace,
}

impl Mapping {
    /// Creates a clock that runs at `rate` through the point (`local`, `server`).
    pub(crate) fn straight(local: LocalTime, server: ServerTime, rate: f64) -> Self {
        let pace = Pace::new(rate);
        Mapping { pieces: [Piece { local, server, pace }; PIECES], before: pace }
    }

    /// Keeps this clock until `start`, then runs it at `rate_slew` for `duration`, and at `rate` afterwards.
    pub(crate) fn bent(&self, start: LocalTime, rate_slew: f64, duration: Span, rate: f64) -> Self {
        // Every piece begins at a valid instant. Otherwise, the time since then could wrap around.
        let last = LocalTime::from_ticks(MAX_INSTANT_TICKS);
        let (start, end) = (start.min(last), (start + duration).min(last));
        let newest = self.piece_before(start);
        let older = newest.saturating_sub(1);
        let before = self.pieces[..=older].windows(2).fold(self.before, |slowest, pair| {
            let lasted = pair[1].local - pair[0].local;
            if lasted == Span::ZERO { slowest } else { slowest.min(pair[0].pace.rounded_in(lasted)) }
        });
        let (newest, older) = (self.pieces[newest], self.pieces[older]);
        let slew = Piece { local: start, server: newest.server_at(start), pace: Pace::new(rate_slew) };
        let after = Piece { local: end, server: slew.server_at(end), pace: Pace::new(rate) };
        let pieces = [older, newest, slew, after];
        debug_assert!(pieces.is_sorted_by(|old, new| old.local <= new.local && old.server <= new.server));
        Mapping { pieces, before }
    }

    /// Returns a clock that shows `server` at `now` and runs at `rate`. Returns `None` unless that clock is
    /// ahead of this one up to `until`.
    pub(crate) fn jumped(
        &self,
        now: LocalTime,
        until: LocalTime,
        server: ServerTime,
        rate: f64,
    ) -> Option<Self> {
        let straight = Mapping::straight(now, server, rate);
        // A slowest line that is ahead at `now` is also ahead before `now`.
        let before = self.pieces.iter().fold(self.before.min(straight.before), |pace, it| pace.min(it.pace));
        let ends = self.pieces.iter().map(|piece| piece.local).filter(|&it| now < it && it < until);
        let mut checked = ends.chain([now, until]);
        let is_ahead = checked.all(|it| straight.server_at(it) - self.server_at(it) >= CLEARLY);
        is_ahead.then_some(Mapping { before, ..straight })
    }

    fn piece_before(&self, start: LocalTime) -> usize {
        self.pieces.iter().rposition(|piece| piece.local < start).unwrap_or(0)
    }

    /// Returns the first instant at or after `start` at which a correction may begin.
    pub(crate) fn next_bend(&self, start: LocalTime) -> LocalTime {
        start.max(self.pieces[self.piece_before(start)].local + SHORTEST)
    }

    pub(crate) fn server_at(&self, now: LocalTime) -> ServerTime {
        let piece = self.pieces.iter().rev().find(|piece| now >= piece.local);
        let oldest = &self.pieces[0];
        let long_ago = || oldest.server - Span::from_ticks(self.before.passed((oldest.local - now).ticks()));
        piece.map_or_else(long_ago, |piece| piece.server_at(now))
    }

    /// Returns the local time, past or future, at which the shown clock reads `server`, to within a tick.
    pub(crate) fn local_at(&self, server: ServerTime) -> LocalTime {
        let piece = self.pieces.iter().rev().find(|piece| server >= piece.server);
        piece.unwrap_or(&Piece { pace: self.before, ..self.pieces[0] }).local_at(server)
    }

    /// Returns the rate after the slew.
    pub(crate) fn rate(&self) -> f64 {
        self.pieces[PIECES - 1].pace.rate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(ticks: i64) -> LocalTime {
        LocalTime::from_ticks(ticks)
    }

    fn slewing(rate_slew: f64) -> Mapping {
        Mapping::straight(local(0), ServerTime::from_ticks(500_000_000), 80e-6).bent(
            local(1_000_000),
            rate_slew,
            Span::from_millis(200),
            -20e-6,
        )
    }

    #[test]
    fn it_never_goes_backwards_and_keeps_its_rates() {
        for rate_slew in [0.05, -0.05, 0.5, -0.5, 0.0] {
            let mapping = slewing(rate_slew);
            let mut last = mapping.server_at(local(-10));
            for tick in 0..8_000_000 {
                let shown = mapping.server_at(local(tick));
                assert!(shown >= last, "at {tick}");
                last = shown;
            }
            let slewed = mapping.server_at(local(2_000_000)) - mapping.server_at(local(1_000_000));
            assert_eq!(slewed.ticks(), 1_000_000 + (rate_slew * 1e6).floor() as i64);
        }
    }

    #[test]
    fn recent_times_are_kept_to_the_tick() {
        let first = slewing(0.05);
        // The second correction starts during the first slew, and the third starts soon after the second.
        let second = first.bent(local(1_100_000), -0.03, Span::from_millis(300), 0.0);
        let third = second.bent(local(1_300_000), 0.01, Span::from_millis(300), 0.0);
        for tick in 900_000..1_100_000 {
            assert_eq!(second.server_at(local(tick)), first.server_at(local(tick)), "{tick}");
        }
        for tick in 1_000_000..1_300_000 {
            assert_eq!(third.server_at(local(tick)), second.server_at(local(tick)), "{tick}");
        }
    }

    #[test]
    fn times_in_dropped_pieces_are_never_shown_earlier() {
        let mut shown = slewing(0.05);
        let (mut start, mut draw) = (local(1_000_000), 1_u64);
        for _ in 0..200 {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            start = shown.next_bend(start + Span::from_ticks((draw >> 42) as i64));
            let rate_slew = ((draw >> 32 & 0xFF) as f64 / 255.0 - 0.5) / 10.0;
            let next = shown.bent(start, rate_slew, Span::from_millis(250), rate_slew / 1_000.0);
            let near = (0..3_000).map(|i| start - Span::from_ticks(i * 997));
            let ends =
                shown.pieces.iter().flat_map(|piece| [-1, 0, 1].map(|i| piece.local + Span::from_ticks(i)));
            for at in near.chain(ends.filter(|&at| at <= start)).chain([local(-5_000_000), local(0)]) {
                let (was, is) = (shown.server_at(at), next.server_at(at));
                assert!(is >= was, "{is:?} after {was:?} at {at:?}");
                assert!(is == was || at < next.pieces[0].local);
                assert!(next.server_at(at - Span::from_ticks(1)) <= is);
            }
            shown = next;
        }
        assert!(shown.before >= Pace::new(-0.0501));
    }

    #[test]
    fn the_rounding_of_dropped_pieces_is_allowed_for() {
        // At half pace, a piece with an odd number of ticks ends half a tick short.
        let mut shown = Mapping::straight(local(0), ServerTime::from_ticks(0), -0.5);
        let first = shown;
        for bend in 1..6 {
            shown = shown.bent(local(bend * 300_001), -0.5, Span::from_ticks(300_001), -0.5);
        }
        for at in (-300_000..-299_900).map(local) {
            assert!(shown.server_at(at) >= first.server_at(at), "{at:?}");
        }
    }

    #[test]
    fn a_jump_is_ahead_of_all_possible_reads() {
        let shown = slewing(-0.5);
        let (now, until) = (local(1_500_000), local(3_500_000));
        let jumped = |micros: i64, rate| {
            shown.jumped(now, until, shown.server_at(now) + Span::from_micros(micros), rate)
        };
        // The clock now runs at half pace, and the second candidate at a quarter.
        assert_eq!(jumped(-1, 0.0), None);
        assert_eq!(jumped(70_000, -0.75), None);
        for (micros, rate) in [(1, 0.05), (300_000, -0.5)] {
            let jumped = jumped(micros, rate).expect("it is ahead");
            for at in (-9_000_000..3_500_000).step_by(1_009).map(local) {
                assert!(jumped.server_at(at) >= shown.server_at(at), "{micros} us at {at:?}");
            }
        }
    }

    #[test]
    fn pieces_stay_in_order_at_the_last_valid_instant() {
        let now = local(MAX_INSTANT_TICKS);
        let first = slewing(0.05);
        let second = first.bent(local(MAX_INSTANT_TICKS + 1), -0.05, Span::MAX, 0.0);
        assert!(second.pieces.is_sorted_by_key(|piece| piece.local), "{second:?}");
        assert_eq!(second.server_at(now), first.server_at(now));
    }

    #[test]
    fn the_inverse_is_right_to_a_tick_in_every_piece() {
        for rate_slew in [0.05, -0.05, 0.3] {
            let mapping = slewing(rate_slew);
            for tick in (0..40_000_000_000).step_by(99_999_989).chain((0..4_000_000).step_by(7_919)) {
                let back = mapping.local_at(mapping.server_at(local(tick)));
                assert!((back - local(tick)).abs().ticks() <= 1, "{tick} came back as {back:?}");
            }
        }
    }

    #[test]
    fn far_reads_saturate_instead_of_wrapping() {
        let mapping = slewing(0.05);
        assert!(mapping.server_at(local(i64::MAX)) > mapping.server_at(local(i64::MAX / 2)));
        assert!(mapping.server_at(local(i64::MIN)) < mapping.server_at(local(i64::MIN / 2)));
    }
}
