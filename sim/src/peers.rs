//! Simulates peers that exchange messages through a relay. The relay may hold messages. Compares the time
//! that each peer shows with the primary's.

use netclock::peer::{Peer, PeerReading, Relay, RelayConfig};
use netclock::{Config, LocalTime, Span};

use crate::{Account, Queue, Random, hashed_unit};

const MS: i64 = 10_000;
pub const STEP: i64 = MS / 4;
pub const GAME: u64 = 77;
/// The message kind (byte 3) of a reply from one peer to another.
const REPLY: u8 = 30;

/// Times are in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Transport {
    pub delay: f64,
    pub jitter: f64,
    pub loss: f64,
    /// Minimum and maximum time for which the relay holds replies.
    pub back: (f64, f64),
    /// Minimum and maximum time for which the relay holds other messages from peers.
    pub there: (f64, f64),
    /// If true, the relay does not report how long it holds messages.
    pub hidden: bool,
    pub stream: bool,
    /// If true, a message's delay depends only on its content and time. If false, delays are drawn in the
    /// order of sending, so every message affects the later ones.
    pub by_message: bool,
}

impl Default for Transport {
    fn default() -> Self {
        let none = (0.0, 0.0);
        Transport {
            delay: 25.0,
            jitter: 4.0,
            loss: 0.0,
            back: none,
            there: none,
            hidden: false,
            stream: false,
            by_message: false,
        }
    }
}

struct Parcel {
    number: u64,
    peer: usize,
    up: bool,
    /// When the relay received a parcel that it holds.
    received: Option<i64>,
    bytes: Vec<u8>,
}

pub struct Player {
    pub peer: Peer,
    /// Whether the peer sends and receives.
    pub alive: bool,
    /// Rate error of the peer's clock, positive if fast (ppm).
    ppm: f64,
    origin: i64,
    pub joins: i64,
    /// Latest arrival times of stream messages at the peer, at the relay, and after the relay's queue.
    last_due: [i64; 3],
    /// Compares the peer's reads with the primary's, allowing for both bounds.
    pub account: Account,
    epoch: u32,
}

pub struct PeerMessage<'a> {
    pub peer: usize,
    /// True if the peer sends the message, false if it receives it.
    pub up: bool,
    pub now: LocalTime,
    pub bytes: &'a [u8],
}

pub struct Peers {
    pub now: i64,
    pub relay: Relay,
    pub players: Vec<Player>,
    pub way: Transport,
    random: Random,
    key: u64,
    /// Parcels, ordered by time and number. A parcel keeps its number while the relay holds it.
    parcels: Queue<(i64, u64), Parcel>,
    number: u64,
    pub worst: Span,
    pub steps: u64,
}

impl Peers {
    pub fn new(way: Transport, seed: u64) -> Self {
        let mut random = Random::new(seed, "peers");
        let config = RelayConfig { games: 2, ..RelayConfig::default() };
        Peers {
            now: 0,
            relay: Relay::new(config, u128::from(random.word())).expect("the default is valid"),
            players: Vec::new(),
            way,
            random,
            key: Random::new(seed, "messages").word(),
            parcels: Queue::default(),
            number: 0,
            worst: Span::ZERO,
            steps: 0,
        }
    }

    /// Adds a peer with this rate error (ppm) and returns its number.
    pub fn join(&mut self, ppm: f64) -> usize {
        let number = self.players.len();
        self.players.push(Player {
            peer: Peer::new(Config::default(), GAME, u128::from(self.random.word()))
                .expect("the default is valid"),
            alive: true,
            ppm,
            origin: (number as i64 + 1) * 10_000_000 * 3600,
            joins: self.now,
            last_due: [0; 3],
            account: Account::default(),
            epoch: 0,
        });
        number
    }

    pub fn account(&self) -> Account {
        self.players.iter().map(|player| player.account).sum()
    }

    pub fn local(&self, peer: usize) -> LocalTime {
        let Player { ppm, origin, .. } = self.players[peer];
        LocalTime::from_ticks(origin + self.now + (self.now as f64 * ppm * 1e-6).floor() as i64)
    }

    /// The relay's clock runs 80 ppm fast.
    pub fn relay_time(at: i64) -> LocalTime {
        LocalTime::from_ticks(77 + at + at / 12_500)
    }

    pub fn read(&self, peer: usize) -> PeerReading {
        self.players[peer].peer.read(self.local(peer))
    }

    /// Checks the readings every ten milliseconds.
    pub fn run(&mut self, ms: i64) {
        let until = self.now + ms * MS;
        while self.now < until {
            self.step(|_| ());
            if self.now % (10 * MS) == 0 {
                self.judge(|_, _, _| ());
            }
        }
    }

