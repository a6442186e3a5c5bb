//! The state that a connection's thread shares with its callers.

use std::net::SocketAddr;
use std::sync::{Arc, PoisonError};

use super::{Stamps, Trouble};
use crate::clock::for_parts::OutOfMemory;
use crate::clock::for_parts::memory::boxed;
use crate::clock::keyed::SessionKey;
use crate::clock::{Client, CreateError, LocalTime};
use crate::link::{ClientLink, ClientLinkConfig, ClientLinkCounts, LinkState, Mark};

/// A client that a link's thread shares with other threads.
///
/// ```
/// # use std::sync::{Arc, PoisonError, RwLock};
/// # use netclock::{Client, link::sockets::SharedClient};
/// struct Mine(Arc<RwLock<Client>>);
/// impl SharedClient for Mine {
///     fn with(&self, work: &mut dyn FnMut(&mut Client)) {
///         work(&mut self.0.write().unwrap_or_else(PoisonError::into_inner));
///     }
/// }
/// ```
pub trait SharedClient: Send + 'static {
    /// Runs `work` with exclusive access to the client.
    fn with(&self, work: &mut dyn FnMut(&mut Client));
}

impl SharedClient for Arc<std::sync::Mutex<Client>> {
    fn with(&self, work: &mut dyn FnMut(&mut Client)) {
        work(&mut self.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Creates a link for `client` on the heap, because its owner moves from stack to stack on its way to a
/// thread.
pub(crate) fn link_of(
    client: &dyn SharedClient,
    key: &SessionKey,
    config: ClientLinkConfig,
) -> Result<Box<ClientLink>, CreateError> {
    let mut link = Err(CreateError::OutOfMemory);
    client.with(&mut |client| link = boxed(|| ClientLink::new(client, key, config)));
    link
}

/// A clock on the heap, which converts a time of [`monotonic_now`](crate::monotonic_now).
pub(super) type Clock<T> = Box<dyn Fn(LocalTime) -> T + Send>;

/// Moves a value to the heap, if there is memory.
pub(super) fn held<T>(value: T) -> Result<Box<T>, OutOfMemory> {
    boxed(|| Ok(value))
}

/// The status of a connection.
///
/// ```
/// # use netclock::link::sockets::LinkConnection;
/// fn show(link: &LinkConnection) {
///     let status = link.status();
///     println!("{}, {}, {}", status.state.words(), status.trouble.words(), status.stamps.words());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkStatus {
    /// Whether the link works.
    pub state: LinkState,
    /// The obstacle, if there is one.
    pub trouble: Trouble,
    /// The source of arrival timestamps.
    pub stamps: Stamps,
    /// The state of the non-queue-building mark.
    pub mark: Mark,
    /// The address in use, if one was found.
    pub peer: Option<SocketAddr>,
    /// Counts of datagrams.
    pub counts: ClientLinkCounts,
    /// Datagrams that the system did not send.
    pub unsent: u64,
}

impl LinkStatus {
    /// The status of a link without a socket.
    pub(crate) fn of(link: &ClientLink) -> Self {
        LinkStatus {
            state: link.check.state(),
            trouble: Trouble::None,
            stamps: Stamps::None,
            mark: link.marking.mark(),
            peer: None,
            counts: link.counts,
            unsent: 0,
        }
    }
}
