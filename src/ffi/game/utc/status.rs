//! Statuses of claims about UTC.

use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::status::NETCLOCK_NOT_SYNCED;
use crate::ffi::clock::exchange::status::NETCLOCK_UNKNOWN_REQUEST;
use crate::game::utc::{UtcClaimError, UtcError, UtcObserveError};

/// UTC is unknown: the server has not said what UTC its clock's zero is, or the system has no UTC.
pub const NETCLOCK_NO_UTC: i32 = 901;
/// The claim says what was known.
pub const NETCLOCK_SAME_UTC: i32 = 902;
/// UTC is not between the years 1970 and 9999.
pub const NETCLOCK_UTC_OUT_OF_RANGE: i32 = -901;
/// A newer claim about UTC is known.
pub const NETCLOCK_UTC_OUTDATED: i32 = -902;
/// Another claim about UTC with the same version is known.
pub const NETCLOCK_UTC_CONFLICT: i32 = -903;
/// The version of a claim about UTC leaps further than a server gets. It is forged.
pub const NETCLOCK_UTC_LEAP: i32 = -904;

impl From<UtcClaimError> for Failure {
    fn from(error: UtcClaimError) -> Self {
        let status = match error {
            UtcClaimError::Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
            UtcClaimError::Date => NETCLOCK_UTC_OUT_OF_RANGE,
            UtcClaimError::Arrival => NETCLOCK_TIME_OUT_OF_RANGE,
            UtcClaimError::Bound | UtcClaimError::Drift => NETCLOCK_OUT_OF_RANGE,
            UtcClaimError::Outdated => NETCLOCK_UTC_OUTDATED,
            UtcClaimError::Conflict => NETCLOCK_UTC_CONFLICT,
            UtcClaimError::Leap(_) => NETCLOCK_UTC_LEAP,
            UtcClaimError::UnknownRequest => NETCLOCK_UNKNOWN_REQUEST,
        };
        Failure::from_error(status, error)
    }
}

impl From<UtcObserveError> for Failure {
    fn from(error: UtcObserveError) -> Self {
        let status = match error {
            UtcObserveError::Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
            UtcObserveError::Date => NETCLOCK_UTC_OUT_OF_RANGE,
            UtcObserveError::Bound(_) => NETCLOCK_OUT_OF_RANGE,
            UtcObserveError::WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
        };
        Failure::from_error(status, error)
    }
}

impl From<UtcError> for Failure {
    fn from(error: UtcError) -> Self {
        let status = match error {
            UtcError::NotSynced => NETCLOCK_NOT_SYNCED,
            UtcError::NoClaim => NETCLOCK_NO_UTC,
            UtcError::Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
            UtcError::Date => NETCLOCK_UTC_OUT_OF_RANGE,
        };
        Failure::from_error(status, error)
    }
}
