//! What a connection's thread shares with its callers.

use std::net::SocketAddr;
use std::sync::{Arc, PoisonError};

use super::{Stamps, Trouble};
use crate::client::Client;
use crate::link::{ClientLinkCounts, LinkState};

/// A client that a link's thread shares with others.
pub trait SharedClient: Send + 'static {
    /// Runs `work` on the client, alone.
    fn with(&self, work: &mut dyn FnMut(&mut Client));
}

impl SharedClient for Arc<std::sync::Mutex<Client>> {
    fn with(&self, work: &mut dyn FnMut(&mut Client)) {
        work(&mut self.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// What a connection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkStatus {
    /// Whether the link works.
    pub state: LinkState,
    /// What stands in its way.
    pub trouble: Trouble,
    /// Where arrival stamps come from.
    pub stamps: Stamps,
    /// The address that is used, if one was found.
    pub peer: Option<SocketAddr>,
    /// What became of datagrams.
    pub counts: ClientLinkCounts,
    /// Datagrams that the system did not send.
    pub unsent: u64,
}
