//! The shown clock as a function of local time: a few straight pieces, and the inverse.
//!
//! ```text
//!  server                            ________  newest
//!                           ____----´
//!                     __--´´  slew
//!           _______--´
//!  oldest --´       kept                              local
//! ```
//!
//! A correction never changes what may have been read already. The pieces that were shown lately stay the same to the bit,
//! and the slew and the new rate are appended.

use super::pace::Pace;
use crate::time::{LocalTime, MAX_INSTANT_TICKS, ServerTime, Span};

/// Pieces kept: the one in use, one before it, the slew, and what follows it.
pub(crate) const PIECES: usize = 4;

/// From `local` on, the shown clock is `server + (now - local) pace`, rounded down to a tick: it never falls.
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
        // elapsed (1 + rate) = passed. Whole ticks are exact; only the small difference goes through a float.
        let rate = self.pace.rate();
        let difference = passed.ticks() as f64 * (rate / (1.0 + rate));
        self.local + passed - Span::from_ticks(difference.floor() as i64)
    }
}

/// The shown clock. Pieces are in order of time and meet. The oldest also holds for all times before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    pub(crate) pieces: [Piece; PIECES],
}

impl Mapping {
    /// A clock that runs at `rate` through the point (`local`, `server`).
    pub(crate) fn straight(local: LocalTime, server: ServerTime, rate: f64) -> Self {
        Mapping { pieces: [Piece { local, server, pace: Pace::new(rate) }; PIECES] }
    }

    /// This clock until `start`, then at `rate_slew` for `duration`, then at `rate`. For times before `since` only the order
    /// is kept.
    pub(crate) fn bent(
        &self,
        since: LocalTime,
        start: LocalTime,
        rate_slew: f64,
        duration: Span,
        rate: f64,
    ) -> Self {
        // Every piece begins at a valid instant, so the time since it began cannot be mistaken for a short one.
        let last = LocalTime::from_ticks(MAX_INSTANT_TICKS);
        let (start, end) = (start.min(last), (start + duration).min(last));
        // The newest piece before `start`, and the one before it if the two meet after `since`.
        let [newest, older] = match self.pieces.iter().rposition(|piece| piece.local < start) {
            Some(i) if i > 0 && self.pieces[i].local > since => [self.pieces[i], self.pieces[i - 1]],
            Some(i) => [self.pieces[i]; 2],
            None => [self.pieces[0]; 2],
        };
        let slew = Piece { local: start, server: newest.server_at(start), pace: Pace::new(rate_slew) };
        let after = Piece { local: end, server: slew.server_at(end), pace: Pace::new(rate) };
        Mapping { pieces: [older, newest, slew, after] }
    }

    /// The shown server time at `now`.
    pub(crate) fn server_at(&self, now: LocalTime) -> ServerTime {
        let piece = self.pieces.iter().rev().find(|piece| now >= piece.local);
        piece.unwrap_or(&self.pieces[0]).server_at(now)
    }

    /// When the shown clock will read `server` (or did), to within a tick.
    pub(crate) fn local_at(&self, server: ServerTime) -> LocalTime {
        let piece = self.pieces.iter().rev().find(|piece| server >= piece.server);
        piece.unwrap_or(&self.pieces[0]).local_at(server)
    }

    /// How often the pace may change after `since` and before `until`.
    pub(crate) fn bends(&self, since: LocalTime, until: LocalTime) -> usize {
        let starts = self.pieces.windows(2).filter(|pair| pair[0].local < pair[1].local);
        starts.filter(|pair| since < pair[1].local && pair[1].local < until).count()
    }

    /// The rate that the clock settles to.
    pub(crate) fn rate(&self) -> f64 {
        self.pieces[PIECES - 1].pace.rate()
    }

    /// When the slew that was planned last begins.
    pub(crate) fn slew_start(&self) -> LocalTime {
        self.pieces[PIECES - 2].local
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
            local(0),
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
    fn what_was_shown_lately_is_kept_to_the_tick() {
        let first = slewing(0.05);
        // The second correction starts inside the slew of the first, the third soon after the second.
        let second = first.bent(local(900_000), local(1_100_000), -0.03, Span::from_millis(300), 0.0);
        let third = second.bent(local(1_000_000), local(1_300_000), 0.01, Span::from_millis(300), 0.0);
        for tick in 900_000..1_100_000 {
            assert_eq!(second.server_at(local(tick)), first.server_at(local(tick)), "{tick}");
        }
        for tick in 1_000_000..1_300_000 {
            assert_eq!(third.server_at(local(tick)), second.server_at(local(tick)), "{tick}");
        }
    }

    #[test]
    fn pieces_stay_in_order_at_the_last_valid_instant() {
        let now = local(MAX_INSTANT_TICKS);
        let first = slewing(0.05);
        let second =
            first.bent(local(MAX_INSTANT_TICKS - 1), local(MAX_INSTANT_TICKS + 1), -0.05, Span::MAX, 0.0);
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
