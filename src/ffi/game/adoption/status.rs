//! Statuses of a handover.

use crate::ffi::base::prelude::*;
use crate::ffi::clock::client::status::NETCLOCK_OTHER_TIMESCALE;
use crate::ffi::clock::exchange::status::*;
use crate::game::adoption::AdoptionError;

/// Too few participants have answered yet.
pub const NETCLOCK_TOO_FEW: i32 = 301;
/// A participant contradicts itself: none of its answers counts any more.
pub const NETCLOCK_LIAR: i32 = -301;
/// More participants lie than are tolerated. No time lies within the bounds of enough participants.
pub const NETCLOCK_NO_AGREEMENT: i32 = -302;

impl From<AdoptionError> for Failure {
    fn from(error: AdoptionError) -> Self {
        let status = match error {
            AdoptionError::UnknownParticipant(_) => NETCLOCK_UNKNOWN_PARTICIPANT,
            AdoptionError::Full => NETCLOCK_FULL,
            AdoptionError::UnknownRequest => NETCLOCK_UNKNOWN_REQUEST,
            AdoptionError::OtherTimescale(_) => NETCLOCK_OTHER_TIMESCALE,
            AdoptionError::OutOfRange => NETCLOCK_STAMP_OUT_OF_RANGE,
            AdoptionError::ArrivedBeforeSent => NETCLOCK_ARRIVED_BEFORE_SENT,
            AdoptionError::TooSlow(_) => NETCLOCK_TOO_SLOW,
            AdoptionError::Liar(_) => NETCLOCK_LIAR,
            AdoptionError::TooFew { .. } => NETCLOCK_TOO_FEW,
            AdoptionError::NoAgreement { .. } => NETCLOCK_NO_AGREEMENT,
        };
        Failure::from_error(status, error)
    }
}
