//! A server's statement about UTC.

use super::error::UtcClaimError;
use crate::clock::{ServerTime, Span, UtcTime};

/// The largest bound of a claim, 429 s, because it is sent as four bytes. A clock with a larger error has no
/// bound.
pub const MAX_CLAIM_BOUND: Span = Span::from_ticks(u32::MAX as i64 - 1);

/// The last tick of the year 9999. Game calendars end there, such as Unreal's `FDateTime`.
pub const MAX_UTC: UtcTime = UtcTime::from_ticks(2_534_023_007_999_999_999);

/// Largest drift of a claim.
pub(super) const MAX_DRIFT_PPM: u32 = 100_000;

const MILLION: i64 = 1_000_000;

/// The server's claim: UTC is `zero` plus server time.
///
/// The server read both clocks at `read`. Since then they may have drifted apart by `drift_ppm`. See
/// [`ServerUtc`](super::ServerUtc).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcClaim {
    /// The server epoch that `zero` and `read` belong to, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// Number of the claim within its epoch. A serial number (RFC 1982), which may wrap.
    pub version: u32,
    /// UTC at the instant at which the server's clock reads zero. It may be before 1970.
    pub zero: UtcTime,
    /// When the server read both clocks. UTC was between 1970 and [`MAX_UTC`] then.
    pub read: ServerTime,
    /// The largest error of the claimed UTC at `read`, as stated by the machine's time source.
    /// (0..=[`MAX_CLAIM_BOUND`]; `None` if no source states it)
    pub bound: Option<Span>,
    /// The largest drift of the server's clock against UTC. (ppm, 0..=100000)
    pub drift_ppm: u32,
}

impl UtcClaim {
    /// UTC at the server instant `at` according to this claim. Saturates.
    pub fn utc_at(&self, at: ServerTime) -> UtcTime {
        self.zero + Span::from_ticks(at.ticks())
    }

    /// The server time at `utc` according to this claim. Saturates.
    pub fn server_time_at(&self, utc: UtcTime) -> ServerTime {
        ServerTime::from_ticks((utc - self.zero).ticks())
    }

    /// The largest error of the claimed UTC at `at`, before or after `read`; [`Span::MAX`] if no source
    /// states it.
    pub fn bound_at(&self, at: ServerTime) -> Span {
        let apart = (at - self.read).abs();
        self.bound.map_or(Span::MAX, |bound| bound + self.drifted(apart))
    }

    /// The largest drift between the two clocks in this time, rounded up.
    pub(super) fn drifted(&self, passed: Span) -> Span {
        let (ppm, ticks) = (i64::from(self.drift_ppm), passed.ticks());
        let part = (ticks % MILLION * ppm + MILLION - 1) / MILLION;
        Span::from_ticks((ticks / MILLION).saturating_mul(ppm).saturating_add(part))
    }

    /// Checks the fields against their ranges.
    pub(super) fn validate(&self) -> Result<(), UtcClaimError> {
        if !self.zero.is_valid() || !self.read.is_valid() {
            return Err(UtcClaimError::Instant);
        }
        if !is_date(self.utc_at(self.read)) {
            return Err(UtcClaimError::Date);
        }
        if self.bound.is_some_and(|bound| bound < Span::ZERO || bound > MAX_CLAIM_BOUND) {
            return Err(UtcClaimError::Bound);
        }
        if self.drift_ppm > MAX_DRIFT_PPM { Err(UtcClaimError::Drift) } else { Ok(()) }
    }
}

/// Whether it lies between 1970 and [`MAX_UTC`].
pub(super) fn is_date(utc: UtcTime) -> bool {
    utc.ticks() >= 0 && utc <= MAX_UTC
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MAX_INSTANT_TICKS;

    const CLAIM: UtcClaim = UtcClaim {
        server_epoch: 1,
        version: 1,
        zero: UtcTime::from_ticks(1_000),
        read: ServerTime::from_ticks(500),
        bound: Some(Span::from_ticks(70)),
        drift_ppm: 50,
    };

    #[test]
    fn the_bound_grows_on_both_sides_of_the_reading() {
        let bound = |seconds| CLAIM.bound_at(CLAIM.read + Span::from_secs(seconds)).ticks();
        assert_eq!([bound(0), bound(60), bound(-60)], [70, 70 + 30_000, 70 + 30_000]);
        assert_eq!(CLAIM.bound_at(CLAIM.read + Span::from_ticks(1)).ticks(), 71, "rounded up");
        let drifting = UtcClaim { drift_ppm: MAX_DRIFT_PPM, ..CLAIM };
        assert_eq!(drifting.drifted(Span::MAX).ticks(), i64::MAX / 10 + 1, "no product overflows");
        assert_eq!(UtcClaim { bound: None, ..CLAIM }.bound_at(CLAIM.read), Span::MAX);
    }

    #[test]
    fn utc_and_server_time_convert_both_ways() {
        for ticks in [-2_000, 0, 7, 1 << 60] {
            let at = ServerTime::from_ticks(ticks);
            assert_eq!(CLAIM.utc_at(at).ticks(), ticks + 1_000);
            assert_eq!(CLAIM.server_time_at(CLAIM.utc_at(at)), at);
        }
    }

    #[test]
    fn fields_out_of_range_are_named() {
        let refused = |change: fn(&mut UtcClaim)| {
            let mut claim = CLAIM;
            change(&mut claim);
            claim.validate().err()
        };
        assert_eq!(refused(|_| ()), None);
        let (last, first) = (MAX_UTC - Span::from_ticks(500), UtcTime::from_ticks(-500));
        assert_eq!(UtcClaim { zero: last, ..CLAIM }.validate(), Ok(()));
        assert_eq!(UtcClaim { zero: first, ..CLAIM }.validate(), Ok(()));
        for zero in [last + Span::from_ticks(1), first - Span::from_ticks(1)] {
            assert_eq!(UtcClaim { zero, ..CLAIM }.validate(), Err(UtcClaimError::Date));
        }
        assert_eq!(refused(|c| c.zero = UtcTime::from_ticks(i64::MIN)), Some(UtcClaimError::Instant));
        assert_eq!(refused(|c| c.read = ServerTime::from_ticks(i64::MAX)), Some(UtcClaimError::Instant));
        let late = refused(|c| c.read = ServerTime::from_ticks(MAX_INSTANT_TICKS));
        assert_eq!(late, Some(UtcClaimError::Date));
        assert_eq!(refused(|c| c.bound = Some(Span::from_ticks(-1))), Some(UtcClaimError::Bound));
        let wide = refused(|c| c.bound = Some(MAX_CLAIM_BOUND + Span::from_ticks(1)));
        assert_eq!(wide, Some(UtcClaimError::Bound));
        assert_eq!(refused(|c| c.drift_ppm = MAX_DRIFT_PPM + 1), Some(UtcClaimError::Drift));
    }
}
