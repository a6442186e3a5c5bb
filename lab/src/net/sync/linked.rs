//! The link of a session, and its key.

use std::net::SocketAddr;

use anyhow::Result;
use netclock::Direction;
use netclock::keyed::{Channel, SealedChannel, SessionKey};
use netclock::link::sockets::{ConnectConfig, LinkConnection, LinkStatus, Trouble};
use netclock::link::{ClientLinkConfig, LinkState};

use super::noted::NotedClient;
use crate::net::clock::{self, SkewedClock};
use crate::net::key_file;

/// The link of a client.
pub(super) struct Linked {
    key: SessionKey,
    /// For what goes beside it.
    pub(super) messages: SealedChannel,
    connection: LinkConnection,
    /// Replies that were used when it was last looked at.
    replies: u64,
}

/// What a look at a link found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    None,
    /// The server answered since the last look.
    Answered,
    /// The network says that nobody listens at the server.
    NobodyListens,
}

impl Linked {
    /// Links `client` to the server that admitted `key`.
    ///
    /// # Errors
    /// The system gives no thread or no memory.
    pub(super) fn connect(
        server: SocketAddr,
        key: SessionKey,
        link: ClientLinkConfig,
        client: &NotedClient,
        clock: SkewedClock,
    ) -> Result<Self> {
        let key = key_file::started(key);
        let config = ConnectConfig { link, ..ConnectConfig::to(&server.ip().to_string(), server.port()) };
        let local = move |now| clock.at(clock::machine(now));
        let connection = LinkConnection::connect(&config, client.clone(), &key, local)?;
        let messages = SealedChannel::new(&key, Channel::Messages, Direction::ToServer);
        Ok(Linked { key, messages, connection, replies: 0 })
    }

    pub(super) fn status(&self) -> LinkStatus {
        self.connection.status()
    }

    /// True if it has been silent for two seconds.
    pub(super) fn is_blocked(&self) -> bool {
        self.status().state == LinkState::Blocked
    }

    pub(super) fn look(&mut self) -> News {
        let status = self.status();
        if status.counts.replies > self.replies {
            self.replies = status.counts.replies;
            return News::Answered;
        }
        if status.trouble == Trouble::NobodyListens { News::NobodyListens } else { News::None }
    }

    /// Ends it.
    pub(super) fn end(self) -> SessionKey {
        self.connection.stop();
        self.key
    }
}
