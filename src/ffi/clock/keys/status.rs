use crate::clock::keyed::{self, KeyError};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status::{NETCLOCK_WIRE_LENGTH, version};

/// The message is not sealed, although this side has a session key. Ignore it.
pub const NETCLOCK_NOT_SEALED: i32 = -121;
/// The message was sealed for the other direction, and was sent back to its sender.
pub const NETCLOCK_OTHER_DIRECTION: i32 = -122;
/// The session key with this id was never admitted, or was revoked.
pub const NETCLOCK_UNKNOWN_KEY: i32 = -123;
/// The authentication tag is wrong. The message was forged, modified, or sealed with another secret.
pub const NETCLOCK_FORGED: i32 = -124;
/// The session has reached its reply limit for now. Do not reply.
pub const NETCLOCK_ENOUGH_ANSWERS: i32 = -125;
/// The sealed message was already received, or is too old to check. The message may also be from a sender
/// that restarted without increasing `netclock_session_key.restarts`.
pub const NETCLOCK_REPLAYED: i32 = -126;
/// The message was sealed for the session's other channel (the link, or the game's messages).
pub const NETCLOCK_OTHER_CHANNEL: i32 = -127;

impl From<KeyError> for Failure {
    #[cold]
    fn from(error: KeyError) -> Self {
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
