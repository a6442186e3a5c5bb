//! NetClock's own transport beside the game's: sealed datagrams that are timestamped outside the frame loop.
//!
//! A game's messages wait for frames by an unknown time, which limits a clock that uses them to an accuracy
//! of some milliseconds. The link sends the same requests and replies in its own datagrams, which do not
//! wait.
//!
//! The server draws a [session key](crate::keyed) for each player, [admits](ServerLink::admit) it, and sends
//! it with its port over the game's connection to this player only. The client becomes a [`LinkedClient`].
//! Both paths are used: the estimate comes from the path with the smaller expected error, and the bounds of
//! both are intersected. While the link works, the game's messages carry half as many requests, or as
//! configured. If the link falls silent, they take over within two seconds.
//!
//! | part | does |
//! |---|---|
//! | `server.rs` | answers the holders of admitted keys, within budgets |
//! | `client.rs` | asks, learns from replies |
//! | `check.rs` | whether datagrams pass at all: [`LinkState`] |
//! | `marking.rs` | whether they leave marked as building no queue: [`Mark`] |
//!
//! Requests and replies are datagrams of 64 bytes, [`keyed`](crate::keyed) around [`wire`]. This module has
//! no sockets. The caller passes in received datagrams and sends the returned ones.

mod check;
mod client;
mod linked;
mod marking;
mod server;
pub mod sockets;

pub use check::LinkState;
pub(crate) use client::ClientLink;
pub use client::{ClientLinkConfig, ClientLinkCounts};
pub use linked::LinkedClient;
pub use marking::{Mark, Marking, NON_QUEUE_BUILDING};
pub use server::{ServerLink, ServerLinkConfig, ServerLinkCounts};

use crate::clock::authority::AuthorityError;
use crate::clock::keyed::{KeyError, OVERHEAD};
use crate::clock::{Refusal, RespondError, WireError, wire};

/// Length of every datagram of a link, in bytes.
pub const DATAGRAM: usize = wire::SIZE + OVERHEAD;

/// Why a datagram was not used. Nothing changed, except counters and the effects described in [`Refusal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// It is not from a holder of the key, or the session has used up its replies.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// This side does not accept its message.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The server's timestamps are out of range or out of order.
    #[error(transparent)]
    Respond(#[from] RespondError),
    /// The client did not use the exchange.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The client did not use the authority.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// The server has reached its reply limit for now.
    #[error("the server has given as many answers as it may for now")]
    Busy,
}
