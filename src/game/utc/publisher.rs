//! Observes the server machine's UTC, and creates a claim when the last one is no longer valid.

use super::claim::{MAX_CLAIM_BOUND, MAX_DRIFT_PPM, UtcClaim, is_date};
use crate::clock::for_parts::range::number;
use crate::clock::{ConfigError, ServerTime, Span, UtcTime};

const LEAST_GAP: Span = Span::from_secs(1);
const MOST_GAP: Span = Span::from_secs(600);
/// If no observation has agreed with the last claim for this long, we create a new one, because a claim's
/// bound grows with the drift.
const REFRESH: Span = Span::from_secs(60);
/// An observation confirms a claim for this long, which exceeds the usual interval between observations.
pub(crate) const HOLDS: Span = Span::from_secs(2);
/// We create a new claim if UTC deviates by more than this, and the bounds of claims include this tolerance.
const TOLERANCE: Span = Span::from_millis(1);

/// We create a new claim if its bound is smaller by more than this factor. Bounds are 1 ms to 429 s, so a
/// wide first claim is followed by at most 18 such claims.
const NARROWER: i64 = 2;

/// Why a publisher rejected an observation and kept its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UtcObserveError {
    /// The server time, or UTC at server time zero, is outside the valid range of
    /// [`Time::is_valid`](crate::Time::is_valid).
    #[error("the server's time, or UTC at server time zero, is outside +-2^62 ticks")]
    Instant,
    /// UTC is before 1970 or after the year 9999.
    #[error("UTC is not between the years 1970 and 9999")]
    Date,
    /// The bound is negative.
    #[error("a bound of {0} is negative")]
    Bound(Span),
    /// The server time is earlier than in a previous observation.
    #[error("the server's time went backwards by {0}; pass a monotonic clock")]
    WentBackwards(Span),
}

#[derive(Clone, Debug)]
pub(crate) struct UtcPublisher {
    drift_ppm: u32,
    server_epoch: u64,
    /// `read` is the time of the last observation that agrees with this claim.
    newest: Option<UtcClaim>,
    claimed: ServerTime,
    observed: Option<ServerTime>,
}

impl UtcPublisher {
    pub(crate) fn new(drift_ppm: u32, server_epoch: u64) -> Result<Self, ConfigError> {
        number("utc_drift_ppm", f64::from(drift_ppm), 1.0, f64::from(MAX_DRIFT_PPM), "ppm")?;
        let claimed = ServerTime::from_ticks(0);
        Ok(UtcPublisher { drift_ppm, server_epoch, newest: None, claimed, observed: None })
    }

    /// If the last claim is no longer valid, returns a new claim for all clients, at most once per second.
    /// `bound` is the maximum error of `utc`, if known.
    pub(crate) fn observe(
        &mut self,
        at: ServerTime,
        utc: UtcTime,
        bound: Option<Span>,
    ) -> Result<Option<UtcClaim>, UtcObserveError> {
        let zero = utc - Span::from_ticks(at.ticks());
        if !is_date(utc) {
            return Err(UtcObserveError::Date);
        }
        if !at.is_valid() || !zero.is_valid() {
            return Err(UtcObserveError::Instant);
        }
        if let Some(negative) = bound.filter(|&bound| bound < Span::ZERO) {
            return Err(UtcObserveError::Bound(negative));
        }
        if let Some(before) = self.observed.filter(|&before| at < before) {
            return Err(UtcObserveError::WentBackwards(before - at));
        }
        self.observed = Some(at);
        let bound = bound.map(|bound| bound + TOLERANCE).filter(|&wide| wide <= MAX_CLAIM_BOUND);
        let UtcPublisher { server_epoch, drift_ppm, .. } = *self;
        let claim = UtcClaim { server_epoch, zero, read: at, bound, drift_ppm };
        let is_due = self.newest.is_none_or(|newest| replaces(&claim, &newest, at - self.claimed));
        if is_due {
            (self.newest, self.claimed) = (Some(claim), at);
        } else if let Some(newest) = self.newest.as_mut().filter(|newest| agrees(&claim, newest)) {
            newest.read = at;
        }
        Ok(is_due.then_some(claim))
    }

    pub(crate) fn holds_at(&self, at: ServerTime) -> bool {
        self.newest.is_some_and(|newest| at - newest.read <= HOLDS)
    }

    pub(crate) fn newest(&self) -> Option<&UtcClaim> {
        self.newest.as_ref()
    }
}

fn replaces(claim: &UtcClaim, newest: &UtcClaim, gap: Span) -> bool {
    let age = claim.read - newest.read;
    let is_narrower = |bound: Span| newest.bound.is_none_or(|wide| wide.ticks() / NARROWER > bound.ticks());
    gap >= LEAST_GAP
        && (gap >= MOST_GAP
            || age >= REFRESH
            || claim.bound.is_some() != newest.bound.is_some()
            || claim.bound.is_some_and(is_narrower)
            // An observation that deviates by more than the aged bound disproves the last claim.
            || distance(claim, newest) > newest.bound.unwrap_or(TOLERANCE) + newest.drifted(age))
}

