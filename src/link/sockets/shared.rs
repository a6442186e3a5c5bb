use std::net::SocketAddr;
use std::sync::{Arc, PoisonError};

use super::{Stamps, Trouble};
use crate::clock::for_parts::OutOfMemory;
use crate::clock::for_parts::memory::boxed;
use crate::clock::keyed::SessionKey;
use crate::clock::{Client, CreateError, LocalTime};
use crate::link::{ClientLink, ClientLinkConfig, ClientLinkCounts, LinkState, Mark};

/// A client that other threads share with a link's thread.
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

pub(crate) fn link_of(
    client: &dyn SharedClient,
    key: &SessionKey,
    config: ClientLinkConfig,
) -> Result<Box<ClientLink>, CreateError> {
    let mut link = Err(CreateError::OutOfMemory);
    client.with(&mut |client| link = ClientLink::new(client, key, config));
    link
}

pub(super) type Clock<T> = Box<dyn Fn(LocalTime) -> T + Send>;

pub(super) fn held<T>(value: T) -> Result<Box<T>, OutOfMemory> {
    boxed(|| Ok(value))
}

/// A connection's status. Methods such as [`LinkState::words`] return descriptions to show to players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkStatus {
    /// The state of the link.
    pub state: LinkState,
    /// Why the link does not work, if known.
    pub trouble: Trouble,
    /// The source of arrival timestamps.
    pub stamps: Stamps,
    /// Whether datagrams are marked as non-queue-building.
    pub mark: Mark,
    /// The server address in use, if there is one.
    pub peer: Option<SocketAddr>,
    /// How many datagrams were sent and received, by outcome.
    pub counts: ClientLinkCounts,
    /// Number of datagrams that the system could not send.
    pub unsent: u64,
}

impl LinkStatus {
    pub(crate) fn of(link: &ClientLink) -> Self {
        let (state, mark) = (link.check.state(), link.marking.mark());
        LinkStatus { state, mark, counts: link.counts, ..LinkStatus::default() }
    }
}
