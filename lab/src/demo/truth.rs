//! The true times in a demo, as given by each server's clock and its world's script.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::net::clock::ServerClock;
use crate::net::script::Script;

/// A server's clock and world, which stay valid after the server has ended.
#[derive(Clone, Debug)]
pub(super) struct ServerTruth {
    pub(super) epoch: u64,
    pub(super) clock: ServerClock,
    /// May change, but only for times after the change.
    pub(super) script: Script,
}

/// The truth about all servers so far, in order, shared by all threads of a demo.
#[derive(Clone, Debug, Default)]
pub(super) struct Truth(Arc<Mutex<Vec<ServerTruth>>>);

impl Truth {
    pub(super) fn servers(&self) -> MutexGuard<'_, Vec<ServerTruth>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
