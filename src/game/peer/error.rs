//! What a relay and its peers refuse, and why.

use crate::exchange::Refusal;
use crate::time::TimeError;

/// Why the relay does not serve a peer, as it says in an ERROR message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Rejection {
    /// The relay speaks another version.
    Version = 1,
    /// No seat in this game, or no room for another game. Tried again.
    Full = 2,
    /// The key sits on another connection, or this connection plays already. Tried again.
    Duplicate = 3,
    /// The relay does not know this login (any more). The peer logs in again.
    NotLoggedIn = 4,
}

impl Rejection {
    pub(super) fn from_code(code: u16) -> Option<Self> {
        [Self::Version, Self::Full, Self::Duplicate, Self::NotLoggedIn]
            .into_iter()
            .find(|rejection| *rejection as u16 == code)
    }
}

/// Why a call of a relay, a peer or a decoder was refused; unless it says otherwise, nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerError {
    /// A message of another length than it says, or than any message has.
    #[error("a message of {0} bytes is not as long as it says, or no message is so long")]
    Size(usize),
    /// No message has this id.
    #[error("no message has the id {0:#x}")]
    UnknownId(u16),
    /// Not as long as messages of this id are, a reserved field is not zero, or a stamp is out of range.
    #[error(
        "a message of id {0:#x} has another length, a reserved field that is set, or an impossible stamp"
    )]
    Malformed(u16),
    /// An earlier message had an impossible size: where the next one begins is not known any more.
    #[error("the stream is broken: close the connection")]
    Broken,
    /// Another version of the protocol.
    #[error("the peer speaks version {0} of the protocol, the relay version 1")]
    Version(u16),
    /// The connection did not log in, or was given up, or did not show its token yet.
    #[error("the connection is not logged in")]
    NotLoggedIn,
    /// The connection or the key is logged in already.
    #[error("logged in already: this connection, or this key by another")]
    Duplicate,
    /// All seats of the game, or all games, are taken.
    #[error("there is no seat, or no room for another game")]
    Full,
    /// A message that only the other role sends.
    #[error("a message that this role does not send, or does not take")]
    WrongRole,
    /// The message carries another key or token: forged, or of an earlier login.
    #[error("the message carries another key or token")]
    WrongKey,
    /// About a primary that is not the present one, or said before.
    #[error("the message is about an earlier primary, or was said before")]
    Stale,
    /// The connection sends more than its share; the message is dropped.
    #[error("the connection sends more than its share")]
    OverBudget,
    /// A reply that nobody waits for.
    #[error("a reply to no request that was forwarded")]
    Unasked,
    /// No room in the receiver's queue; the message is dropped for that receiver.
    #[error("the receiver's queue is full")]
    NoSpace,
    /// There is no shared clock yet to stamp with, or no instant of it that fits.
    #[error("the game did not begin yet")]
    NotBegun,
    /// The relay does not serve this peer.
    #[error("the relay refuses this peer: {0:?}")]
    Rejected(Rejection),
    /// The exchange was refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A local time that cannot be used.
    #[error(transparent)]
    Time(#[from] TimeError),
}
