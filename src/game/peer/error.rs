//! Errors from relays and peers.

use crate::clock::{Refusal, TimeError};

/// The reason why the relay does not serve a peer, as sent in an ERROR message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Rejection {
    /// The relay uses a different version of the protocol.
    Version = 1,
    /// The game has no free slot, or there is no room for another game. The peer retries.
    Full = 2,
    /// Another connection has this key, or this connection is already logged in. The peer retries.
    Duplicate = 3,
    /// The relay does not know this login, or does not know it anymore. The peer logs in again.
    NotLoggedIn = 4,
}

impl Rejection {
    pub(super) fn from_code(code: u16) -> Option<Self> {
        [Self::Version, Self::Full, Self::Duplicate, Self::NotLoggedIn]
            .into_iter()
            .find(|rejection| *rejection as u16 == code)
    }
}

/// The reason why a relay, a peer or a stream reader rejected a call. Unless stated otherwise, no state has
/// changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The message's length is invalid, or differs from its size field.
    #[error("a message of {0} bytes states another length, or no message has this length")]
    Size(usize),
    /// There is no message with this id.
    #[error("no message has the id {0:#x}")]
    UnknownId(u16),
    /// The message with this id has the wrong length, a nonzero reserved field, or a timestamp out of range.
    #[error(
        "a message of id {0:#x} has another length, a reserved field that is set, or an impossible stamp"
    )]
    Malformed(u16),
    /// An earlier message had an invalid size, so the start of the next message is unknown.
    #[error("the stream is broken: close the connection")]
    Broken,
    /// The peer uses a different version of the protocol.
    #[error("the peer uses version {0} of the protocol, the relay version 1")]
    Version(u16),
    /// The connection has not logged in, was dropped by the relay, or has not presented its token yet.
    #[error("the connection is not logged in")]
    NotLoggedIn,
    /// The connection is already logged in, or another connection has this key.
    #[error("already logged in, over this connection or another one with this key")]
    Duplicate,
    /// The game has no free slot, or there is no room for another game.
    #[error("there is no free slot, or the maximum number of games is reached")]
    Full,
    /// Only the other role may send or receive this message.
    #[error("this role does not send or accept this message")]
    WrongRole,
    /// The message contains the wrong key or token. It is forged, or from an earlier login.
    #[error("the message carries another key or token")]
    WrongKey,
    /// The message belongs to an earlier primary, or is a duplicate.
    #[error("the message is about an earlier primary, or was already handled")]
    Stale,
    /// The connection exceeds its rate limit. The relay dropped the message.
    #[error("the connection exceeds its traffic budget")]
    OverBudget,
    /// There is no open request for this reply.
    #[error("the reply does not belong to a request that the relay forwarded")]
    Unasked,
    /// The queue of a receiver is full, so the message was not delivered to it.
    #[error("the receiver's queue is full")]
    NoSpace,
    /// The game has not begun, so there is no shared time to timestamp the message with.
    #[error("the game has not started")]
    NotBegun,
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
