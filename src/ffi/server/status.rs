//! Statuses of a server's calls.

use crate::ffi::base::failure::{self, Failure};
use crate::ffi::base::status::*;
use crate::ffi::client::status::NETCLOCK_OTHER_TIMESCALE;
use crate::ffi::exchange::status::*;
use crate::server::{AdoptionError, ReportError, RespondError};
use crate::time::ServerTime;

/// Too few participants have answered yet.
pub const NETCLOCK_TOO_FEW: i32 = 301;
/// A participant contradicts itself: none of its answers counts any more.
pub const NETCLOCK_LIAR: i32 = -301;
/// More participants lie than are tolerated. No time lies within the bounds of enough participants.
pub const NETCLOCK_NO_AGREEMENT: i32 = -302;

/// The stamps of a reply were refused.
pub(crate) fn respond(error: RespondError, received: ServerTime, sent: ServerTime) -> Failure {
    match error {
        RespondError::StampOutOfRange => failure::stamps(
            NETCLOCK_STAMP_OUT_OF_RANGE,
            &["received", "sent"],
            [received.ticks(), sent.ticks(), 0, 0],
        ),
        RespondError::SentBeforeReceived => Failure::because(NETCLOCK_SENT_BEFORE_RECEIVED, move |f| {
            write!(f, "sent is {} ticks before received", (received - sent).ticks())
        }),
    }
}

/// A rate watch refused stamps with these names.
pub(crate) fn report(error: ReportError, names: &'static [&'static str], stamps: [i64; 3]) -> Failure {
    let status = match error {
        ReportError::StampOutOfRange => {
            let [first, second, third] = stamps;
            return failure::stamps(NETCLOCK_STAMP_OUT_OF_RANGE, names, [first, second, third, 0]);
        }
        ReportError::WentBackwards(_) => NETCLOCK_TIME_WENT_BACKWARDS,
        ReportError::HeardTooEarly(_) => NETCLOCK_ARRIVED_BEFORE_SENT,
    };
    Failure::from_error(status, error)
}

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
