//! Statuses of hosts and guests.

use crate::ffi::base::prelude::*;
use crate::session::SessionError;

/// The host offered no link in this connection.
pub const NETCLOCK_NO_LINK_OFFER: i32 = 1101;
/// A host has worlds 0 to 3.
pub const NETCLOCK_UNKNOWN_WORLD: i32 = -1101;
/// The datagram belongs to an earlier session of the guest, or the host does not know its session yet.
pub const NETCLOCK_OTHER_SESSION: i32 = -1102;
/// A section of the datagram is cut off.
pub const NETCLOCK_WIRE_TRUNCATED: i32 = -1103;
/// The blob is a mixture of several.
pub const NETCLOCK_WIRE_TORN: i32 = -1104;

impl From<SessionError> for Failure {
    #[cold]
    fn from(error: SessionError) -> Self {
        Failure::of(match error {
            SessionError::Wire(error) => return error.into(),
            SessionError::Key(error) => return error.into(),
            SessionError::Observe(error) => return error.into(),
            SessionError::Utc(error) => return error.into(),
            SessionError::Start(error) => return error.into(),
            // Its instants are in range.
            SessionError::Watch(_) => NETCLOCK_TIME_WENT_BACKWARDS,
            SessionError::Time(error) => failure::time_status(error),
            SessionError::UnknownPlayer => NETCLOCK_UNKNOWN_PARTICIPANT,
            SessionError::Duplicate => NETCLOCK_DUPLICATE,
            SessionError::Full => NETCLOCK_FULL,
            SessionError::UnknownWorld => NETCLOCK_UNKNOWN_WORLD,
            SessionError::OtherSession => NETCLOCK_OTHER_SESSION,
            SessionError::Torn => NETCLOCK_WIRE_TORN,
            SessionError::Truncated => NETCLOCK_WIRE_TRUNCATED,
        })
    }
}
