//! Why an exchange or a datagram was refused.

use crate::clock::{Refusal, WireError, wire};
use crate::ffi::base::prelude::*;

/// No outstanding request has this id: it is forged, a duplicate, or expired. Or the local clock may have
/// missed time since the request, in a gap between calls.
pub const NETCLOCK_UNKNOWN_REQUEST: i32 = -101;
/// A message arrived before what it answers was sent.
pub const NETCLOCK_ARRIVED_BEFORE_SENT: i32 = -102;
/// The server sent the reply before it received the request.
pub const NETCLOCK_SENT_BEFORE_RECEIVED: i32 = -103;
/// The server claims to have held the request for longer than the round trip took.
pub const NETCLOCK_HELD_TOO_LONG: i32 = -104;
/// The round trip took longer than the configured maximum.
pub const NETCLOCK_TOO_SLOW: i32 = -105;
/// The stamps contradict the clock. This widens the error bound until a second exchange decides.
pub const NETCLOCK_CONTRADICTION: i32 = -106;
/// Another server sent the reply than the one that is followed. Several servers with clocks of their own
/// answer at one address, as behind a load balancer; the clock stays with one of them as long as that one
/// replies.
pub const NETCLOCK_SEVERAL_SERVERS: i32 = -107;
/// A datagram is not as long as its kind, or its buffer is too small.
pub const NETCLOCK_WIRE_LENGTH: i32 = -111;
/// This is not a NetClock datagram.
pub const NETCLOCK_WIRE_MAGIC: i32 = -112;
/// The sender speaks an older version of the format than this library. Update the sender.
pub const NETCLOCK_WIRE_OLDER: i32 = -113;
/// A datagram of another kind than was expected, or of none.
pub const NETCLOCK_WIRE_KIND: i32 = -114;
/// A reserved field of a datagram is not zero.
pub const NETCLOCK_WIRE_RESERVED: i32 = -115;
/// A datagram cannot hold this stamp, or holds an invalid one. Or it holds no valid segment.
pub const NETCLOCK_WIRE_STAMP: i32 = -116;
/// The sender speaks a newer version of the format than this library. Update this side.
pub const NETCLOCK_WIRE_NEWER: i32 = -117;

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
            Refusal::SeveralServers => NETCLOCK_SEVERAL_SERVERS,
        })
    }
}

failures! {
    WireError {
        Length(_) => NETCLOCK_WIRE_LENGTH,
        Magic => NETCLOCK_WIRE_MAGIC,
        Version(sender) => version(sender < wire::VERSION),
        Kind(_) => NETCLOCK_WIRE_KIND,
        Reserved => NETCLOCK_WIRE_RESERVED,
        Stamp => NETCLOCK_WIRE_STAMP,
    }
}

/// The status of a message in another version, of which `is_older` says whether it is smaller than ours.
pub(crate) const fn version(is_older: bool) -> i32 {
    if is_older { NETCLOCK_WIRE_OLDER } else { NETCLOCK_WIRE_NEWER }
}

/// No room for a message.
pub(crate) fn no_room(given: usize, needed: usize) -> Failure {
    Failure::because(NETCLOCK_WIRE_LENGTH, move |f| {
        write!(f, "capacity is {given}, a datagram needs {needed} bytes")
    })
}