/// This leaves enough margin for the drift during [`HOLDS`].
fn agrees(claim: &UtcClaim, newest: &UtcClaim) -> bool {
    distance(claim, newest) + newest.drifted(HOLDS) <= newest.bound.unwrap_or(TOLERANCE)
}

/// Returns how far `newest` may have been off at the observation that led to `claim`.
fn distance(claim: &UtcClaim, newest: &UtcClaim) -> Span {
    (claim.zero - newest.zero).abs() + claim.bound.map_or(Span::ZERO, |bound| bound - TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: UtcTime = UtcTime::from_ticks(17_000_000_000_000_000);

    fn publisher() -> UtcPublisher {
        UtcPublisher::new(50, 7).expect("the default")
    }

    fn observe(
        publisher: &mut UtcPublisher,
        seconds: i64,
        moved: i64,
        bound: Option<i64>,
    ) -> Option<UtcClaim> {
        let at = ServerTime::from_ticks(Span::from_secs(seconds).ticks());
        let utc = ZERO + Span::from_ticks(at.ticks()) + Span::from_micros(moved);
        publisher.observe(at, utc, bound.map(Span::from_micros)).expect("a good observation")
    }

    #[test]
    fn claims_are_replaced_when_utc_deviates_or_they_are_old() {
        let mut it = publisher();
        let first = observe(&mut it, 0, 0, None).expect("the first");
        assert_eq!((first.zero, first.bound, first.drift_ppm), (ZERO, None, 50));
        // The tolerance is 1 ms, and the drift is 50 us per second.
        assert_eq!(observe(&mut it, 10, 1_500, None), None);
        assert_eq!(observe(&mut it, 11, -1_500, None), None);
        let moved = observe(&mut it, 12, 1_700, None).expect("too far off");
        assert_eq!(moved.zero, ZERO + Span::from_micros(1_700));
        assert_eq!(observe(&mut it, 71, 2_800, None), None);
        let refreshed = observe(&mut it, 72, 2_800, None);
        assert!(refreshed.is_some() && it.newest() == refreshed.as_ref(), "a minute later: {refreshed:?}");
    }

    #[test]
    fn a_claim_that_agrees_with_utc_is_kept_for_ten_minutes() {
        let mut it = publisher();
        assert!(observe(&mut it, 0, 0, Some(2_000)).is_some());
        for second in 1..600 {
            assert_eq!(observe(&mut it, second, 800, Some(2_000)), None, "{second} s");
        }
        let at = |seconds| ServerTime::from_ticks(Span::from_secs(seconds).ticks());
        assert!(it.holds_at(at(601)) && !it.holds_at(at(602)));
        assert!(observe(&mut it, 600, 800, Some(2_000)).is_some());
        assert_eq!(observe(&mut it, 603, 800 - 950, Some(2_000)), None);
        assert!(!it.holds_at(at(603)));
        assert!((604..660).all(|second| observe(&mut it, second, -150, Some(2_000)).is_none()));
        assert!(observe(&mut it, 660, -150, Some(2_000)).is_some(), "a minute after it last agreed");
    }

    #[test]
    fn a_narrower_bound_is_published_within_a_second() {
        let mut it = publisher();
        let first = observe(&mut it, 0, 0, Some(400_000)).expect("the first");
        let after = ServerTime::from_ticks(5_000_000);
        let utc = ZERO + Span::from_ticks(after.ticks());
        assert_eq!(it.observe(after, utc, Some(Span::from_millis(5))), Ok(None), "too soon");
        let second = observe(&mut it, 1, 300_000, Some(5_000)).expect("80 times narrower");
        assert_eq!(second.bound, Some(Span::from_millis(6)));
        assert!((second.zero - first.zero).abs() + Span::from_millis(5) < first.bound.expect("stated"));
        assert_eq!(observe(&mut it, 3, 300_000, Some(2_100)), None, "narrower by less than a factor of two");
        assert!(observe(&mut it, 4, 300_000, Some(1_900)).is_some());
        assert_eq!(observe(&mut it, 6, 300_000, Some(3_000)), None, "wider, and the claim still holds");
    }

    #[test]
    fn a_bound_too_large_to_encode_is_unknown() {
        let mut it = publisher();
        assert_eq!(observe(&mut it, 0, 0, Some(500_000_000)).and_then(|claim| claim.bound), None);
        let most = it.observe(ServerTime::from_ticks(20_000_000), ZERO, Some(Span::MAX));
        assert!(most.is_ok_and(|claim| claim.is_some_and(|claim| claim.bound.is_none())));
    }
}
