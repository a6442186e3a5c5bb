//! Why a reply was refused.

use crate::clock::{RespondError, ServerTime};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::NETCLOCK_SENT_BEFORE_RECEIVED;

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
