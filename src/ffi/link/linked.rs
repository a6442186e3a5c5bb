//! A client, for the link that feeds it.

use core::sync::atomic::Ordering;

use crate::clock::Client;
use crate::ffi::clock::client::handle::{NetclockClient, write};
use crate::link::sockets::SharedClient;

/// A client that cannot be destroyed while this lives.
pub(crate) struct Linked(*const NetclockClient);

// SAFETY: a client may be changed by any thread, under its lock; `links` keeps it alive.
unsafe impl Send for Linked {}

impl Linked {
    pub(crate) fn new(client: &NetclockClient) -> Self {
        client.links.fetch_add(1, Ordering::Relaxed);
        Linked(client)
    }
}

impl Drop for Linked {
    fn drop(&mut self) {
        // SAFETY: alive until `links` is zero, which nobody sees before this.
        unsafe { &*self.0 }.links.fetch_sub(1, Ordering::Release);
    }
}

impl SharedClient for Linked {
    fn with(&self, work: &mut dyn FnMut(&mut Client)) {
        // SAFETY: alive while this is. If a call on it panicked, it is not changed any more.
        unsafe {
            write("netclock_link_client", self.0, |client| {
                work(client);
                Ok(())
            })
        };
    }
}
