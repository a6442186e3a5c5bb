//! Statuses of the calls about starts.

use crate::clock::ConfigError;
use crate::ffi::base::prelude::*;
use crate::game::start::StartError;

/// A participant is not ready: the output says which one and why.
pub const NETCLOCK_HELD_UP: i32 = 601;
/// No start was scheduled, or none is under way.
pub const NETCLOCK_NO_START: i32 = 602;
/// A message about another run of the server's clock than the one that the client is in sync with.
pub const NETCLOCK_OTHER_SERVER_EPOCH: i32 = -601;
/// A result claims an instant before the start, or in the future.
pub const NETCLOCK_IMPLAUSIBLE: i32 = -602;
/// A start is under way: wait for it, or cancel it.
pub const NETCLOCK_START_PENDING: i32 = -603;

impl From<StartError> for Failure {
    #[cold]
    fn from(error: StartError) -> Self {
        // In the words of the status: a second set of texts would say no more.
        Failure::of(match error {
            StartError::Wire(error) => return error.into(),
            StartError::Confidence(value) => {
                let (field, unit) = ("confidence", "of all starts, not 0.5 itself");
                return ConfigError { field, value, min: 0.5, max: 0.99999, unit }.into();
            }
            StartError::TimeOutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            StartError::UnknownParticipant => NETCLOCK_UNKNOWN_PARTICIPANT,
            StartError::Full => NETCLOCK_FULL,
            StartError::Duplicate => NETCLOCK_DUPLICATE,
            StartError::Stale => NETCLOCK_STALE,
            StartError::WrongKey => NETCLOCK_WRONG_KEY,
            StartError::OtherRun => NETCLOCK_OTHER_SERVER_EPOCH,
            StartError::Implausible => NETCLOCK_IMPLAUSIBLE,
            StartError::Pending => NETCLOCK_START_PENDING,
            StartError::NoStart => NETCLOCK_NO_START,
        })
    }
}
