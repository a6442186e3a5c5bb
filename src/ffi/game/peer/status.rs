use crate::ffi::base::failure::time_status;
use crate::ffi::base::prelude::*;
use crate::game::peer::PeerError;

/// No peer is playing this game at this relay.
pub const NETCLOCK_NO_GAME: i32 = 804;
/// The connection is not logged in, or is no longer logged in.
pub const NETCLOCK_NOT_LOGGED_IN: i32 = -805;
/// A peer with this role does not send or does not accept this message.
pub const NETCLOCK_WRONG_ROLE: i32 = -806;
/// The connection exceeds its traffic budget.
pub const NETCLOCK_OVER_BUDGET: i32 = -807;
/// The reply does not belong to any request.
pub const NETCLOCK_UNSOLICITED: i32 = -808;
/// A receiver's queue is full, so the message is not delivered to that receiver.
pub const NETCLOCK_QUEUE_FULL: i32 = -809;
/// The relay rejected the login.
pub const NETCLOCK_LOGIN_REJECTED: i32 = -810;
/// The message is about an earlier primary or login.
pub const NETCLOCK_STALE: i32 = -811;
/// The message does not authenticate its sender, because it carries a different key or token. The message is
/// forged, or belongs to an earlier connection.
pub const NETCLOCK_WRONG_KEY: i32 = -812;

impl From<PeerError> for Failure {
    #[cold]
    fn from(error: PeerError) -> Self {
        Failure::of(match error {
            PeerError::Wire(error) => return error.into(),
            PeerError::NotLoggedIn => NETCLOCK_NOT_LOGGED_IN,
            PeerError::Duplicate => NETCLOCK_DUPLICATE,
            PeerError::Full => NETCLOCK_FULL,
            PeerError::WrongRole => NETCLOCK_WRONG_ROLE,
            PeerError::WrongKey => NETCLOCK_WRONG_KEY,
            PeerError::Stale => NETCLOCK_STALE,
            PeerError::OverBudget => NETCLOCK_OVER_BUDGET,
            PeerError::Unasked => NETCLOCK_UNSOLICITED,
            PeerError::NoSpace => NETCLOCK_QUEUE_FULL,
            PeerError::Rejected(_) => NETCLOCK_LOGIN_REJECTED,
            PeerError::Refused(refusal) => return Failure::of(NetclockStatus::from(refusal).0),
            PeerError::Time(error) => time_status(error),
        })
    }
}
