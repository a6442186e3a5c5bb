//! A server's claim about the relation between UTC and server time, encoded in 40 bytes.
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

use crate::clock::for_parts::{u32_at, u64_at};
use crate::clock::{Reading, ServerTime, Span, State, UtcTime, WireError, wire};

/// The largest bound that fits into four bytes (429 s). Claims with a larger error have no bound.
pub(super) const MAX_CLAIM_BOUND: Span = Span::from_ticks(NO_BOUND as i64 - 1);

/// The end of the year 9999, which is also the last year of game calendars such as Unreal's `FDateTime`.
const MAX_UTC: UtcTime = UtcTime::from_ticks(2_534_023_007_999_999_999);

pub(super) const MAX_DRIFT_PPM: u32 = 100_000;

const CLAIM_SIZE: usize = 40;
const KIND: u8 = 17;
const NO_BOUND: u32 = u32::MAX;
const MILLION: i64 = 1_000_000;

/// The server's claim that UTC is `zero` plus server time.
///
/// The server read both clocks at `read`. Since then, the clocks may have drifted apart by up to `drift_ppm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcClaim {
    /// The server epoch of `zero` and `read`, as in [`Reply::epoch`](crate::Reply::epoch).
    pub server_epoch: u64,
    /// UTC when the server's clock reads zero, which may be before 1970.
    pub zero: UtcTime,
    /// When the server read both clocks, or when they last agreed with this claim. At that time, UTC was
    /// between the years 1970 and 9999.
    pub read: ServerTime,
    /// Maximum error of the claimed UTC at `read`, according to the machine's time source, or `None` if the
    /// source does not report one. (0 to 429 s)
    pub bound: Option<Span>,
    /// Maximum drift of the server's clock relative to UTC. (ppm, 0..=100000)
    pub drift_ppm: u32,
}

/// The server's UTC at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcReading {
    /// UTC according to the server's claim, which may jump when the claim changes.
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

    pub(super) fn drifted(&self, passed: Span) -> Span {
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

pub(super) fn is_date(utc: UtcTime) -> bool {
    utc.ticks() >= 0 && utc <= MAX_UTC
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
        // The values are a drift above 100,000 ppm, UTC before 1970 and after the year 9999, and invalid
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
}
