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

failures! {
    UtcClaimError {
        Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
        Date => NETCLOCK_UTC_OUT_OF_RANGE,
        Arrival => NETCLOCK_TIME_OUT_OF_RANGE,
        Bound => NETCLOCK_OUT_OF_RANGE,
        Drift => NETCLOCK_OUT_OF_RANGE,
        Outdated => NETCLOCK_UTC_OUTDATED,
        Conflict => NETCLOCK_UTC_CONFLICT,
        Leap(_) => NETCLOCK_UTC_LEAP,
        UnknownRequest => NETCLOCK_UNKNOWN_REQUEST,
    }
    UtcObserveError {
        Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
        Date => NETCLOCK_UTC_OUT_OF_RANGE,
        Bound(_) => NETCLOCK_OUT_OF_RANGE,
        WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
    }
    UtcError {
        NotSynced => NETCLOCK_NOT_SYNCED,
        NoClaim => NETCLOCK_NO_UTC,
        Instant => NETCLOCK_STAMP_OUT_OF_RANGE,
        Date => NETCLOCK_UTC_OUT_OF_RANGE,
    }
}
