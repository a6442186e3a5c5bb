//! Why an exchange or a datagram was refused.

use crate::exchange::{Refusal, WireError};
use crate::ffi::base::failure::Failure;
use crate::ffi::base::status::{NETCLOCK_STAMP_OUT_OF_RANGE, NetclockStatus};

/// No outstanding request has this id: it is forged, a duplicate, or expired.
pub const NETCLOCK_UNKNOWN_REQUEST: i32 = -101;
/// A message arrived before what it answers was sent.
pub const NETCLOCK_ARRIVED_BEFORE_SENT: i32 = -102;
/// The server sent the reply before it received the request.
pub const NETCLOCK_SENT_BEFORE_RECEIVED: i32 = -103;
/// The server claims to have held the request for longer than the round trip took.
pub const NETCLOCK_HELD_TOO_LONG: i32 = -104;
/// The round trip took longer than the configured maximum.
pub const NETCLOCK_TOO_SLOW: i32 = -105;
/// The stamps contradict the clock. This is remembered: the error bound is widened until a second exchange decides.
pub const NETCLOCK_CONTRADICTION: i32 = -106;
/// A datagram is not as long as its kind (`NETCLOCK_DATAGRAM_SIZE`, `NETCLOCK_SEGMENT_SIZE`), or its buffer is too
/// small.
pub const NETCLOCK_WIRE_LENGTH: i32 = -111;
/// This is not a NetClock datagram.
pub const NETCLOCK_WIRE_MAGIC: i32 = -112;
/// A datagram of another version of the format.
pub const NETCLOCK_WIRE_VERSION: i32 = -113;
/// A datagram of another kind than was expected, or of none.
pub const NETCLOCK_WIRE_KIND: i32 = -114;
/// A reserved field of a datagram is not zero.
pub const NETCLOCK_WIRE_RESERVED: i32 = -115;
/// A datagram cannot hold this stamp, or holds an invalid one. Or it holds no valid segment.
pub const NETCLOCK_WIRE_STAMP: i32 = -116;

impl From<Refusal> for NetclockStatus {
    fn from(refusal: Refusal) -> Self {
        NetclockStatus(match refusal {
            Refusal::UnknownRequest => NETCLOCK_UNKNOWN_REQUEST,
            Refusal::StampOutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            Refusal::ArrivedBeforeSent => NETCLOCK_ARRIVED_BEFORE_SENT,
            Refusal::SentBeforeReceived => NETCLOCK_SENT_BEFORE_RECEIVED,
            Refusal::HeldTooLong => NETCLOCK_HELD_TOO_LONG,
            Refusal::TooSlow => NETCLOCK_TOO_SLOW,
            Refusal::Contradiction => NETCLOCK_CONTRADICTION,
        })
    }
}

impl From<WireError> for Failure {
    #[cold]
    #[inline(never)]
    fn from(error: WireError) -> Self {
        let status = match error {
            WireError::Length(_) => NETCLOCK_WIRE_LENGTH,
            WireError::Magic => NETCLOCK_WIRE_MAGIC,
            WireError::Version(_) => NETCLOCK_WIRE_VERSION,
            WireError::Kind(_) => NETCLOCK_WIRE_KIND,
            WireError::Reserved => NETCLOCK_WIRE_RESERVED,
            WireError::Stamp => NETCLOCK_WIRE_STAMP,
        };
        Failure::from_error(status, error)
    }
}

/// No room for a message.
pub(crate) fn no_room(given: usize, needed: usize) -> Failure {
    Failure::because(NETCLOCK_WIRE_LENGTH, move |f| {
        write!(f, "capacity is {given}, a datagram needs {needed} bytes")
    })
}
