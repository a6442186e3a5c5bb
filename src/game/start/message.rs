//! Encodes start messages as datagrams of 32 bytes with the header of [`wire`](crate::wire).
//!
//! | offset | size | readiness | start | cancel | acknowledgement | result |
//! |---|---|---|---|---|---|---|
//! | 3 | 1 | kind 3 | kind 4 | kind 5 | kind 6 | kind 7 |
//! | 4 | 4 | number, increasing | version | version | version | version of the start |
//! | 8 | 8 | zero | zero | zero | zero | zero |
//! | 16 | 8 | bound, expected error (4 each) | start time | zero | zero | fired, server time |
//! | 24 | 8 | round trip, run (4 each) | server epoch | server epoch | zero | bound, error (4 each) |
//!
//! Durations are unsigned ticks of 100 ns, and `FFFFFFFF` means unknown or more than 429 s. The run is the
//! low half of the client's server epoch. The session or the transport must identify the sender, because
//! messages do not. All messages have the same length, so they cannot be used to amplify traffic.

use core::ops::RangeInclusive;

use super::error::StartError;
use crate::clock::wire::{self, Datagram, Fields};
use crate::clock::{ServerTime, Span, WireError};

const READINESS: u8 = 3;
const START: u8 = 4;
const CANCEL: u8 = 5;
const ACKNOWLEDGEMENT: u8 = 6;
const RESULT: u8 = 7;

