//! Relay and peer status codes.

use crate::ffi::base::failure::time_status;
use crate::ffi::base::prelude::*;
use crate::ffi::clock::exchange::status;
use crate::game::peer::{PROTOCOL_VERSION, PeerError};

/// The message is incomplete. More bytes must arrive.
pub const NETCLOCK_INCOMPLETE: i32 = 801;
/// The message belongs to the game, and the output describes it.
pub const NETCLOCK_GAME_MESSAGE: i32 = 802;
/// There is no shared time because the game has not started.
pub const NETCLOCK_NOT_BEGUN: i32 = 803;
/// No peer plays this game at this relay.
pub const NETCLOCK_NO_GAME: i32 = 804;
/// The size of a message between relay and peer is wrong or too large.
pub const NETCLOCK_MESSAGE_SIZE: i32 = -801;
/// The id of a message between relay and peer is unknown.
pub const NETCLOCK_MESSAGE_UNKNOWN: i32 = -802;
/// A message between relay and peer has the wrong size for its id, a reserved field that is set, or an
/// impossible timestamp.
pub const NETCLOCK_MESSAGE_MALFORMED: i32 = -803;
/// The stream contains an impossible size. Close the connection.
pub const NETCLOCK_STREAM_BROKEN: i32 = -804;
/// The connection is not logged in, or is no longer logged in.
pub const NETCLOCK_NOT_LOGGED_IN: i32 = -805;
/// This role does not send, or does not accept, such a message.
pub const NETCLOCK_WRONG_ROLE: i32 = -806;
/// The connection exceeds its traffic budget.
pub const NETCLOCK_OVER_BUDGET: i32 = -807;
/// The reply does not belong to any request.
pub const NETCLOCK_UNSOLICITED: i32 = -808;
/// A receiver's queue is full, so the receiver does not get the message.
pub const NETCLOCK_QUEUE_FULL: i32 = -809;
/// The relay rejected the login.
pub const NETCLOCK_LOGIN_REJECTED: i32 = -810;

/// The message is older than one that was already handled, or is about something that has ended.
pub const NETCLOCK_STALE: i32 = -811;
/// The message does not authenticate its sender because it carries another key or token. It is forged, or
/// belongs to an earlier connection.
pub const NETCLOCK_WRONG_KEY: i32 = -812;

impl From<PeerError> for Failure {
    #[cold]
    fn from(error: PeerError) -> Self {
        // The text of the status is sufficient.
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
