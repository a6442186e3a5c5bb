//! Statuses of relays and peers.

use crate::ffi::base::failure::time_status;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status;
use crate::game::peer::{PROTOCOL_VERSION, PeerError};

/// There is no whole message yet: more bytes must come.
pub const NETCLOCK_INCOMPLETE: i32 = 801;
/// The message is the game's own: the output says which.
pub const NETCLOCK_GAME_MESSAGE: i32 = 802;
/// There is no shared time, because the game has not begun.
pub const NETCLOCK_NOT_BEGUN: i32 = 803;
/// Nobody plays this game at this relay.
pub const NETCLOCK_NO_GAME: i32 = 804;
/// A message between relay and peer is not as long as it says, or is too long.
pub const NETCLOCK_MESSAGE_SIZE: i32 = -801;
/// No message between relay and peer has this id.
pub const NETCLOCK_MESSAGE_UNKNOWN: i32 = -802;
/// A message between relay and peer has another length than its id asks for, a reserved field that is set, or
/// an impossible stamp.
pub const NETCLOCK_MESSAGE_MALFORMED: i32 = -803;
/// The stream is broken by an impossible size: close the connection.
pub const NETCLOCK_STREAM_BROKEN: i32 = -804;
/// The connection is not logged in, or not any more.
pub const NETCLOCK_NOT_LOGGED_IN: i32 = -805;
/// A message that this role does not send, or does not accept.
pub const NETCLOCK_WRONG_ROLE: i32 = -806;
/// The connection sends more than its share.
pub const NETCLOCK_OVER_BUDGET: i32 = -807;
/// A reply that nobody waits for.
pub const NETCLOCK_UNSOLICITED: i32 = -808;
/// A receiver's queue is full: it does not get the message.
pub const NETCLOCK_QUEUE_FULL: i32 = -809;
/// The relay refuses this peer.
pub const NETCLOCK_LOGIN_REJECTED: i32 = -810;

/// A message is older than one that was handled, or is about something that has ended.
pub const NETCLOCK_STALE: i32 = -811;
/// A message does not prove its sender: it has another key or token. It is forged, or of an earlier
/// connection.
pub const NETCLOCK_WRONG_KEY: i32 = -812;

impl From<PeerError> for Failure {
    #[cold]
    fn from(error: PeerError) -> Self {
        // In the words of the status.
        Failure::of(match error {
            PeerError::Size(_) => NETCLOCK_MESSAGE_SIZE,
            PeerError::UnknownId(_) => NETCLOCK_MESSAGE_UNKNOWN,
            PeerError::Malformed(_) => NETCLOCK_MESSAGE_MALFORMED,
            PeerError::Broken => NETCLOCK_STREAM_BROKEN,
            PeerError::Version(sender) => status::version(sender < PROTOCOL_VERSION),
            PeerError::NotLoggedIn => NETCLOCK_NOT_LOGGED_IN,
            PeerError::Duplicate => NETCLOCK_DUPLICATE,
            PeerError::Full => NETCLOCK_FULL,
            PeerError::WrongRole => NETCLOCK_WRONG_ROLE,
            PeerError::WrongKey => NETCLOCK_WRONG_KEY,
            PeerError::Stale => NETCLOCK_STALE,
            PeerError::OverBudget => NETCLOCK_OVER_BUDGET,
            PeerError::Unasked => NETCLOCK_UNSOLICITED,
            PeerError::NoSpace => NETCLOCK_QUEUE_FULL,
            PeerError::NotBegun => NETCLOCK_NOT_BEGUN,
            PeerError::Rejected(_) => NETCLOCK_LOGIN_REJECTED,
            PeerError::Refused(refusal) => return Failure::of(NetclockStatus::from(refusal).0),
            PeerError::Time(error) => time_status(error),
        })
    }
}
