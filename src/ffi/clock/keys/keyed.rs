#[cfg(any(feature = "link", feature = "session"))]
use crate::clock::keyed::SessionKey;
#[cfg(any(feature = "link", feature = "session"))]
use crate::ffi::base::prelude::*;

/// Direction: from the client to the server.
pub const NETCLOCK_TO_SERVER: i32 = 1;
/// Direction: from the server to the client.
pub const NETCLOCK_TO_CLIENT: i32 = 2;

/// A 128-bit secret that a client and its server share for one connection, and the number that identifies the
/// key to the server. Draw both halves of the secret from the operating system's random number generator, and
/// send them to the client over a private channel. Anyone who has the key can forge the messages of both
/// sides.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NetclockSessionKey {
    /// The first eight bytes of the secret, in big-endian order. The two halves must not both be zero.
    pub secret_high: u64,
    /// The last eight bytes of the secret.
    pub secret_low: u64,
    /// Identifies the key to the server. The number is not secret, but it must differ between sessions.
    pub id: u32,
    /// How many times this side has already created a link or a connection with this key. If the number is
    /// too low, the other side rejects everything as a replay. Any number that increases each time works.
    /// Servers pass zero.
    pub restarts: u32,
}

/// # Safety
/// `key` must be null or point to a key.
#[cfg(any(feature = "link", feature = "session"))]
pub(crate) unsafe fn key_in(key: *const NetclockSessionKey) -> Outcome<SessionKey> {
    // SAFETY: guaranteed by the caller.
    let NetclockSessionKey { secret_high, secret_low, id, restarts } = unsafe { copy_in(key, "key")? };
    Ok(SessionKey::new(id, seed(secret_high, secret_low).to_be_bytes())?.after_restarts(restarts))
}

#[cfg(feature = "session")]
pub(crate) fn key_out(key: &SessionKey) -> NetclockSessionKey {
    let secret = u128::from_be_bytes(*key.secret());
    NetclockSessionKey {
        secret_high: (secret >> 64) as u64,
        secret_low: secret as u64,
        id: key.id(),
        restarts: 0,
    }
}
