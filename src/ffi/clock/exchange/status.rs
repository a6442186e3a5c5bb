use crate::clock::{Refusal, WireError, wire};
use crate::ffi::base::prelude::*;

/// No outstanding request has this id. The message is forged, duplicated or expired, or the local clock may
/// have stopped during a gap between calls since the request was sent.
pub const NETCLOCK_UNKNOWN_REQUEST: i32 = -101;
/// A message arrived before the message that it answers was sent.
pub const NETCLOCK_ARRIVED_BEFORE_SENT: i32 = -102;
/// The reply was sent before the request was received.
pub const NETCLOCK_SENT_BEFORE_RECEIVED: i32 = -103;
/// The server claims to have held the request for longer than the round trip took.
pub const NETCLOCK_HELD_TOO_LONG: i32 = -104;
/// The round trip exceeded `max_round_trip`.
pub const NETCLOCK_TOO_SLOW: i32 = -105;
/// The timestamps contradict the clock. The error bound is widened until a second exchange decides.
pub const NETCLOCK_CONTRADICTION: i32 = -106;
/// The reply is not from the server that the client follows. Several servers with different clocks answer at
/// one address, for example behind a load balancer. The client follows one until it stops replying.
pub const NETCLOCK_SEVERAL_SERVERS: i32 = -107;
/// The length of the datagram is wrong, or the buffer is too small.
pub const NETCLOCK_WIRE_LENGTH: i32 = -111;
/// The bytes are not a NetClock datagram.
pub const NETCLOCK_WIRE_MAGIC: i32 = -112;
/// The sender uses an older version of the format. Update the sender.
pub const NETCLOCK_WIRE_OLDER: i32 = -113;
/// The datagram is not of the expected kind, or is of an unknown kind.
pub const NETCLOCK_WIRE_KIND: i32 = -114;
/// A reserved field of the datagram is not zero.
pub const NETCLOCK_WIRE_RESERVED: i32 = -115;
/// A timestamp cannot be encoded or is invalid, or the datagram contains an invalid segment.
pub const NETCLOCK_WIRE_STAMP: i32 = -116;
/// The sender uses a newer version of the format. Update this side.
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

pub(crate) const fn version(is_older: bool) -> i32 {
    if is_older { NETCLOCK_WIRE_OLDER } else { NETCLOCK_WIRE_NEWER }
}
