//! Encodes the two messages about starts that a session carries. Numbers are in network byte order.
//!
//! | offset | size | announcement, 12 bytes |
//! |---|---|---|
//! | 0 | 4 | version |
//! | 4 | 8 | the server time of the start, -2^63 for a cancellation |
//!
//! | offset | size | report, 20 bytes, and 36 bytes after a start |
//! |---|---|---|
//! | 0 | 4 | number, increasing |
//! | 4 | 12 | error bound, expected error, and smallest round trip (4 each) |
//! | 16 | 4 | run, the low half of the client's server epoch |
//! | 20 | 4 | version of the start |
//! | 24 | 8 | the server time at which the client started |
//! | 32 | 4 | error bound at that time |
//!
//! Durations are unsigned ticks of 100 ns; `FFFFFFFF` means unknown or more than 429 s.

use crate::clock::for_parts::{NO_INSTANT, u32_at, u64_at};
use crate::clock::{ServerTime, Span};

pub(super) const REPORT_INTERVAL: Span = Span::from_millis(250);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Announcement {
    pub(crate) version: u32,
    /// When to start, or `None` if the start was cancelled.
    pub(crate) at: Option<ServerTime>,
}

impl Announcement {
    const SIZE: usize = 12;

    pub(crate) fn encode(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..4].copy_from_slice(&self.version.to_be_bytes());
        bytes[4..].copy_from_slice(&self.at.map_or(NO_INSTANT, ServerTime::ticks).to_be_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (version, ticks) = (u32_at(bytes, 0)?, u64_at(bytes, 4)? as i64);
        let at = Some(ServerTime::from_ticks(ticks)).filter(|_| ticks != NO_INSTANT);
        let is_valid = bytes.len() == Self::SIZE && at.is_none_or(ServerTime::is_valid);
        is_valid.then_some(Announcement { version, at })
    }
}

/// A report on the participant's own clock, which the server cannot verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(super) error_bound: Span,
    pub(super) expected_error: Span,
    pub(super) round_trip: Span,
    pub(super) run: u32,
}

/// When a participant started, and the error bound of its clock at that instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fired {
    pub(super) version: u32,
    pub(super) at: ServerTime,
    pub(super) error_bound: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(super) number: u32,
    pub(super) claim: Claim,
    pub(super) fired: Option<Fired>,
}

impl Report {
    const BEFORE: usize = 20;
    const AFTER: usize = 36;

    pub(crate) fn encode(&self) -> ([u8; Self::AFTER], usize) {
        let mut bytes = [0; Self::AFTER];
        let Claim { error_bound, expected_error, round_trip, run } = self.claim;
        let numbers = [self.number, short(error_bound), short(expected_error), short(round_trip), run];
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        let Some(Fired { version, at, error_bound }) = self.fired else { return (bytes, Self::BEFORE) };
        bytes[20..24].copy_from_slice(&version.to_be_bytes());
        bytes[24..32].copy_from_slice(&at.ticks().to_be_bytes());
        bytes[32..].copy_from_slice(&short(error_bound).to_be_bytes());
        (bytes, Self::AFTER)
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let span = |at| u32_at(bytes, at).map(long);
        let claim = Claim {
            error_bound: span(4)?,
            expected_error: span(8)?,
            round_trip: span(12)?,
            run: u32_at(bytes, 16)?,
        };
        let fired = match bytes.len() {
            Self::BEFORE => None,
            Self::AFTER => Some(Fired {
                version: u32_at(bytes, 20)?,
                at: Some(ServerTime::from_ticks(u64_at(bytes, 24)? as i64)).filter(|at| at.is_valid())?,
                error_bound: span(32)?,
            }),
            _ => return None,
        };
        Some(Report { number: u32_at(bytes, 0)?, claim, fired })
    }
}

fn short(span: Span) -> u32 {
    u32::try_from(span.ticks().max(0)).unwrap_or(u32::MAX)
}

fn long(ticks: u32) -> Span {
    if ticks == u32::MAX { Span::MAX } else { Span::from_ticks(i64::from(ticks)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: Claim = Claim {
        error_bound: Span::from_ticks(0x0102_0304),
        expected_error: Span::from_ticks(0x0506_0708),
        round_trip: Span::from_ticks(0x090A_0B0C),
        run: 0x0D0E_0F10,
    };

    #[test]
    fn encoded_messages_match_the_tables() {
        let at = ServerTime::from_ticks(-2);
        let fired = Fired { version: 8, at, error_bound: Span::MAX };
        let report = Report { number: 7, claim: CLAIM, fired: Some(fired) };
        let (bytes, length) = report.encode();
        assert_eq!(
            bytes[..20],
            [0, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
            "number, bound, expected error, round trip, run"
        );
        assert_eq!(bytes[20..32], [0, 0, 0, 8, 255, 255, 255, 255, 255, 255, 255, 254], "version, fired");
        assert_eq!((bytes[32..].to_vec(), length), (vec![255; 4], 36), "an unknown bound");
        assert_eq!(Report::decode(&bytes), Some(report));
        let before = Report { fired: None, ..report };
        assert_eq!(before.encode().1, 20);
        assert_eq!(Report::decode(&before.encode().0[..20]), Some(before));
        for at in [Some(at), None] {
            let announcement = Announcement { version: 3, at };
            let bytes = announcement.encode();
            assert_eq!(bytes[..4], [0, 0, 0, 3]);
            assert_eq!(Announcement::decode(&bytes), Some(announcement));
        }
    }

    #[test]
    fn other_lengths_and_invalid_instants_are_rejected() {
        let bytes = [0x7F; 37];
        for length in 0..bytes.len() {
            assert_eq!(Report::decode(&bytes[..length]).is_some(), length == 20, "{length} bytes");
            assert_eq!(Announcement::decode(&bytes[..length]), None, "{length} bytes");
            assert_eq!(Announcement::decode(&[0; 37][..length]).is_some(), length == 12, "{length} bytes");
        }
    }

    #[test]
    fn durations_that_do_not_fit_become_unknown() {
        let long = Claim { error_bound: Span::from_secs(430), expected_error: Span::from_secs(-1), ..CLAIM };
        let (bytes, length) = Report { number: 1, claim: long, fired: None }.encode();
        let known = Claim { error_bound: Span::MAX, expected_error: Span::ZERO, ..CLAIM };
        let read = Report::decode(&bytes[..length]);
        assert_eq!(read.map(|report| report.claim), Some(known));
    }
}
