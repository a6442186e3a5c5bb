use crate::clock::{Refusal, TimeError, WireError};

/// Why the relay rejected a peer, as sent in a REJECT message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rejection {
    /// The game has no free slot, or there is no room for another game. The peer keeps trying to log in.
    Full = 1,
    /// Another connection uses this key, or this connection is already logged in. The peer keeps trying to
    /// log in.
    Duplicate = 2,
    /// The relay does not know this login or has dropped it. The peer logs in again.
    NotLoggedIn = 3,
}

impl Rejection {
    pub(super) fn from_code(code: u64) -> Option<Self> {
        [Self::Full, Self::Duplicate, Self::NotLoggedIn].into_iter().find(|it| *it as u64 == code)
    }
}

/// Why a relay or a peer rejected a call. A rejected call changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The message is malformed, or the sender uses a different version of the protocol.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The connection has not logged in, or was dropped by the relay.
    #[error("the connection is not logged in")]
    NotLoggedIn,
    /// The connection is already logged in, or another connection uses this key.
    #[error("already logged in, over this connection or another one with this key")]
    Duplicate,
    /// The game has no free slot, or there is no room for another game.
    #[error("there is no free slot, or the maximum number of games is reached")]
    Full,
    /// A peer in this role may not send or receive this message.
    #[error("this role does not send or accept this message")]
    WrongRole,
    /// The message contains the wrong key or token, so it is forged or from an earlier login.
    #[error("the message contains the wrong key or token")]
    WrongKey,
    /// The message belongs to an earlier primary or login.
    #[error("the message belongs to an earlier primary or login")]
    Stale,
    /// The connection exceeds its rate limit, so the relay dropped the message.
    #[error("the connection exceeds its traffic budget")]
    OverBudget,
    /// The reply does not answer an open request.
    #[error("the reply does not belong to a request that the relay forwarded")]
    Unasked,
    /// The receiver's queue is full, so the message was not delivered.
    #[error("the receiver's queue is full")]
    NoSpace,
    /// The relay rejected this peer.
    #[error("the relay rejected the login: {0:?}")]
    Rejected(Rejection),
    /// The clock rejected the exchange.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A local time is outside the valid range.
    #[error(transparent)]
    Time(#[from] TimeError),
}
