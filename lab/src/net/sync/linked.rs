use std::net::SocketAddr;

use anyhow::Result;
use netclock::keyed::SessionKey;
use netclock::link::sockets::{ConnectConfig, LinkConnection, LinkStatus, Trouble};
use netclock::link::{ClientLinkConfig, LinkState};

use super::noted::NotedGuest;
use crate::net::clock::{self, SkewedClock};

pub(super) struct GuestLink {
    key: SessionKey,
    connection: LinkConnection,
    replies: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    None,
    Answered,
    NobodyListens,
}

impl GuestLink {
    pub(super) fn connect(
        server: SocketAddr,
        key: SessionKey,
        link: ClientLinkConfig,
        guest: &NotedGuest,
        clock: SkewedClock,
    ) -> Result<Self> {
        let config = ConnectConfig { link, ..ConnectConfig::to(&server.ip().to_string(), server.port()) };
        let local = move |now| clock.at(clock::machine(now));
        let connection = LinkConnection::connect(&config, guest.clone(), &key, local)?;
        Ok(GuestLink { key, connection, replies: 0 })
    }

    pub(super) fn status(&self) -> LinkStatus {
        self.connection.status()
    }

    pub(super) fn is_blocked(&self) -> bool {
        self.status().state == LinkState::Blocked
    }

    pub(super) fn poll(&mut self) -> News {
        let status = self.status();
        if status.counts.replies > self.replies {
            self.replies = status.counts.replies;
            return News::Answered;
        }
        if status.trouble == Trouble::NobodyListens { News::NobodyListens } else { News::None }
    }

    pub(super) fn end(self) -> SessionKey {
        self.connection.stop();
        self.key
    }
}
