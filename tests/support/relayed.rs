//! Messages of peers and relays, built byte by byte, and a relay that tests drive directly.

use netclock::LocalTime;
use netclock::peer::{MESSAGE_MOST, Relay, RelayConfig};

pub(crate) const LOGIN: u16 = 0x1;
pub(crate) const ERROR: u16 = 0x2;
pub(crate) const CHALLENGE: u16 = 0x4;
pub(crate) const READY: u16 = 0x9;
pub(crate) const BEGIN_GAME: u16 = 0x10;
pub(crate) const GAME_END: u16 = 0x11;
pub(crate) const SYNCH_REQUEST: u16 = 0x12;
pub(crate) const SYNCH_REPLY: u16 = 0x13;
pub(crate) const PRIMARY_CLIENT: u16 = 0x14;
pub(crate) const SYNCH_DONE: u16 = 0x16;

/// A message of 36 bytes: id, first field, generation, proof, number.
pub(crate) fn plain(id: u16, first: u16, generation: u32, proof: u64, number: u64) -> Vec<u8> {
    let mut bytes = vec![0; 36];
    bytes[0..2].copy_from_slice(&id.to_be_bytes());
    bytes[3] = 36;
    bytes[4..6].copy_from_slice(&first.to_be_bytes());
    bytes[8..12].copy_from_slice(&generation.to_be_bytes());
    bytes[12..20].copy_from_slice(&proof.to_be_bytes());
    bytes[20..28].copy_from_slice(&number.to_be_bytes());
    bytes
}

pub(crate) fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

pub(crate) fn at(ms: i64) -> LocalTime {
    LocalTime::from_ticks(ms * 10_000)
}

pub(crate) fn relay(config: RelayConfig) -> Relay {
    Relay::new(config, 1).expect("a valid configuration")
}

/// Everything that the relay has queued.
pub(crate) fn sent(relay: &mut Relay, now: LocalTime) -> Vec<(u64, Vec<u8>)> {
    let (mut all, mut message) = (Vec::new(), [0; MESSAGE_MOST]);
    while let Ok(Some((to, size))) = relay.next_message(now, &mut message) {
        all.push((to, message[..size].to_vec()));
        assert!(all.len() < 10_000, "it never ends");
    }
    all
}

/// A LOGIN that shows this cookie.
pub(crate) fn login(key: u64, game: u64, cookie: u64) -> Vec<u8> {
    let mut bytes = plain(LOGIN, 1, 0, key, game);
    bytes[28..36].copy_from_slice(&cookie.to_be_bytes());
    bytes
}

/// A LOGIN with the cookie that the relay sends to this connection.
pub(crate) fn challenged(relay: &mut Relay, connection: u64, key: u64, game: u64, now: LocalTime) -> Vec<u8> {
    assert_eq!(relay.receive(connection, &login(key, game, 0), now), Ok(()));
    let answers = sent(relay, now);
    let (_, challenge) = answers.iter().find(|(to, _)| *to == connection).expect("an answer");
    assert_eq!((&challenge[..2], long(challenge, 12)), (&CHALLENGE.to_be_bytes()[..], key));
    login(key, game, long(challenge, 20))
}

/// A game message of this size, from the peer with this token.
pub(crate) fn game_message(size: usize, token: u64) -> Vec<u8> {
    let mut bytes = vec![0; size];
    bytes[..4].copy_from_slice(&[1, 0, (size >> 8) as u8, size as u8]);
    bytes[12..20].copy_from_slice(&token.to_be_bytes());
    bytes
}

/// A message of 92 bytes: a request or a reply for a slot, with this id.
pub(crate) fn exchange(what: u16, slot: u16, token: u64, id: u64) -> Vec<u8> {
    let mut bytes = plain(what, slot, 1, token, id);
    bytes.resize(92, 0);
    bytes[3] = 92;
    bytes
}

/// Logs in, shows the token and returns it.
pub(crate) fn seated(relay: &mut Relay, connection: u64, now: LocalTime) -> u64 {
    let login = challenged(relay, connection, 100 + connection, 7, now);
    assert_eq!(relay.receive(connection, &login, now), Ok(()));
    let answers = sent(relay, now);
    let (_, role) = answers.iter().find(|(to, _)| *to == connection).expect("an answer");
    let token = long(role, 20);
    assert_eq!(relay.receive(connection, &plain(READY, 0, 1, token, 0), now), Ok(()));
    sent(relay, now);
    token
}
