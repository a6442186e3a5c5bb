//! Handover status codes.

use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::status::NETCLOCK_OTHER_TIMESCALE;
use crate::ffi::clock::exchange::status::*;
use crate::game::adoption::AdoptionError;

/// Too few participants have answered.
pub const NETCLOCK_TOO_FEW: i32 = 301;
/// The participant contradicts itself, and none of its answers counts any more.
pub const NETCLOCK_LIAR: i32 = -301;
/// More participants lie than are tolerated. No time is within the bounds of enough participants.
pub const NETCLOCK_NO_AGREEMENT: i32 = -302;

failures! {
    AdoptionError {
        UnknownParticipant(_) => NETCLOCK_UNKNOWN_PARTICIPANT,
        Full => NETCLOCK_FULL,
        UnknownRequest => NETCLOCK_UNKNOWN_REQUEST,
        OtherTimescale(_) => NETCLOCK_OTHER_TIMESCALE,
        OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
        ArrivedBeforeSent => NETCLOCK_ARRIVED_BEFORE_SENT,
        TooSlow(_) => NETCLOCK_TOO_SLOW,
        Liar(_) => NETCLOCK_LIAR,
        TooFew { .. } => NETCLOCK_TOO_FEW,
        NoAgreement { .. } => NETCLOCK_NO_AGREEMENT,
    }
}
