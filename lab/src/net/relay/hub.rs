//! The I/O of a relay between peers: a UDP socket, and messages that the relay holds deliberately.
//!
//! The kernel stamps arrivals if it can, so one thread can do everything. The number of waiting messages is
//! limited.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;

use anyhow::Result;
use netclock::SessionKeys;
use netclock::keyed::SEALED_MOST;
use netclock::link::sockets::{Peer, Received, StampedSocket};
use netclock::peer::{MESSAGE_MOST, Relay, RelayConfig};
use netclock::{LocalTime, Span};
use serde::Serialize;

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use netclock_sim::agenda::Queue;
use netclock_sim::random::Random;

/// Largest number of messages held at once, and of messages received before others are sent.
const MOST_WAITING: usize = 1024;
/// Largest number of deliberately held messages above which messages from unknown senders are dropped, so
/// that a flood cannot displace peers.
const MOST_OF_STRANGERS: usize = MOST_WAITING / 4;
/// Number of stored addresses above which those without a slot are removed: twice the default number of
/// slots.
const MANY_ADDRESSES: usize = 256;
/// Longest wait for a message.
const TURN: Span = Span::from_millis(5);

/// Counters of messages.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) received: u64,
    /// Unsealed messages, and messages that none of this relay's keys can open.
    pub(crate) unkeyed: u64,
    pub(crate) refused: u64,
    pub(crate) sent: u64,
}

/// A held message.
struct Held {
    connection: u64,
    from: Route,
    received: MachineTime,
    bytes: Vec<u8>,
}

/// A peer's address, and its session key if the relay requires keys.
#[derive(Clone, Copy)]
struct Route {
    to: Peer,
    key: Option<u32>,
}

pub(crate) struct Hub {
    relay: Relay,
    /// The keys of the peers. `None`: every peer may log in.
    keys: Option<SessionKeys>,
    pub(crate) socket: StampedSocket,
    /// The routes to peers with a slot.
    routes: HashMap<u64, Route>,
    /// Computes numbers for addresses. Its key is random, so that nobody can compute addresses with the same
    /// number.
    names: RandomState,
    held: Queue<MachineTime, Held>,
    /// Range of the deliberate delays (ms).
    hold: (f64, f64),
    random: Random,
    pub(crate) counts: Counts,
}

impl Hub {
    /// Listens at `listen`, and holds each message for a random time.
    pub(crate) fn start(
        listen: SocketAddr,
        (hold, seed): ((f64, f64), u64),
        keys: Option<SessionKeys>,
    ) -> Result<Self> {
        Ok(Hub {
            relay: Relay::new(RelayConfig::default(), crate::net::random_seed()?)?,
            keys,
            socket: address::bind(listen)?,
            routes: HashMap::new(),
            names: RandomState::new(),
            held: Queue::default(),
            hold,
            random: Random::new(seed, "holds"),
            counts: Counts::default(),
        })
    }

    /// Waits a moment for messages, handles them, and sends what is due.
    pub(crate) fn step(&mut self) {
        let due = self.held.next_due().map_or(TURN, |due| due - clock::now());
        let mut wait = due.clamp(Span::ZERO, TURN);
        // The buffer is one byte longer than any message, so that longer messages are recognised.
        let mut buffer = [0; SEALED_MOST + 1];
        // The number of messages is limited, because a flood never ends.
        for _ in 0..MOST_WAITING {
            let Received::Datagram(come) = self.socket.receive_within(&mut buffer, wait) else { break };
            self.take(&buffer[..come.length], come.from, clock::machine(come.at));
            wait = Span::ZERO;
        }
        while let Some(held) = self.held.next_until(clock::now()) {
            let handled = self.relay.receive(held.connection, &held.bytes, local(held.received));
            self.counts.refused += u64::from(handled.is_err());
            // The answer to an unknown sender is sent before the next message is handled, because only a few
            // answers can be queued.
            self.keep_route(&held);
            self.send(Some((held.connection, held.from)));
        }
        self.send(None);
    }

    /// Stores the route to a peer with a slot.
    fn keep_route(&mut self, held: &Held) {
        if self.relay.has_slot(held.connection) {
            self.routes.insert(held.connection, held.from);
            if self.routes.len() > MANY_ADDRESSES {
                self.routes.retain(|&connection, _| self.relay.has_slot(connection));
            }
        }
    }

    /// Opens a message if this relay requires keys, and holds it.
    fn take(&mut self, bytes: &[u8], from: Peer, received: MachineTime) {
        self.counts.received += 1;
        let (key, bytes) = match &mut self.keys {
            None => (None, bytes),
            Some(keys) => match keys.open(bytes) {
                Ok((id, message)) => (Some(id), message),
                Err(_) => return self.counts.unkeyed += 1,
            },
        };
        let connection = self.names.hash_one((from, key));
        let (least, most) = self.hold;
        let due = received + Span::from_secs_f64(self.random.between(least, most) * 1e-3);
        let room = if self.relay.has_slot(connection) { MOST_WAITING } else { MOST_OF_STRANGERS };
        if self.held.count() < room {
            let from = Route { to: from, key };
            self.held.add(due, Held { connection, from, received, bytes: bytes.to_vec() });
        }
    }

    /// Sends due messages. `asker` is an unknown sender that gets an answer: its number and the route to it.
    fn send(&mut self, asker: Option<(u64, Route)>) {
        let mut message = [0; MESSAGE_MOST];
        while let Ok(Some((connection, size))) = self.relay.next_message(local(clock::now()), &mut message) {
            self.counts.sent += 1;
            let stranger = asker.filter(|asker| asker.0 == connection).map(|asker| asker.1);
            let route = self.routes.get(&connection).copied().or(stranger);
            let Some(Route { to, key }) = route else { continue };
            if let Some(sealed) = seal(self.keys.as_mut(), key, &message[..size]) {
                // A datagram that cannot be sent is lost.
                let _ = self.socket.send_to(&sealed, to);
            }
        }
    }
}

/// The message for the peer with this key, sealed if the relay requires keys. `None` if sealing fails.
fn seal<'a>(keys: Option<&mut SessionKeys>, key: Option<u32>, message: &'a [u8]) -> Option<Cow<'a, [u8]>> {
    let Some(keys) = keys else { return Some(Cow::Borrowed(message)) };
    let mut sealed = [0; SEALED_MOST];
    Some(Cow::Owned(keys.seal(key?, message, &mut sealed).ok()?.to_vec()))
}

fn local(at: MachineTime) -> LocalTime {
    LocalTime::from_ticks(at.ticks())
}
