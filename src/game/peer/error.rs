//! Reasons for which a relay and its peers refuse messages and calls.

use crate::clock::{Refusal, TimeError};

/// Why the relay does not serve a peer, as it says in an ERROR message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Rejection {
    /// The relay speaks another version.
    Version = 1,
    /// No free slot in this game, or no room for another game. The peer tries again.
    Full = 2,
    /// Another connection has this key, or this connection plays already. The peer tries again.
    Duplicate = 3,
    /// The relay does not know this login, or no longer. The peer logs in again.
    NotLoggedIn = 4,
}

impl Rejection {
    pub(super) fn from_code(code: u16) -> Option<Self> {
        [Self::Version, Self::Full, Self::Duplicate, Self::NotLoggedIn]
            .into_iter()
            .find(|rejection| *rejection as u16 == code)
    }
}

/// Why a relay, a peer or a stream reader refused a call. Unless it says otherwise, nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// The message has another length than it says, or a length that no message has.
    #[error("a message of {0} bytes: it states another length, or no message has that length")]
    Size(usize),
    /// No message has this id.
    #[error("no message has the id {0:#x}")]
    UnknownId(u16),
    /// A message of this id has another length, or a reserved field is not zero, or a stamp is out of range.
    #[error(
        "a message of id {0:#x} has another length, a reserved field that is set, or an impossible stamp"
    )]
    Malformed(u16),
    /// An earlier message had an impossible size, so nobody knows where the next one begins.
    #[error("the stream is broken: close the connection")]
    Broken,
    /// Another version of the protocol.
    #[error("the peer speaks version {0} of the protocol, the relay version 1")]
    Version(u16),
    /// The connection did not log in, or the relay gave it up, or it has not shown its token yet.
    #[error("the connection is not logged in")]
    NotLoggedIn,
    /// The connection is logged in already, or another connection is with this key.
    #[error("logged in already: this connection, or another one with this key")]
    Duplicate,
    /// The game has no free slot, or there is no room for another game.
    #[error("there is no free slot, or no room for another game")]
    Full,
    /// Only the other role sends this message, or takes it.
    #[error("this role does not send or take this message")]
    WrongRole,
    /// The message carries another key or token: forged, or of an earlier login.
    #[error("the message carries another key or token")]
    WrongKey,
    /// The message is about an earlier primary, or came before.
    #[error("the message is about an earlier primary, or came before")]
    Stale,
    /// The connection sends more than its budget; the relay drops the message.
    #[error("the connection sends more than its budget")]
    OverBudget,
    /// Nobody waits for this reply.
    #[error("the reply answers no request that the relay forwarded")]
    Unasked,
    /// The receiver's queue is full; that receiver does not get the message.
    #[error("the receiver's queue is full")]
    NoSpace,
    /// The game has not begun, so there is no shared time to stamp with.
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
