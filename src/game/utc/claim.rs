//! A server's claim about the relation between UTC and server time, with its 40-byte encoding and its
//! publisher.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | the header of [`wire`](crate::wire), kind 17 |
//! | 4 | 4 | bound, unsigned ticks; 2^32 - 1 if unknown |
//! | 8 | 8 | server epoch |
//! | 16 | 8 | `zero`, signed ticks since 1970 |
//! | 24 | 8 | `read`, signed ticks of server time |
//! | 32 | 4 | drift, ppm |
//! | 36 | 4 | zero |

use crate::clock::for_parts::range::number;
use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::{ConfigError, Reading, ServerTime, Span, State, UtcTime, WireError, wire};

/// The largest bound that fits into four bytes (429 s). Claims with a larger error have no bound.
const MAX_CLAIM_BOUND: Span = Span::from_ticks(NO_BOUND as i64 - 1);

/// The end of the year 9999, which is also the last year of game calendars such as Unreal's `FDateTime`.
const MAX_UTC: UtcTime = UtcTime::from_ticks(2_534_023_007_999_999_999);

const MAX_DRIFT_PPM: u32 = 100_000;

const CLAIM_SIZE: usize = 40;
const KIND: u8 = 17;
const NO_BOUND: u32 = u32::MAX;
const MILLION: i64 = 1_000_000;

/// The server's claim that UTC is `zero` plus server time.
///
/// The server read both clocks at `read`. Since `read`, the clocks may have drifted apart by up to
/// `drift_ppm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcClaim {
    /// The server epoch of `zero` and `read`, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// UTC when the server's clock reads zero, which may be before 1970.
    pub zero: UtcTime,
    /// When the server read both clocks, or when they last agreed with this claim. At that time, UTC was
    /// between the years 1970 and 9999.
    pub read: ServerTime,
    /// Maximum error of the claimed UTC at `read`, according to the machine's time source. It is `None` if
    /// the source does not report an error. (0 to 429 s)
    pub bound: Option<Span>,
    /// Maximum drift of the server's clock relative to UTC. (ppm, 0..=100000)
    pub drift_ppm: u32,
}

/// The server's UTC at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcReading {
    /// UTC according to the server's claim. It may jump when the claim changes.
    pub utc: UtcTime,
    /// True UTC is within `utc ± error_bound`, provided that the server's time source is right. The error
    /// bound is the sum of the bounds of the clock and the claim, or [`Span::MAX`] if either has no bound.
    pub error_bound: Span,
}

impl UtcClaim {
    /// Returns UTC at a reading of this server's clock. UTC may jump in either direction when the claim
    /// changes. Returns `None` if the clock is not in sync or shows a different epoch, or if UTC is not
    /// between the years 1970 and 9999.
    pub fn read(&self, now: &Reading) -> Option<UtcReading> {
        let is_valid = now.server_time.is_valid() && now.error_bound >= Span::ZERO;
        if now.state == State::Unsynced || now.server_epoch != self.server_epoch || !is_valid {
            return None;
        }
        // The clock's error bound applies to both the server time and the age of the claim.
        let age = (now.server_time - self.read).abs() + now.error_bound;
        let of_claim = self.bound.map_or(Span::MAX, |bound| bound + self.drifted(age));
        let utc = self.zero + Span::from_ticks(now.server_time.ticks());
        is_date(utc).then_some(UtcReading { utc, error_bound: now.error_bound + of_claim })
    }

    /// Returns the server time at `utc`, or `None` if the server time is out of range or `utc` is not between
    /// the years 1970 and 9999. Use this to wait for a date, and call it again when the claim changes.
    pub fn server_time_at(&self, utc: UtcTime) -> Option<ServerTime> {
        let at = ServerTime::from_ticks((utc - self.zero).ticks());
        Some(at).filter(|at| is_date(utc) && at.is_valid())
    }

    fn drifted(&self, passed: Span) -> Span {
        let (ppm, ticks) = (i64::from(self.drift_ppm), passed.ticks());
        let part = (ticks % MILLION * ppm + MILLION - 1) / MILLION;
        Span::from_ticks((ticks / MILLION).saturating_mul(ppm).saturating_add(part))
    }

