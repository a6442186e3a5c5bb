//! The secret of a session and the keys derived from it.

use siphasher::sip128::{Hash128, SipHasher24};
use zeroize::Zeroizing;

use super::KeyError;

const LABEL: [u8; 20] = *b"NetClock session key";

/// Each start has this many message numbers. At 1,000 messages a second, they last for 49 days.
const RESTART: u64 = 1 << 32;

/// A 128-bit secret that a client and its server share, and the id by which the server finds it.
///
/// For each connection, draw a new secret from the operating system and send it to the client over a
/// confidential channel. Debug output omits the secret. Dropping a key overwrites it, except for copies that
/// the compiler made in registers or on the stack.
///
/// ```
/// # use netclock::keyed::SessionKey;
/// let secret = [7; 16]; // use a random secret
/// let key = SessionKey::new(1, secret)?;
/// let reconnected = key.clone().after_restarts(1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SessionKey {
    id: u32,
    restarts: u32,
    secret: Zeroizing<[u8; 16]>,
}

impl SessionKey {
    /// Creates a key. Each session of a server needs a different `id`, which is visible in every message.
    ///
    /// # Errors
    /// Returns [`KeyError::NoSecret`] if the secret was never drawn, that is, if all its bytes are zero.
    pub fn new(id: u32, secret: [u8; 16]) -> Result<Self, KeyError> {
        if secret == [0; 16] {
            return Err(KeyError::NoSecret);
        }
        Ok(SessionKey { id, restarts: 0, secret: Zeroizing::new(secret) })
    }

    /// Returns the same key for a restarted sender. `restarts` is the number of links or
    /// [`SealedChannel`](super::SealedChannel)s that this side of the connection has already created with
    /// this key. Any number that increases with each restart works.
    #[must_use]
    pub fn after_restarts(self, restarts: u32) -> Self {
        SessionKey { restarts, ..self }
    }

    /// Returns the id by which a server finds this key.
    pub const fn id(&self) -> u32 {
        self.id
    }

    #[cfg(feature = "session")]
    pub(crate) fn secret(&self) -> &[u8; 16] {
        &self.secret
    }

    pub(super) fn sent_before(&self) -> u64 {
        u64::from(self.restarts) * RESTART
    }

    pub(super) fn of_kind(&self, kind: u8) -> Zeroizing<[u8; 16]> {
        let mut label = [kind; LABEL.len() + 1];
        label[..LABEL.len()].copy_from_slice(&LABEL);
        Zeroizing::new(tag(&self.secret, &label).as_bytes())
    }
}

impl core::fmt::Debug for SessionKey {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("SessionKey").field("id", &self.id).finish_non_exhaustive()
    }
}

pub(super) fn tag(key: &[u8; 16], bytes: &[u8]) -> Hash128 {
    SipHasher24::new_with_key(key).hash(bytes)
}