    /// `tap` sees every message that a peer sends or receives.
    pub fn step(&mut self, mut tap: impl FnMut(&PeerMessage<'_>)) {
        self.now += STEP;
        while let Some(parcel) = self.parcels.next_until((self.now, u64::MAX)) {
            self.arrive(parcel, &mut tap);
        }
        for peer in 0..self.players.len() {
            let now = self.local(peer);
            let player = &mut self.players[peer];
            if !player.alive || self.now < player.joins {
                continue;
            }
            while let Ok(Some(message)) = self.players[peer].peer.next_message(now) {
                tap(&PeerMessage { peer, up: true, now, bytes: &message });
                self.post(peer, true, &message);
            }
        }
        while let Ok(Some((peer, message))) = self.relay.next_message(Self::relay_time(self.now)) {
            if (peer as usize) < self.players.len() {
                self.post(peer as usize, false, &message);
            }
        }
    }

    fn post(&mut self, peer: usize, up: bool, bytes: &[u8]) {
        if !self.way.stream && self.random.chance(self.way.loss) {
            return;
        }
        let jitter = if self.way.by_message {
            let place = (self.now as u64) << 16 | (peer as u64) << 1 | u64::from(up);
            let kind =
                bytes.iter().take(8).fold(self.key, |kind, byte| kind.rotate_left(8) ^ u64::from(*byte));
            -self.way.jitter * (1.0 - hashed_unit(kind, place)).ln()
        } else {
            self.random.exponential(self.way.jitter)
        };
        let mut due = self.now + ((self.way.delay + jitter) * MS as f64) as i64;
        if self.way.stream {
            due = self.in_order(peer, usize::from(up), due);
        }
        self.number += 1;
        let number = self.number;
        self.parcels.add((due, number), Parcel { number, peer, up, received: None, bytes: bytes.to_vec() });
    }

    /// Delays a message on a stream until all earlier ones have arrived.
    fn in_order(&mut self, peer: usize, place: usize, due: i64) -> i64 {
        let last = &mut self.players[peer].last_due[place];
        *last = due.max(*last);
        *last
    }

    fn arrive(&mut self, mut parcel: Parcel, tap: &mut impl FnMut(&PeerMessage<'_>)) {
        let peer = parcel.peer;
        if !parcel.up {
            if self.players[peer].alive {
                self.deliver(peer, &parcel.bytes, tap);
            }
        } else if let Some(received) = parcel.received {
            let at = Self::relay_time(if self.way.hidden { self.now } else { received });
            let _refused = self.relay.receive(peer as u64, &parcel.bytes, at);
        } else {
            let (least, most) = if parcel.bytes[3] == REPLY { self.way.back } else { self.way.there };
            parcel.received = Some(self.now);
            let mut due = self.now + (self.random.between(least, most) * MS as f64) as i64;
            if self.way.stream {
                due = self.in_order(peer, 2, due);
            }
            self.parcels.add((due, parcel.number), parcel);
        }
    }

    fn deliver(&mut self, peer: usize, bytes: &[u8], tap: &mut impl FnMut(&PeerMessage<'_>)) {
        let now = self.local(peer);
        if self.players[peer].peer.receive(bytes, now).is_ok() {
            tap(&PeerMessage { peer, up: false, now, bytes });
        }
    }

    /// Compares each peer with its primary. `observe` receives the peer and both readings.
    pub fn judge(&mut self, mut observe: impl FnMut(usize, &PeerReading, &PeerReading)) {
        let readings: Vec<PeerReading> = (0..self.players.len()).map(|peer| self.read(peer)).collect();
        for (peer, reading) in readings.iter().enumerate() {
            let player = &mut self.players[peer];
            if !player.alive {
                continue;
            }
            let epoch = reading.clock.epoch;
            player.account.goes_back(epoch, reading.time.ticks());
            let before = std::mem::replace(&mut player.epoch, epoch);
            self.steps += u64::from(before > 0 && before != epoch);
            let leads =
                |other: &&PeerReading| other.leads && other.clock.server_epoch == reading.clock.server_epoch;
            let Some(primary) = readings.iter().find(leads) else { continue };
            if reading.time.ticks() > 0 && primary.time.ticks() > 0 {
                let error = (reading.time - primary.time).abs();
                self.worst = self.worst.max(error);
                player.account.is_outside(error, reading.clock.error_bound + primary.clock.error_bound);
                observe(peer, reading, primary);
            }
        }
    }
}
