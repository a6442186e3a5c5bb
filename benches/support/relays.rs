//! Measures how much a datagram costs in relays of different sizes.

use std::hint::black_box;

use netclock::LocalTime;
use netclock::peer::{PEER_DATAGRAM_SIZE, Relay, RelayConfig};

use crate::operations::Run;

const LOGIN: u8 = 24;
const READY: u8 = 28;
const REQUEST: u8 = 29;

pub(crate) struct Full {
    relay: Relay,
    /// The game and the token of each connection.
    peers: Vec<(u64, u64)>,
    now: LocalTime,
    turn: usize,
}

fn message(kind: u8, proof: u64, number: u64, last: u64) -> [u8; PEER_DATAGRAM_SIZE] {
    let mut bytes = [0; PEER_DATAGRAM_SIZE];
    bytes[..6].copy_from_slice(&[b'N', b'K', 1, kind, 0, 1]);
    for (place, number) in bytes[8..].chunks_exact_mut(8).zip([proof, number, last]) {
        place.copy_from_slice(&number.to_be_bytes());
    }
    bytes
}

impl Full {
    fn new(games: u32, slots: u32) -> Self {
        let config = RelayConfig { games, slots, ..RelayConfig::default() };
        let relay = Relay::new(config, 1).expect("valid");
        let (peers, now) = (Vec::new(), LocalTime::from_ticks(0));
        let mut full = Full { relay, peers, now, turn: 0 };
        for connection in 0..u64::from(games) * u64::from(slots) {
            let game = connection % u64::from(games);
            let key = connection + 1_000_000;
            full.relay.receive(connection, &message(LOGIN, key, game, 0), now).expect("a challenge");
            let cookie = full.number();
            full.relay.receive(connection, &message(LOGIN, key, game, cookie), now).expect("a slot");
            let token = full.number();
            full.peers.push((game, token));
        }
        full
    }

    fn number(&mut self) -> u64 {
        let (_, answer) = self.relay.next_message(self.now).expect("in range").expect("an answer");
        assert!(!self.next());
        u64::from_be_bytes(answer[16..24].try_into().expect("eight bytes"))
    }

    fn next(&mut self) -> bool {
        let next = self.relay.next_message(self.now);
        black_box(next.expect("in range")).is_some()
    }

    /// Returns a peer whose data is stored far away from the previous peer's data.
    fn next_peer(&mut self) -> u64 {
        self.turn = (self.turn + 5_003) % self.peers.len();
        self.turn as u64
    }

    fn stranger_challenged(&mut self) {
        self.turn += 1;
        let key = self.turn as u64;
        black_box(self.relay.receive(key | 1 << 40, &message(LOGIN, key, key % 300, 0), self.now))
            .expect("a challenge");
        assert!(self.next());
    }

    fn stranger_rejected(&mut self) {
        self.turn += 1;
        let key = self.turn as u64;
        assert!(self.relay.receive(key | 1 << 40, &message(READY, key, 0, 0), self.now).is_err());
        assert!(self.next());
    }

    fn forger_rejected(&mut self) {
        let peer = self.next_peer();
        let forged = message(REQUEST, 0, 0, 0);
        assert!(black_box(self.relay.receive(peer, &forged, self.now)).is_err());
    }

    fn peer_ready(&mut self) {
        let peer = self.next_peer();
        // Each peer sends this message four times per second. The measurement includes any work that becomes
        // due as time passes.
        self.now = LocalTime::from_ticks(self.now.ticks() + 2_500_000 / self.peers.len() as i64);
        let ready = message(READY, self.peers[peer as usize].1, 0, 0);
        self.relay.receive(peer, &ready, self.now).expect("the peer is connected");
        assert!(self.next());
    }

    fn nothing_to_send(&mut self) {
        assert!(!self.next());
    }
}

/// Sends datagrams from different peers to a full relay of this size.
pub(crate) fn at(games: u32, slots: u32, one: fn(&mut Full)) -> Run {
    let mut full = Full::new(games, slots);
    Box::new(move |times| (0..times).for_each(|_| one(&mut full)))
}

pub(crate) type Datagram = (&'static str, fn(&mut Full));

pub(crate) const DATAGRAMS: [Datagram; 5] = [
    ("a forged LOGIN, and its challenge", Full::stranger_challenged),
    ("a stranger's READY, and its rejection", Full::stranger_rejected),
    ("a forged datagram from a peer", Full::forger_rejected),
    ("a peer's READY, and the answer", Full::peer_ready),
    ("nothing to send", Full::nothing_to_send),
];