    /// Encodes a valid claim, as carried by a [session](crate::session).
    pub fn encode(&self) -> [u8; CLAIM_SIZE] {
        let bound = self.bound.map_or(NO_BOUND, |bound| bound.ticks() as u32);
        let mut bytes = [0; CLAIM_SIZE];
        bytes[..4].copy_from_slice(&wire::head(KIND));
        bytes[4..8].copy_from_slice(&bound.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.server_epoch.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.zero.ticks().to_be_bytes());
        bytes[24..32].copy_from_slice(&self.read.ticks().to_be_bytes());
        bytes[32..36].copy_from_slice(&self.drift_ppm.to_be_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() != CLAIM_SIZE {
            return Err(WireError::Length(bytes.len()));
        }
        wire::check_head(bytes, KIND..=KIND)?;
        if u32_at(bytes, 36) != Some(0) {
            return Err(WireError::Reserved);
        }
        read(bytes).filter(Self::is_valid).ok_or(WireError::Stamp)
    }

    fn is_valid(&self) -> bool {
        let utc = self.zero + Span::from_ticks(self.read.ticks());
        self.zero.is_valid() && self.read.is_valid() && is_date(utc) && self.drift_ppm <= MAX_DRIFT_PPM
    }
}

fn read(bytes: &[u8]) -> Option<UtcClaim> {
    let bound = u32_at(bytes, 4)?;
    Some(UtcClaim {
        server_epoch: u64_at(bytes, 8)?,
        zero: UtcTime::from_ticks(u64_at(bytes, 16)? as i64),
        read: ServerTime::from_ticks(u64_at(bytes, 24)? as i64),
        bound: (bound != NO_BOUND).then(|| Span::from_ticks(i64::from(bound))),
        drift_ppm: u32_at(bytes, 32)?,
    })
}

fn is_date(utc: UtcTime) -> bool {
    utc.ticks() >= 0 && utc <= MAX_UTC
}

const LEAST_GAP: Span = Span::from_secs(1);
const MOST_GAP: Span = Span::from_secs(600);
/// A new claim is created if no observation has agreed with the last claim for this long, because claims'
/// bounds grow with the drift.
const REFRESH: Span = Span::from_secs(60);
/// An observation confirms a claim for this long. Observations are usually more frequent.
pub(crate) const HOLDS: Span = Span::from_secs(2);
/// A new claim is created if UTC deviates by more than this tolerance. The bounds of claims include it.
const TOLERANCE: Span = Span::from_millis(1);

/// A new claim is created if its bound is smaller by more than this factor. Bounds are 1 ms to 429 s, so a
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
    pub(crate) newest: Option<UtcClaim>,
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

/// Agreement leaves enough margin for the drift during [`HOLDS`].
fn agrees(claim: &UtcClaim, newest: &UtcClaim) -> bool {
    distance(claim, newest) + newest.drifted(HOLDS) <= newest.bound.unwrap_or(TOLERANCE)
}

/// Returns how wrong `newest` may have been when `claim` was observed.
fn distance(claim: &UtcClaim, newest: &UtcClaim) -> Span {
    (claim.zero - newest.zero).abs() + claim.bound.map_or(Span::ZERO, |bound| bound - TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MAX_INSTANT_TICKS;

    const ZERO: UtcTime = UtcTime::from_ticks(17_000_000_000_000_000);
    const CLAIM: UtcClaim = UtcClaim {
        server_epoch: 7,
        zero: ZERO,
        read: ServerTime::from_ticks(100_000_000),
        bound: Some(Span::from_millis(3)),
        drift_ppm: 50,
    };

    fn reading(seconds: i64) -> Reading {
        Reading {
            server_time: ServerTime::from_ticks(Span::from_secs(seconds).ticks()),
            error_bound: Span::from_millis(20),
            expected_error: Span::from_millis(1),
            round_trip: Span::from_millis(40),
            frequency_ppm: 0.0,
            state: State::Synced,
            epoch: 1,
            server_epoch: 7,
        }
    }

    #[test]
    fn utc_is_claim_plus_server_time_and_bounds_add_up() {
        let read = CLAIM.read(&reading(110)).expect("the claim's epoch");
        assert_eq!(read.utc, ZERO + Span::from_secs(110));
        assert_eq!(read.error_bound, Span::from_millis(28) + Span::from_micros(1));
        let before = CLAIM.read(&reading(-90)).expect("UTC of the past");
        assert_eq!(before.error_bound, read.error_bound, "the same distance from the reading");
        assert_eq!(CLAIM.server_time_at(read.utc), Some(reading(110).server_time));
        let unbounded = Reading { error_bound: Span::MAX, ..reading(110) };
        let unstated = UtcClaim { bound: None, ..CLAIM };
        for unknown in [CLAIM.read(&unbounded), unstated.read(&reading(110))] {
            assert_eq!(unknown.map(|read| (read.utc, read.error_bound)), Some((read.utc, Span::MAX)));
        }
        assert_eq!(CLAIM.read(&Reading { server_epoch: 8, ..reading(110) }), None, "another run");
        assert_eq!(CLAIM.read(&Reading { state: State::Unsynced, ..reading(110) }), None);
    }

    #[test]
    fn extremes_are_rejected_without_overflow() {
        let last = ServerTime::from_ticks(MAX_INSTANT_TICKS);
        assert_eq!(CLAIM.read(&Reading { server_time: last, ..reading(0) }), None, "no date");
        assert_eq!(CLAIM.read(&Reading { error_bound: Span::from_ticks(-1), ..reading(0) }), None);
        let huge = Reading { error_bound: Span::from_ticks(i64::MAX - 1), ..reading(0) };
        assert_eq!(CLAIM.read(&huge).map(|read| read.error_bound), Some(Span::MAX));
        let early = UtcClaim { zero: UtcTime::from_ticks(-MAX_INSTANT_TICKS), read: last, ..CLAIM };
        assert_eq!(early.server_time_at(MAX_UTC), None, "the server's clock never reaches it");
        assert_eq!(CLAIM.server_time_at(MAX_UTC + Span::from_ticks(1)), None);
        let drifting = UtcClaim { drift_ppm: MAX_DRIFT_PPM, ..CLAIM };
        assert_eq!(drifting.drifted(Span::MAX).ticks(), i64::MAX / 10 + 1, "no product overflows");
    }

    #[test]
    fn encoded_claims_match_the_table() {
        let claim = UtcClaim {
            server_epoch: 0xFEED_0000_0000_BEEF,
            zero: UtcTime::from_ticks(-2),
            read: ServerTime::from_ticks(0x0708),
            bound: Some(Span::from_ticks(0x0506)),
            drift_ppm: 50,
        };
        let expected: [[u8; 8]; 5] = [
            [0x4E, 0x4B, 1, 17, 0, 0, 5, 6],
            [0xFE, 0xED, 0, 0, 0, 0, 0xBE, 0xEF],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE],
            [0, 0, 0, 0, 0, 0, 7, 8],
            [0, 0, 0, 50, 0, 0, 0, 0],
        ];
        let bytes = claim.encode();
        assert_eq!(bytes.as_slice(), expected.as_flattened());
        assert_eq!(UtcClaim::decode(&bytes), Ok(claim));
        assert_eq!(UtcClaim::decode(&bytes[..39]), Err(WireError::Length(39)));
        let unknown = UtcClaim { bound: None, ..claim };
        assert_eq!(UtcClaim::decode(&unknown.encode()), Ok(unknown));
        // The cases are a drift above 100,000 ppm, UTC before 1970 and after the year 9999, and two invalid
        // instants.
        for (at, value) in [(33, 2), (30, 0), (16, 0x30), (16, 0x7F), (24, 0x7F)] {
            let mut changed = bytes;
            changed[at] = value;
            if at == 30 {
                changed[31] = 0;
            }
            assert_eq!(UtcClaim::decode(&changed), Err(WireError::Stamp), "byte {at}");
        }
        let mut reserved = bytes;
        reserved[39] = 1;
        assert_eq!(UtcClaim::decode(&reserved), Err(WireError::Reserved));
    }

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
        assert!(refreshed.is_some() && it.newest == refreshed, "a minute later: {refreshed:?}");
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
