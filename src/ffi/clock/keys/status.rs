//! Why a sealed message was refused.

use crate::clock::keyed::{self, KeyError};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::{NETCLOCK_WIRE_LENGTH, version};

/// A message has no seal, although this side has a session key. Do not use it.
pub const NETCLOCK_NOT_SEALED: i32 = -121;
/// A message was sealed for the other direction. Somebody sent it back to where it came from.
pub const NETCLOCK_OTHER_DIRECTION: i32 = -122;
/// No session key of this id is known here. It was never admitted, or was revoked.
pub const NETCLOCK_UNKNOWN_KEY: i32 = -123;
/// The tag of a sealed message is wrong. It is forged, was changed, or was sealed with another secret.
pub const NETCLOCK_FORGED: i32 = -124;
/// A session has had as many answers as it may for now: do not answer.
pub const NETCLOCK_ENOUGH_ANSWERS: i32 = -125;
/// A sealed message came before, or so many newer ones came since that nobody knows. Or its sender started
/// again and did not say so with `netclock_session_key.restarts`.
pub const NETCLOCK_REPLAYED: i32 = -126;
/// A message was sealed for the other channel of a session: for the link, or for the game's messages.
pub const NETCLOCK_OTHER_CHANNEL: i32 = -127;

impl From<KeyError> for Failure {
    #[cold]
    fn from(error: KeyError) -> Self {
        // In the words of the status.
        Failure::of(match error {
            KeyError::NoSecret => NETCLOCK_BAD_CONFIG,
            KeyError::Length(_) | KeyError::NoSpace(_) => NETCLOCK_WIRE_LENGTH,
            KeyError::NotKeyed => NETCLOCK_NOT_SEALED,
            KeyError::Version(sender) => version(sender < keyed::VERSION),
            KeyError::OtherDirection => NETCLOCK_OTHER_DIRECTION,
            KeyError::OtherChannel => NETCLOCK_OTHER_CHANNEL,
            KeyError::Replayed => NETCLOCK_REPLAYED,
            KeyError::UnknownKey(_) => NETCLOCK_UNKNOWN_KEY,
            KeyError::Forged => NETCLOCK_FORGED,
            KeyError::Duplicate => NETCLOCK_DUPLICATE,
            KeyError::Full | KeyError::Exhausted => NETCLOCK_FULL,
            KeyError::OverBudget => NETCLOCK_ENOUGH_ANSWERS,
        })
    }
}
