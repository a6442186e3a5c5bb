//! A transport for the clock alone. Its sealed datagrams are timestamped outside the game's frame loop.
//!
//! A game's messages wait for the next frame. This unknown wait limits the accuracy of a clock to a few
//! milliseconds. The link sends the same requests and replies in its own datagrams, which do not wait for
//! frames.
//!
//! The server generates a [session key](crate::keyed) for each player and [admits](ServerLink::admit) it.
//! Over the game's connection, the server sends the key and the link's port only to this player. The client
//! becomes a [`LinkedClient`], which uses both paths. The clock uses the estimate that has the smaller
//! expected error, and intersects the bounds of both paths. While the link works, the game's messages carry
//! half as many requests by default. If the link becomes silent, the game's messages take over within two
//! seconds.
//!
//! Requests and replies are datagrams of 64 bytes, in the format of [`wire`] and sealed by
//! [`keyed`](crate::keyed). Except for [`sockets`], this module does no I/O. The caller passes in the
//! received datagrams and sends the returned datagrams.

mod check;
mod client;
mod marking;
mod server;
pub mod sockets;

pub use check::LinkState;
pub(crate) use client::ClientLink;
pub use client::{ClientLinkConfig, ClientLinkCounts, LinkedClient};
pub use marking::{Mark, Marking, NON_QUEUE_BUILDING};
pub use server::{ServerLink, ServerLinkConfig, ServerLinkCounts};

use core::ops::Deref;

use crate::clock::keyed::{KeyError, OVERHEAD};
use crate::clock::{Refusal, RespondError, WireError, wire};

/// Size of a link's datagrams in bytes.
pub const DATAGRAM: usize = wire::SIZE + OVERHEAD;

/// A datagram to send now. It dereferences to its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing<'a> {
    /// The [`DATAGRAM`] bytes to send.
    pub bytes: &'a [u8],
    /// Whether to send the datagram with the DSCP [`NON_QUEUE_BUILDING`]. A reply is marked like its request.
    pub is_marked: bool,
}

impl Deref for Outgoing<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

/// Why a datagram was rejected. No state has changed, except for counters and the effects listed in
/// [`Refusal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The sender does not hold the key, or the session has reached its reply limit.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The message is malformed, or this side does not accept it.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The server's timestamps are out of range or out of order.
    #[error(transparent)]
    Respond(#[from] RespondError),
    /// The client rejected the exchange.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The server has reached its reply limit for now.
    #[error("the server has reached its limit of replies per second")]
    Busy,
}
