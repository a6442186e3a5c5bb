//! A client that a recording drives: linked from its first exchange by a link on.

use std::ops::{Deref, DerefMut};

use netclock::keyed::SessionKey;
use netclock::link::{ClientLinkConfig, LinkedClient};
use netclock::{Client, CreateError, Exchange, Refusal};

/// No datagram is sealed with it: the recording has what came of them.
const SECRET: [u8; 16] = [1; 16];

#[expect(clippy::large_enum_variant, reason = "a replay has a single one")]
pub(super) enum Replayed {
    Plain(Client),
    Linked(LinkedClient),
    /// While it becomes linked, and for good if memory was missing.
    Lost,
}

impl Replayed {
    /// Learns from an exchange.
    pub(super) fn learn(
        &mut self,
        by_link: bool,
        exchange: &Exchange,
        epoch: Option<u64>,
    ) -> Result<(), Refusal> {
        match self {
            Replayed::Linked(linked) if by_link => linked.replay(exchange, epoch),
            _ => self.handle_exchange(exchange, epoch),
        }
    }

    /// Links it, if it is not linked yet.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(super) fn link(&mut self) -> Result<(), CreateError> {
        *self = match std::mem::replace(self, Replayed::Lost) {
            Replayed::Plain(client) => {
                let key = SessionKey::new(1, SECRET).map_err(|_| CreateError::OutOfMemory)?;
                Replayed::Linked(LinkedClient::new(client, &key, ClientLinkConfig::default())?)
            }
            other => other,
        };
        Ok(())
    }
}

impl Deref for Replayed {
    type Target = Client;

    fn deref(&self) -> &Client {
        match self {
            Replayed::Plain(client) => client,
            Replayed::Linked(linked) => linked,
            Replayed::Lost => unreachable!("a client that ran out of memory ended the replay"),
        }
    }
}

impl DerefMut for Replayed {
    fn deref_mut(&mut self) -> &mut Client {
        match self {
            Replayed::Plain(client) => client,
            Replayed::Linked(linked) => linked,
            Replayed::Lost => unreachable!("a client that ran out of memory ended the replay"),
        }
    }
}
