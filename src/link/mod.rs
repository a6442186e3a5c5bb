//! A transport of our own beside the game's: datagrams under a session key, stamped outside the frame loop.
//!
//! Messages of a game wait for frames, and no stamp shows how long. So a clock that uses them is no better
//! than some milliseconds. The link sends the same requests and replies in datagrams of their own, which wait
//! for nothing.
//!
//! The server draws a [session key](crate::keyed) for each player, [admits](ServerLink::admit) it, and
//! sends it with its port over the game's connection, to this player only. The client becomes a
//! [`LinkedClient`]. Both paths are used at once: the estimate is that of the path with the smaller
//! expected error, and the bounds of both are intersected. While the link is good, the game's messages ask
//! half as often, or as the settings say. If the link falls silent, they take over within two seconds.
//!
//! | part | does |
//! |---|---|
//! | `server.rs` | answers the holders of admitted keys, within budgets |
//! | `client.rs` | asks, learns from replies |
//! | `check.rs` | whether datagrams pass at all: [`LinkState`] |
//! | `marking.rs` | whether they leave marked as building no queue: [`Mark`] |
//!
//! Each datagram has 64 bytes, requests and replies alike: [`keyed`](crate::keyed) around [`wire`]. Nothing
//! here has a socket. The caller passes in what arrived, and sends what is returned.

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

/// Why a datagram was not used. Nothing changed, except what is counted, or what [`Refusal`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// It is not from a holder of the key, or the session has had as many answers as it may.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Its message is none that this side takes.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The server's stamps are out of range or out of order.
    #[error(transparent)]
    Respond(#[from] RespondError),
    /// The client did not use the exchange.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The client did not use what was said of the authority.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// The server has given as many answers as it may for now.
    #[error("the server has given as many answers as it may for now")]
    Busy,
}
