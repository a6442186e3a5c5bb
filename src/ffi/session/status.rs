use crate::clock::ConfigError;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::game::start::StartError;
use crate::game::timeline::{ObserveError, SegmentError, WorldError};
use crate::game::utc::UtcObserveError;
use crate::session::SessionError;

/// The host has not offered a link in this connection.
pub const NETCLOCK_NO_LINK_OFFER: i32 = 1101;
/// The world time is unknown, because no segment from this run of the server's clock has arrived.
pub const NETCLOCK_NO_WORLD: i32 = 1102;
/// According to the known segments, the world's clock never reads this time.
pub const NETCLOCK_NEVER: i32 = 1103;
/// The instant is before the world's oldest stored segment. See the setting `world_segments`.
pub const NETCLOCK_NOT_KEPT: i32 = 1104;
/// UTC is unknown, because the server has not reported it or the system has no UTC.
pub const NETCLOCK_NO_UTC: i32 = 1105;
/// A player is not ready. The output contains this player and the reason.
pub const NETCLOCK_HELD_UP: i32 = 1106;
/// No start was scheduled, or none is pending.
pub const NETCLOCK_NO_START: i32 = 1107;
/// No latency change is pending.
pub const NETCLOCK_NO_CHANGE: i32 = 1108;
/// In one of the required directions, no message has been measured yet.
pub const NETCLOCK_NO_MESSAGES: i32 = 1109;
/// The number of the world is not from 0 to 3.
pub const NETCLOCK_UNKNOWN_WORLD: i32 = -1101;
/// The datagram belongs to an earlier session of the guest, or the host does not know the guest's session
/// yet.
pub const NETCLOCK_OTHER_SESSION: i32 = -1102;
/// A section of the datagram is truncated.
pub const NETCLOCK_WIRE_TRUNCATED: i32 = -1103;
/// The blob is a mixture of several blobs.
pub const NETCLOCK_WIRE_TORN: i32 = -1104;
/// The rate of a running world is not between 1e-4 and 100.
pub const NETCLOCK_RATE_OUT_OF_RANGE: i32 = -1105;
/// The server's real time is earlier than in a previous call.
pub const NETCLOCK_REAL_WENT_BACKWARDS: i32 = -1106;
/// The world's time is earlier than in a previous call. Begin a new world with `NETCLOCK_WORLD_NEW`.
pub const NETCLOCK_WORLD_WENT_BACKWARDS: i32 = -1107;
/// UTC is not between the years 1970 and 9999.
pub const NETCLOCK_UTC_OUT_OF_RANGE: i32 = -1108;
/// A start is pending. Wait for this start, or cancel it.
pub const NETCLOCK_START_PENDING: i32 = -1109;

impl From<SessionError> for Failure {
    #[cold]
    fn from(error: SessionError) -> Self {
        Failure::of(match error {
            SessionError::Wire(error) => return error.into(),
            SessionError::Key(error) => return error.into(),
            SessionError::Observe(error) => return error.into(),
            SessionError::Utc(error) => return error.into(),
            SessionError::Start(error) => return error.into(),
            // The callers have already checked the instants.
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

impl From<StartError> for Failure {
    #[cold]
    fn from(error: StartError) -> Self {
        Failure::of(match error {
            StartError::Confidence(value) => {
                let (field, unit) = ("confidence", "of all starts, not 0.5 itself");
                return ConfigError { field, value, min: 0.5, max: 0.99999, unit }.into();
            }
            StartError::TimeOutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            StartError::Pending => NETCLOCK_START_PENDING,
            StartError::NoStart => NETCLOCK_NO_START,
            StartError::UnknownParticipant => NETCLOCK_UNKNOWN_PARTICIPANT,
        })
    }
}

impl From<SegmentError> for Failure {
    #[cold]
    fn from(error: SegmentError) -> Self {
        // Only timelines return errors other than `Instant` and `Tolerance`.
        let is_of_tolerance = matches!(error, SegmentError::Tolerance);
        let status = if is_of_tolerance { NETCLOCK_OUT_OF_RANGE } else { NETCLOCK_STAMP_OUT_OF_RANGE };
        Failure::from_error(status, error)
    }
}

failures! {
    ObserveError {
        OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
        RealWentBackwards(_) => NETCLOCK_REAL_WENT_BACKWARDS,
        WorldWentBackwards(_) => NETCLOCK_WORLD_WENT_BACKWARDS,
    }
    WorldError {
        NotSynced => NETCLOCK_NOT_SYNCED,
        NoWorld => NETCLOCK_NO_WORLD,
        NotKept => NETCLOCK_NOT_KEPT,
        Never => NETCLOCK_NEVER,
        OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
    }
    UtcObserveError {
        Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
        Date => NETCLOCK_UTC_OUT_OF_RANGE,
        Bound(_) => NETCLOCK_OUT_OF_RANGE,
        WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
    }
}
