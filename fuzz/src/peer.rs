//! Connects a relay and its peers through a network that loses, delays, duplicates, changes and invents
//! messages. The shared time must not run backwards within an epoch. One message may cause only a few others,
//! and an unknown sender must not receive more bytes than it has sent.

use arbitrary::{Result, Unstructured};
use netclock::peer::{PEER_DATAGRAM_SIZE, Peer, PeerError, PeerReading, Relay, RelayConfig};
use netclock::{Config, LocalTime, Refusal};

use crate::input::{duration, instant, repeat};

/// Limits on a run's steps, on messages in transit, and on messages that a single message may cause.
const STEPS: usize = 600;
const MOST_ON_THE_WAY: usize = 64;
const SLOTS: u32 = 4;
const MOST_ANSWERS: usize = 6 * SLOTS as usize;
const STRANGER: u64 = 99;
const MILLISECOND: i64 = 10_000;
const PEERS: usize = 3;

struct PeerRun {
    relay: Relay,
    peers: Vec<(Peer, Option<PeerReading>)>,
    /// Messages in transit, each with a flag that is set for messages to the relay, and with the peer's
    /// number.
    on_the_way: Vec<(bool, usize, Vec<u8>)>,
    now: i64,
}

/// Interprets the input bytes as the actions of the relay, the peers and the network.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let config = RelayConfig { games: 1, slots: SLOTS, ..RelayConfig::default() };
    let relay = Relay::new(config, 1).expect("the settings are valid");
    let peer = |seed| (Peer::new(Config::default(), 1, seed).expect("the default is valid"), None);
    let peers = (1..=PEERS as u128).map(peer).collect();
    let mut world = PeerRun { relay, peers, on_the_way: Vec::new(), now: 0 };
    repeat(input, STEPS, |input| world.step(input))
}

impl PeerRun {
    fn step(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        match input.int_in_range(0..=15)? {
            0..=2 => self.now += duration(input)?.min(2_000 * MILLISECOND),
            3..=4 => self.now += 5 * MILLISECOND,
            5..=9 => self.deliver_all(),
            10 => self.deliver_one(input)?,
            11 => self.invent(input)?,
            12 => {
                let _ = self.relay.disconnect(input.int_in_range(0..=PEERS as u64)?, self.time());
            }
            13 | 14 if input.ratio(1, 8)? => self.peers[input.int_in_range(0..=PEERS - 1)?].0.leave(),
            _ => {
                // Both ends must reject a time outside the valid range.
                let at = LocalTime::from_ticks(instant(input, self.now)?);
                if !at.is_valid() {
                    assert!(self.relay.next_message(at).is_err());
                    assert!(self.peers.iter_mut().all(|(peer, _)| peer.next_message(at).is_err()));
                }
            }
        }
        self.talk();
        self.look();
        Ok(())
    }

    fn time(&self) -> LocalTime {
        LocalTime::from_ticks(self.now)
    }

    fn post(&mut self, up: bool, peer: usize, bytes: Vec<u8>) {
        if self.on_the_way.len() < MOST_ON_THE_WAY {
            self.on_the_way.push((up, peer, bytes));
        }
    }

    fn talk(&mut self) {
        let now = self.time();
        for peer in 0..self.peers.len() {
            let mut count = 0;
            while let Ok(Some(message)) = self.peers[peer].0.next_message(now) {
                self.post(true, peer, message.to_vec());
                count += 1;
                assert!(count <= 64 + 8, "a peer never stops sending");
            }
        }
        self.drain();
    }

    fn drain(&mut self) -> (usize, usize) {
        let (now, mut count, mut to_strangers) = (self.time(), 0, 0);
        while let Ok(Some((to, message))) = self.relay.next_message(now) {
            count += 1;
            if to == STRANGER {
                to_strangers += message.len();
            }
            if (to as usize) < PEERS {
                self.post(false, to as usize, message.to_vec());
            }
        }
        (count, to_strangers)
    }

    fn deliver_all(&mut self) {
        for (up, peer, bytes) in core::mem::take(&mut self.on_the_way) {
            self.deliver(up, peer, &bytes);
        }
    }

    fn deliver(&mut self, up: bool, peer: usize, bytes: &[u8]) {
        let now = self.time();
        if !up {
            let peer = &mut self.peers[peer].0;
            let before = peer.read(now);
            let told = peer.receive(bytes, now);
            // These outcomes may change the reading, because a peer remembers suspicious replies and shows a
            // rejection by the relay.
            let is_news = match told {
                Ok(()) | Err(PeerError::Rejected(_)) => true,
                Err(PeerError::Refused(why)) => {
                    matches!(why, Refusal::Contradiction | Refusal::SeveralServers)
                }
                Err(_) => false,
            };
            assert!(is_news || peer.read(now) == before, "{told:?}, but the reading changed");
            return;
        }
        let _ = self.relay.receive(peer as u64, bytes, now);
        let (answers, _) = self.drain();
        assert!(answers <= MOST_ANSWERS, "{answers} messages for one");
    }

    fn deliver_one(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        if self.on_the_way.is_empty() {
            return Ok(());
        }
        let place = input.int_in_range(0..=self.on_the_way.len() - 1)?;
        let (up, peer, mut bytes) = self.on_the_way.swap_remove(place);
        match input.int_in_range(0..=3)? {
            0 => return Ok(()),
            1 => {
                let at = input.int_in_range(0..=bytes.len() - 1)?;
                bytes[at] = input.arbitrary()?;
            }
            2 => self.post(up, peer, bytes.clone()),
            _ => bytes.truncate(input.int_in_range(0..=bytes.len())?),
        }
        self.deliver(up, peer, &bytes);
        Ok(())
    }

    /// Invents a message for any recipient. Its valid header passes the first checks, and many of its bytes
    /// are zero because unused fields must be zero.
    fn invent(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let mut bytes = vec![0; PEER_DATAGRAM_SIZE];
        bytes[..5].copy_from_slice(&[b'N', b'K', 1, input.int_in_range(23..=31)?, 0]);
        let filled = input.int_in_range(8..=PEER_DATAGRAM_SIZE)?;
        input.fill_buffer(&mut bytes[5..filled])?;
        let whom = input.int_in_range(0..=2 * PEERS)?;
        if whom < PEERS {
            self.deliver(false, whom, &bytes);
        } else if whom < 2 * PEERS {
            self.deliver(true, whom - PEERS, &bytes);
        } else {
            self.drain();
            let _ = self.relay.receive(STRANGER, &bytes, self.time());
            let (_, answered) = self.drain();
            assert!(answered <= bytes.len(), "{answered} bytes for {}", bytes.len());
            // The sender never receives the cookie, so it would have to guess 64 bits.
            assert!(!self.relay.has_slot(STRANGER), "a sender got a slot without receiving from the relay");
        }
        Ok(())
    }

    fn look(&mut self) {
        let now = self.time();
        for (peer, last) in &mut self.peers {
            let reading = peer.read(now);
            if let Some(last) =
                last.filter(|last| last.clock.epoch == reading.clock.epoch && last.time.ticks() > 0)
            {
                assert!(reading.time >= last.time || reading.time.ticks() == 0, "{last:?} {reading:?}");
            }
            assert!(reading.clock.error_bound.ticks() >= 0, "{reading:?}");
            assert!(reading.inherited.ticks() >= 0, "{reading:?}");
            assert!(reading.clock.expected_error <= reading.clock.error_bound, "{reading:?}");
            *last = Some(reading);
        }
        if let Some(session) = self.relay.game_status(1) {
            assert!(session.players <= SLOTS);
        }
    }
}
