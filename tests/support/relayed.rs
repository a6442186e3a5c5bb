//! Encodes messages between peers and a relay by hand, and calls the relay without a network.

use netclock::LocalTime;
use netclock::peer::{PEER_DATAGRAM_SIZE, Relay, RelayConfig};

pub(crate) const LOGIN: u8 = 24;
pub(crate) const CHALLENGE: u8 = 25;
pub(crate) const REJECT: u8 = 26;
pub(crate) const STATE: u8 = 27;
pub(crate) const READY: u8 = 28;
pub(crate) const REQUEST: u8 = 29;
pub(crate) const REPLY: u8 = 30;

pub(crate) type Bytes = [u8; PEER_DATAGRAM_SIZE];

pub(crate) fn message(kind: u8, slot: u8, proof: u64, number: u64) -> Bytes {
    let mut bytes = [0; PEER_DATAGRAM_SIZE];
    bytes[..8].copy_from_slice(&[b'N', b'K', 1, kind, 0, 1, 0, slot]);
    put(&mut bytes, 8, proof);
    put(&mut bytes, 16, number);
    bytes
}

pub(crate) fn put(bytes: &mut Bytes, at: usize, number: u64) {
    bytes[at..at + 8].copy_from_slice(&number.to_be_bytes());
}

pub(crate) fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

pub(crate) fn at(ms: i64) -> LocalTime {
    LocalTime::from_ticks(ms * 10_000)
}

pub(crate) fn relay(games: u32) -> Relay {
    Relay::new(RelayConfig { games, slots: 2, ..RelayConfig::default() }, 1).expect("a valid configuration")
}

pub(crate) fn sent(relay: &mut Relay, now: LocalTime) -> Vec<(u64, Bytes)> {
    let all: Vec<_> = std::iter::from_fn(|| relay.next_message(now).ok()?).take(10_000).collect();
    assert!(all.len() < 10_000, "the queue never empties");
    all
}

pub(crate) fn login(key: u64, game: u64, cookie: u64) -> Bytes {
    let mut bytes = message(LOGIN, 0, key, game);
    put(&mut bytes, 24, cookie);
    bytes
}

pub(crate) fn challenged(relay: &mut Relay, connection: u64, key: u64, game: u64, now: LocalTime) -> Bytes {
    assert_eq!(relay.receive(connection, &login(key, game, 0), now), Ok(()));
    let answers = sent(relay, now);
    let (_, challenge) = answers.iter().find(|(to, _)| *to == connection).expect("an answer");
    assert_eq!((challenge[3], long(challenge, 8)), (CHALLENGE, key));
    login(key, game, long(challenge, 16))
}

pub(crate) fn seated(relay: &mut Relay, connection: u64, now: LocalTime) -> u64 {
    let login = challenged(relay, connection, 100 + connection, 7, now);
    assert_eq!(relay.receive(connection, &login, now), Ok(()));
    let answers = sent(relay, now);
    let (_, state) = answers.iter().find(|(to, _)| *to == connection).expect("an answer");
    assert_eq!(state[3], STATE);
    let token = long(state, 16);
    assert_eq!(relay.receive(connection, &message(READY, 0, token, 0), now), Ok(()));
    sent(relay, now);
    token
}