pub(super) const READINESS_INTERVAL: Span = Span::from_millis(250);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) error_bound: Span,
    pub(super) expected_error: Span,
    pub(super) round_trip: Span,
    /// The low half of the client's server epoch.
    pub(super) run: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToOrganiser {
    Readiness { number: u32, claim: Claim },
    Acknowledgement { version: u32 },
    Result { version: u32, fired: ServerTime, error_bound: Span, expected_error: Span },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ToParticipant {
    pub(super) version: u32,
    pub(super) at: Option<ServerTime>,
    pub(super) server_epoch: u64,
}

impl ToOrganiser {
    pub(super) fn encode(&self) -> Datagram {
        let (kind, number, stamp, last) = match *self {
            ToOrganiser::Readiness { number, claim } => {
                let errors = pair(claim.error_bound, claim.expected_error);
                (
                    READINESS,
                    number,
                    errors as i64,
                    u64::from(short(claim.round_trip)) << 32 | u64::from(claim.run),
                )
            }
            ToOrganiser::Acknowledgement { version } => (ACKNOWLEDGEMENT, version, 0, 0),
            ToOrganiser::Result { version, fired, error_bound, expected_error } => {
                (RESULT, version, fired.ticks(), pair(error_bound, expected_error))
            }
        };
        wire::assemble(&Fields { kind, number, id: 0, stamp, last })
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, StartError> {
        let Fields { kind, number, stamp, last, .. } = take_apart(bytes, READINESS..=RESULT)?;
        Ok(match kind {
            READINESS => {
                let (error_bound, expected_error) = spans(stamp as u64);
                let (round_trip, _) = spans(last);
                let claim = Claim { error_bound, expected_error, round_trip, run: last as u32 };
                ToOrganiser::Readiness { number, claim }
            }
            ACKNOWLEDGEMENT if (stamp, last) == (0, 0) => ToOrganiser::Acknowledgement { version: number },
            ACKNOWLEDGEMENT => return Err(WireError::Reserved.into()),
            RESULT => {
                let (error_bound, expected_error) = spans(last);
                ToOrganiser::Result { version: number, fired: valid(stamp)?, error_bound, expected_error }
            }
            _ => return Err(WireError::Kind(kind).into()),
        })
    }
}

impl ToParticipant {
    pub(super) fn encode(&self) -> Datagram {
        let (kind, stamp) = self.at.map_or((CANCEL, 0), |at| (START, at.ticks()));
        wire::assemble(&Fields { kind, number: self.version, id: 0, stamp, last: self.server_epoch })
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, StartError> {
        let Fields { kind, number: version, stamp, last: server_epoch, .. } =
            take_apart(bytes, START..=CANCEL)?;
        let at = match kind {
            START => Some(valid(stamp)?),
            _ if stamp == 0 => None,
            _ => return Err(WireError::Reserved.into()),
        };
        Ok(ToParticipant { version, at, server_epoch })
    }
}

fn take_apart(bytes: &[u8], kinds: RangeInclusive<u8>) -> Result<Fields, WireError> {
    let fields = wire::take_apart(bytes, kinds)?;
    if fields.id == 0 { Ok(fields) } else { Err(WireError::Reserved) }
}

fn valid(stamp: i64) -> Result<ServerTime, StartError> {
    let time = ServerTime::from_ticks(stamp);
    if time.is_valid() { Ok(time) } else { Err(WireError::Stamp.into()) }
}

fn short(span: Span) -> u32 {
    u32::try_from(span.ticks().max(0)).unwrap_or(u32::MAX)
}

fn pair(first: Span, second: Span) -> u64 {
    u64::from(short(first)) << 32 | u64::from(short(second))
}

fn spans(pair: u64) -> (Span, Span) {
    let long = |ticks: u32| if ticks == u32::MAX { Span::MAX } else { Span::from_ticks(i64::from(ticks)) };
    (long((pair >> 32) as u32), long(pair as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim() -> Claim {
        Claim {
            error_bound: Span::from_ticks(0x0102_0304),
            expected_error: Span::from_ticks(0x0506_0708),
            round_trip: Span::from_ticks(0x090A_0B0C),
            run: 0x0D0E_0F10,
        }
    }

    fn to_organiser() -> [ToOrganiser; 3] {
        let fired = ServerTime::from_ticks(-2);
        [
            ToOrganiser::Readiness { number: 7, claim: claim() },
            ToOrganiser::Acknowledgement { version: 8 },
            ToOrganiser::Result { version: 9, fired, error_bound: Span::MAX, expected_error: Span::ZERO },
        ]
    }

    fn to_participant() -> [ToParticipant; 2] {
        [Some(ServerTime::from_ticks(77)), None].map(|at| ToParticipant { version: 3, at, server_epoch: 5 })
    }

    #[test]
    fn encoded_messages_match_the_table() {
        assert_eq!(
            to_organiser()[0].encode(),
            [
                0x4E, 0x4B, 1, 3, 0, 0, 0, 7, // magic, version, kind, number
                0, 0, 0, 0, 0, 0, 0, 0, // zero
                1, 2, 3, 4, 5, 6, 7, 8, // bound, expected error
                9, 10, 11, 12, 13, 14, 15, 16, // round trip, run
            ]
        );
        let result = to_organiser()[2].encode();
        assert_eq!(result[16..24], (-2_i64).to_be_bytes(), "when it fired");
        assert_eq!(result[24..], [255, 255, 255, 255, 0, 0, 0, 0], "bound, expected error");
        assert_eq!(to_participant()[0].encode()[16..], [0, 0, 0, 0, 0, 0, 0, 77, 0, 0, 0, 0, 0, 0, 0, 5]);
        for message in to_organiser() {
            assert_eq!(ToOrganiser::decode(&message.encode()), Ok(message));
            assert!(ToParticipant::decode(&message.encode()).is_err(), "{message:?} to a participant");
        }
        for message in to_participant() {
            assert_eq!(ToParticipant::decode(&message.encode()), Ok(message));
            assert!(ToOrganiser::decode(&message.encode()).is_err(), "{message:?} to the organiser");
        }
    }

    #[test]
    fn durations_that_do_not_fit_become_unknown() {
        let long =
            Claim { error_bound: Span::from_secs(430), expected_error: Span::from_secs(-1), ..claim() };
        let read = ToOrganiser::decode(&ToOrganiser::Readiness { number: 1, claim: long }.encode());
        let known = Claim { error_bound: Span::MAX, expected_error: Span::ZERO, ..claim() };
        assert_eq!(read, Ok(ToOrganiser::Readiness { number: 1, claim: known }));
    }
}
