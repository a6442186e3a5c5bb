//! The keys of the processes.

use anyhow::{Context, Result};
use netclock::keyed::SessionKey;

/// The key with this id. In a game the server draws it.
pub(super) fn key(id: u32) -> Result<SessionKey> {
    let mut secret = [0x5A; 16];
    secret[..4].copy_from_slice(&id.to_be_bytes());
    SessionKey::new(id, secret).context("a secret")
}
