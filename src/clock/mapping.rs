//! The shown clock as a function of local time: three straight pieces, and the inverse.
//!
//! ```text
//!  server                          ________  rate
//!                         ____----`
//!                    _--´   rate_slew
//!            ______-´
//!      rate_before | switch       | settle              local
//! ```
//!
//! Rates are relative to local time: the shown clock advances `1 + rate` ticks per local tick. Each piece is
//! non-decreasing for any rate of at least -1, and the pieces meet, so the whole is monotone.

use crate::time::{LocalTime, ServerTime, Span};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mapping {
    /// Where `rate_before` ends; for readers whose local time is slightly older than the newest correction.
    pub(crate) switch_local: LocalTime,
    pub(crate) switch_server: ServerTime,
    pub(crate) rate_before: f64,
    /// Where the correction is complete; not before `switch_local`.
    pub(crate) rate_slew: f64,
    pub(crate) settle_local: LocalTime,
    pub(crate) settle_server: ServerTime,
    pub(crate) rate: f64,
}

/// `elapsed` local ticks in server ticks. Whole ticks are exact; only the small difference goes through a float.
fn stretch(elapsed: Span, rate: f64) -> Span {
    elapsed + Span::from_ticks((elapsed.ticks() as f64 * rate).floor() as i64)
}

impl Mapping {
    /// A clock that runs at `rate` through the point (`local`, `server`), with nothing to work off.
    pub(crate) fn straight(local: LocalTime, server: ServerTime, rate: f64) -> Self {
        Mapping {
            switch_local: local,
            switch_server: server,
            rate_before: rate,
            rate_slew: rate,
            settle_local: local,
            settle_server: server,
            rate,
        }
    }

    /// A clock that runs at `rate_before` until the point (`local`, `server`), at `rate_slew` for `duration`, and
    /// at `rate` from then on.
    pub(crate) fn bent(
        local: LocalTime,
        server: ServerTime,
        rate_before: f64,
        rate_slew: f64,
        duration: Span,
        rate: f64,
    ) -> Self {
        Mapping {
            switch_local: local,
            switch_server: server,
            rate_before,
            rate_slew,
            settle_local: local + duration,
            settle_server: server + stretch(duration, rate_slew),
            rate,
        }
    }

    /// The shown server time at `now`.
    #[inline]
    pub(crate) fn server_at(&self, now: LocalTime) -> ServerTime {
        if now >= self.settle_local {
            self.settle_server + stretch(now - self.settle_local, self.rate)
        } else if now >= self.switch_local {
            self.switch_server + stretch(now - self.switch_local, self.rate_slew)
        } else {
            self.switch_server + stretch(now - self.switch_local, self.rate_before)
        }
    }

    /// When the shown clock will read `server` (or did), to within a tick.
    pub(crate) fn local_at(&self, server: ServerTime) -> LocalTime {
        let (local, passed, rate) = if server >= self.settle_server {
            (self.settle_local, server - self.settle_server, self.rate)
        } else if server >= self.switch_server {
            (self.switch_local, server - self.switch_server, self.rate_slew)
        } else {
            (self.switch_local, server - self.switch_server, self.rate_before)
        };
        // elapsed (1 + rate) = passed, with the whole ticks kept exact as in `stretch`.
        let difference = passed.ticks() as f64 * (rate / (1.0 + rate));
        local + passed - Span::from_ticks(difference.floor() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slewing(rate_slew: f64) -> Mapping {
        Mapping::bent(
            LocalTime::from_ticks(1_000_000),
            ServerTime::from_ticks(500_000_000),
            80e-6,
            rate_slew,
            Span::from_millis(200),
            -20e-6,
        )
    }

    #[test]
    fn it_never_goes_backwards_and_keeps_its_rates() {
        for rate_slew in [0.05, -0.05, 0.5, -0.5, 0.0] {
            let mapping = slewing(rate_slew);
            let mut last = mapping.server_at(LocalTime::from_ticks(0));
            for tick in (1..8_000_000).step_by(1) {
                let shown = mapping.server_at(LocalTime::from_ticks(tick));
                assert!(shown >= last, "at {tick}");
                last = shown;
            }
            let slewed = mapping.server_at(LocalTime::from_ticks(2_000_000)) - mapping.switch_server;
            assert_eq!(slewed.ticks(), 1_000_000 + (rate_slew * 1e6).floor() as i64);
        }
    }

    #[test]
    fn the_inverse_is_right_to_a_tick_in_every_piece() {
        for rate_slew in [0.05, -0.05, 0.3] {
            let mapping = slewing(rate_slew);
            for tick in (0..40_000_000_000).step_by(99_999_989).chain((0..4_000_000).step_by(7_919)) {
                let local = LocalTime::from_ticks(tick);
                let back = mapping.local_at(mapping.server_at(local));
                assert!((back - local).abs().ticks() <= 1, "{tick} came back as {back:?}");
            }
        }
    }

    #[test]
    fn far_reads_saturate_instead_of_wrapping() {
        let mapping = slewing(0.05);
        let far = mapping.server_at(LocalTime::from_ticks(i64::MAX));
        assert!(far > mapping.settle_server);
        let early = mapping.server_at(LocalTime::from_ticks(i64::MIN));
        assert!(early < mapping.switch_server);
    }
}
