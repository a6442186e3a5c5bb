//! The relation between UTC and server time, as claimed by the server.

use super::error::UtcClaimError;
use crate::clock::{ServerTime, Span, UtcTime};

/// Maximum bound of a claim, 429 s, because it is sent in four bytes. A claim with a larger error has no
/// bound.
pub const MAX_CLAIM_BOUND: Span = Span::from_ticks(u32::MAX as i64 - 1);

/// The last tick of the year 9999, which is the last year of game calendars such as Unreal's `FDateTime`.
pub const MAX_UTC: UtcTime = UtcTime::from_ticks(2_534_023_007_999_999_999);

/// Maximum drift of a claim.
pub(super) const MAX_DRIFT_PPM: u32 = 100_000;

const MILLION: i64 = 1_000_000;

/// The server's claim: UTC is `zero` plus server time.
///
/// The server read both clocks at `read`. Since then, they may have drifted apart at a rate of up to
/// `drift_ppm`. See [`ServerUtc`](super::ServerUtc).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcClaim {
    /// The server epoch that `zero` and `read` belong to, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// Version of the claim within its epoch. This is a serial number (RFC 1982) and may wrap.
    pub version: u32,
    /// UTC when the server's clock reads zero. It may be before 1970.
    pub zero: UtcTime,
    /// When the server read both clocks. At that time, UTC was between 1970 and [`MAX_UTC`].
    pub read: ServerTime,
    /// Maximum error of the claimed UTC at `read`, according to the machine's time source, or `None` if the
    /// source does not report it. (0..=[`MAX_CLAIM_BOUND`])
    pub bound: Option<Span>,
    /// Maximum drift of the server's clock relative to UTC. (ppm, 0..=100000)
    pub drift_ppm: u32,
}

impl UtcClaim {
    /// Returns UTC at the server instant `at` according to this claim, saturating on overflow.
    pub fn utc_at(&self, at: ServerTime) -> UtcTime {
        self.zero + Span::from_ticks(at.ticks())
    }

    /// Returns the server time at `utc` according to this claim, saturating on overflow.
    pub fn server_time_at(&self, utc: UtcTime) -> ServerTime {
        ServerTime::from_ticks((utc - self.zero).ticks())
    }

    /// Returns the maximum error of the claimed UTC at `at`, which may be before or after `read`. Returns
    /// [`Span::MAX`] if the time source does not report its error.
    pub fn bound_at(&self, at: ServerTime) -> Span {
        let apart = (at - self.read).abs();
        self.bound.map_or(Span::MAX, |bound| bound + self.drifted(apart))
    }

    /// Returns the maximum drift between the two clocks during `passed`, rounded up.
    pub(super) fn drifted(&self, passed: Span) -> Span {
        let (ppm, ticks) = (i64::from(self.drift_ppm), passed.ticks());
        let part = (ticks % MILLION * ppm + MILLION - 1) / MILLION;
        Span::from_ticks((ticks / MILLION).saturating_mul(ppm).saturating_add(part))
    }

    /// Checks that all fields are within their ranges.
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

/// Returns whether `utc` is between 1970 and [`MAX_UTC`].
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
