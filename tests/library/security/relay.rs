//! What strangers can do to a relay over UDP today. Limits that `docs/security.md` lists as open.

use netclock::LocalTime;
use netclock::peer::{PeerError, Relay, RelayConfig};

const LOGIN: u16 = 0x1;

fn login(key: u64, game: u64) -> [u8; 36] {
    let mut bytes = [0; 36];
    bytes[0..2].copy_from_slice(&LOGIN.to_be_bytes());
    bytes[3] = 36;
    bytes[5] = 1;
    bytes[12..20].copy_from_slice(&key.to_be_bytes());
    bytes[20..28].copy_from_slice(&game.to_be_bytes());
    bytes
}

#[test]
fn forged_logins_fill_a_relay_for_as_long_as_they_go_on() {
    let config = RelayConfig::default();
    let mut relay = Relay::new(config, 1).expect("the default is valid");
    let all = u64::from(config.games * config.slots);
    let mut now = LocalTime::from_ticks(0);
    for forged in 0..all {
        let datagram = login(1_000 + forged, forged % u64::from(config.games));
        assert_eq!(relay.receive(forged, &datagram, now), Ok(()));
    }
    assert_eq!(relay.receive(all, &login(5, 3), now), Err(PeerError::Full), "open: there is no cookie yet");
    // Those who never answer are forgotten.
    now += config.silence + config.silence;
    let mut message = [0; netclock::peer::MESSAGE_MOST];
    while relay.next_message(now, &mut message).expect("in range").is_some() {}
    assert_eq!(relay.receive(all, &login(5, 3), now), Ok(()));
}
