//! Sockets and threads for links, for callers that do not provide their own.
//!
//! [`LinkServer`] answers on a UDP port, and [`LinkConnection`] keeps a [`Client`](crate::Client) linked to
//! it. Each has its own thread, which sleeps until a datagram arrives or a request is due. Callers that do
//! not want a thread can poll instead. Both use [`StampedSocket`], which you can also use for your own
//! messages. Everything else in this library is sans-IO, including the [link](crate::link) itself.
//!
//! Local time is [`monotonic_now`](crate::monotonic_now). On Unix systems, including Linux and macOS, the
//! kernel timestamps datagrams when they arrive. On Windows, the receiving thread timestamps datagrams as
//! soon as it wakes up. [`Stamps`] reports the source of the timestamps.

#![expect(clippy::disallowed_types, reason = "only this module uses sockets")]

mod connect_config;
mod connection;
mod resolve;
mod route;
mod runner;
mod server;
mod shared;
mod socket;
#[cfg(unix)]
mod stamps;
mod trouble;
mod waker;
mod worker;

pub use connect_config::ConnectConfig;
pub use connection::LinkConnection;
pub(crate) use resolve::address_in;
pub use server::{LinkServer, ServeConfig, ServeStatus};
pub(crate) use shared::link_of;
pub use shared::{LinkStatus, SharedClient};
pub use socket::{Arrival, Peer, Received, StampedSocket, is_refusal};
pub use trouble::Trouble;

use std::io;

use crate::clock::CreateError;
use crate::clock::for_parts::OutOfMemory;
use crate::clock::keyed::KeyError;

/// The source of arrival timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stamps {
    /// No datagram has arrived yet.
    #[default]
    None,
    /// The kernel took the timestamp when the datagram arrived from the network.
    Kernel,
    /// The receiving thread took the timestamp as soon as it woke up.
    Thread,
}

impl Stamps {
    /// Returns a description of the source.
    pub const fn words(self) -> &'static str {
        match self {
            Stamps::None => "none yet",
            Stamps::Kernel => "kernel",
            Stamps::Thread => "thread",
        }
    }
}

/// Why a link could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// A setting is out of range, or there is not enough memory.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The key cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The port is in use by another socket.
    #[error("another program uses the port; choose another one, or 0 for a free one")]
    PortInUse,
    /// The system does not permit this port or socket.
    #[error("the system denies permission for this socket; ports below 1024 require privileges")]
    NoPermission,
    /// The address does not belong to this machine or is not a valid destination.
    #[error("the address cannot be used here")]
    BadAddress,
    /// The system could not create the socket for another reason.
    #[error("the system cannot open a socket: {0}")]
    Socket(io::Error),
    /// The system could not create a thread.
    #[error("the system cannot start a thread")]
    Thread,
}

impl From<OutOfMemory> for NetError {
    fn from(missing: OutOfMemory) -> Self {
        NetError::Create(missing.into())
    }
}

impl From<io::Error> for NetError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AddrInUse => NetError::PortInUse,
            io::ErrorKind::PermissionDenied => NetError::NoPermission,
            io::ErrorKind::AddrNotAvailable | io::ErrorKind::InvalidInput => NetError::BadAddress,
            _ => NetError::Socket(error),
        }
    }
}

#[cfg(test)]
mod tests;
