//! A client that replays a recording. Recordings of a link are replayed with a linked client.

use std::ops::Deref;

use netclock::authority::{Authority, AuthorityError};
use netclock::keyed::SessionKey;
use netclock::link::{ClientLinkConfig, LinkedClient};
use netclock::{Client, Config, CreateError, Event, Exchange, LocalTime, Refusal, Request, TimeError};

/// Any key will do, because recordings contain no sealed datagrams.
const SECRET: [u8; 16] = [1; 16];

pub(super) enum Replayed {
    Plain(Client),
    Linked(LinkedClient),
}

impl Replayed {
    pub(super) fn learn(
        &mut self,
        by_link: bool,
        exchange: &Exchange,
        epoch: Option<u64>,
    ) -> Result<(), Refusal> {
        match self {
            Replayed::Linked(linked) if by_link => linked.replay(exchange, epoch),
            Replayed::Linked(linked) => linked.handle_exchange(exchange, epoch),
            Replayed::Plain(client) => client.handle_exchange(exchange, epoch),
        }
    }

    pub(super) fn link(&mut self) -> Result<(), CreateError> {
        if let Replayed::Plain(client) = self {
            let key = SessionKey::new(1, SECRET).map_err(|_| CreateError::OutOfMemory)?;
            // A placeholder, because the client has to be moved into the link.
            let client = std::mem::replace(client, Client::new(Config::default(), 1)?);
            *self = Replayed::Linked(LinkedClient::new(client, &key, ClientLinkConfig::default())?);
        }
        Ok(())
    }

    pub(super) fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        match self {
            Replayed::Plain(client) => client.tick(now),
            Replayed::Linked(linked) => linked.tick(now),
        }
    }

    pub(super) fn set_authority(&mut self, to: &Authority, now: LocalTime) -> Result<(), AuthorityError> {
        match self {
            Replayed::Plain(client) => client.set_authority(to, now),
            Replayed::Linked(linked) => linked.set_authority(to, now),
        }
    }

    pub(super) fn next_event(&mut self) -> Option<Event> {
        match self {
            Replayed::Plain(client) => client.next_event(),
            Replayed::Linked(linked) => linked.next_event(),
        }
    }
}

impl Deref for Replayed {
    type Target = Client;

    fn deref(&self) -> &Client {
        match self {
            Replayed::Plain(client) => client,
            Replayed::Linked(linked) => linked,
        }
    }
}
