use core::sync::atomic::Ordering;

use crate::clock::Client;
use crate::ffi::clock::client::handle::{NetclockClient, write};
use crate::link::sockets::SharedClient;

/// Prevents a client from being destroyed while a link uses it.
pub(crate) struct ClientGuard(*const NetclockClient);

// SAFETY: any thread may modify a client while it holds the client's lock, and `links` keeps it alive.
unsafe impl Send for ClientGuard {}

impl ClientGuard {
    pub(crate) fn new(client: &NetclockClient) -> Self {
        client.links.fetch_add(1, Ordering::Relaxed);
        ClientGuard(client)
    }
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        // SAFETY: the client is alive until `links` reaches zero, which cannot happen before this call.
        unsafe { &*self.0 }.links.fetch_sub(1, Ordering::Release);
    }
}

impl SharedClient for ClientGuard {
    fn with(&self, work: &mut dyn FnMut(&mut Client)) {
        // SAFETY: the client lives at least as long as `self`. `write` does not modify a poisoned client.
        unsafe {
            write("netclock_link_client", self.0, |client| {
                work(client);
                Ok(())
            })
        };
    }
}
