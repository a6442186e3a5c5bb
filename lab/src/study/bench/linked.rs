//! NetClock's link in the bench. Each exchange is sent as real datagrams between the link's two ends.

use std::collections::VecDeque;

use anyhow::Result;
use netclock::keyed::SessionKey;
use netclock::link::{ClientLinkConfig, DATAGRAM, LinkedClient, ServerLink, ServerLinkConfig};
use netclock::{Client, Config, LocalTime, Reading, ServerTime, State};

use netclock_sim::{Estimator, Exchange, Network, Wire, declared, told};

pub const LINKED: &str = "netclock_link";

const REMEMBERED: usize = 64;

pub(super) struct Linked {
    client: LinkedClient,
    server: ServerLink,
    ready: Option<Vec<u8>>,
    sent: VecDeque<(u64, Vec<u8>)>,
}

impl Linked {
    pub(super) fn new(settings: &Config, network: &Network, seed: u64) -> Result<Self> {
        let key = SessionKey::new(1, [7; 16])?;
        let mut server = ServerLink::new(ServerLinkConfig::default(), seed.max(1))?;
        server.admit(&key)?;
        let client = Client::new(told(settings, network), u128::from(seed).max(1))?;
        let client = LinkedClient::new(client, &key, ClientLinkConfig::default())?;
        let sent = VecDeque::with_capacity(REMEMBERED);
        Ok(Self { client, server, ready: None, sent })
    }
}

impl Estimator for Linked {
    fn on_send(&mut self, id: u64, _: i64) {
        if self.sent.len() == REMEMBERED {
            self.sent.pop_front();
        }
        self.sent.extend(self.ready.take().map(|datagram| (id, datagram)));
    }

    fn on_exchange(&mut self, x: &Exchange) {
        let Some((_, datagram)) = self.sent.iter().find(|(id, _)| *id == x.id) else { return };
        let [received, sent] = [x.t1, x.t2].map(ServerTime::from_ticks);
        let mut answer = [0; DATAGRAM];
        // The server may reject a repeated request, and the client a repeated reply.
        if let Ok(answer) = self.server.answer(datagram, received, sent, &mut answer) {
            let _ = self.client.take(&answer, LocalTime::from_ticks(x.t3));
        }
    }

    fn sees_copies(&self) -> bool {
        true
    }

    fn reading(&mut self, local: i64) -> Option<Reading> {
        let reading = self.client.read(LocalTime::from_ticks(local));
        (reading.state != State::Unsynced).then_some(reading)
    }

    fn declared(&mut self) -> [bool; 2] {
        declared(std::iter::from_fn(|| self.client.next_event()))
    }

    fn wants_probe(&mut self, local: i64) -> bool {
        self.ready = self.client.due(LocalTime::from_ticks(local)).ok().flatten().map(|it| it.to_vec());
        self.ready.is_some()
    }

    fn wire(&self) -> Wire {
        Wire { request: DATAGRAM as u64, reply: DATAGRAM as u64 }
    }
}
