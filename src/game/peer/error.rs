//! Why a relay and its peers refuse messages and calls.

use crate::clock::{Refusal, TimeError};

/// Why the relay does not serve a peer, as stated in an ERROR message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Rejection {
    /// The relay uses another version.
    Version = 1,
    /// The game has no free slot, or there is no room for another game. The peer tries again.
    Full = 2,
    /// Another connection has this key, or this connection already plays. The peer tries again.
    Duplicate = 3,
    /// The relay does not or no longer know this login. The peer logs in again.
    NotLoggedIn = 4,
}

impl Rejection {
    pub(super) fn from_code(code: u16) -> Option<Self> {
        [Self::Version, Self::Full, Self::Duplicate, Self::NotLoggedIn]
            .into_iter()
            .find(|rejection| *rejection as u16 == code)
    }
}

/// Why a relay, a peer or a stream reader refused a call. Unless stated otherwise, nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The message's length differs from its size field, or is invalid.
    #[error("a message of {0} bytes: it states another length, or no message has that length")]
    Size(usize),
    /// No message has this id.
    #[error("no message has the id {0:#x}")]
    UnknownId(u16),
    /// A message with this id has the wrong length, a reserved field that is not zero, or a timestamp out of
    /// range.
    #[error(
        "a message of id {0:#x} has another length, a reserved field that is set, or an impossible stamp"
    )]
    Malformed(u16),
    /// An earlier message had an invalid size, so the start of the next one is unknown.
    #[error("the stream is broken: close the connection")]
    Broken,
    /// Another version of the protocol.
    #[error("the peer speaks version {0} of the protocol, the relay version 1")]
    Version(u16),
    /// The connection did not log in, or the relay dropped it, or it has not presented its token yet.
    #[error("the connection is not logged in")]
    NotLoggedIn,
    /// The connection is already logged in, or another connection has this key.
    #[error("logged in already: this connection, or another one with this key")]
    Duplicate,
    /// The game has no free slot, or there is no room for another game.
    #[error("there is no free slot, or no room for another game")]
    Full,
    /// Only the other role sends or accepts this message.
    #[error("this role does not send or take this message")]
    WrongRole,
    /// The message has another key or token. It is forged, or from an earlier login.
    #[error("the message carries another key or token")]
    WrongKey,
    /// The message is about an earlier primary, or is a duplicate.
    #[error("the message is about an earlier primary, or came before")]
    Stale,
    /// The connection exceeds its rate limit; the relay drops the message.
    #[error("the connection sends more than its budget")]
    OverBudget,
    /// There is no request for this reply.
    #[error("the reply answers no request that the relay forwarded")]
    Unasked,
    /// The receiver's queue is full, so it does not get the message.
    #[error("the receiver's queue is full")]
    NoSpace,
    /// The game has not begun, so there is no shared time for a timestamp.
    #[error("the game has not begun yet")]
    NotBegun,
    /// The relay does not serve this peer.
    #[error("the relay refuses this peer: {0:?}")]
    Rejected(Rejection),
    /// The clock refused the exchange.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A local time is outside the valid range.
    #[error(transparent)]
    Time(#[from] TimeError),
}
