//! Relays and peers reject unknown senders, forgeries, replays, lies and floods, and survive silence without
//! hanging, allocating or stepping.

use crate::relayed::*;
use allocation_counter::measure;
use netclock::peer::{MESSAGE_MOST, Peer, PeerError, PeerStage, Relay, RelayConfig, Role};
use netclock::{Config, LocalTime, Refusal, Span};
use netclock_sim::peers::{Peers, Transport};
use netclock_sim::random::seed;

#[test]
fn unknown_senders_get_no_more_than_they_send() {
    let mut relay = relay(RelayConfig { games: 1, slots: 2, ..RelayConfig::default() });
    // A sender that never returns its cookie is challenged each time, and the relay keeps no state.
    for number in 0..50 {
        challenged(&mut relay, 9, 5, 7, at(number));
        assert_eq!((relay.game_status(7), relay.has_slot(9)), (None, false));
    }
    // A sender that never returns its token only gets its role, each time.
    let login = challenged(&mut relay, 9, 5, 7, at(50));
    for number in 50..60 {
        assert_eq!(relay.receive(9, &login, at(number)), Ok(()));
        assert_eq!(sent(&mut relay, at(number)).len(), 1);
    }
    assert_eq!(sent(&mut relay, at(60)), []);
    assert_eq!(relay.receive(9, &exchange(SYNCH_REQUEST, 0, 5, 0), at(60)), Err(PeerError::WrongKey));
    assert_eq!(sent(&mut relay, at(3_100)), []);
    assert_eq!(relay.game_status(7), None, "the game is forgotten");
}

#[test]
fn invalid_logins_are_rejected_with_their_reason() {
    let mut relay = relay(RelayConfig { games: 1, slots: 2, ..RelayConfig::default() });
    let first = seated(&mut relay, 1, at(0));
    let code = |relay: &mut Relay, connection| {
        let answers = sent(relay, at(1));
        let (to, bytes) = answers.first().expect("an answer");
        assert_eq!((*to, bytes[..2].to_vec()), (connection, ERROR.to_be_bytes().to_vec()));
        u16::from_be_bytes([bytes[4], bytes[5]])
    };
    assert_eq!(relay.receive(2, &plain(LOGIN, 2, 0, 8, 7), at(1)), Err(PeerError::Version(2)));
    assert_eq!(code(&mut relay, 2), 1);
    let mut refused = |connection, key, game, error, why| {
        let login = challenged(&mut relay, connection, key, game, at(1));
        assert_eq!(relay.receive(connection, &login, at(1)), Err(error));
        assert_eq!(code(&mut relay, connection), why);
        assert_eq!(relay.has_slot(connection), connection == 1, "no slot more or less");
    };
    refused(2, 101, 7, PeerError::Duplicate, 3); // the key of another peer
    refused(1, 8, 7, PeerError::Duplicate, 3); // a connection that is already in a game
    refused(2, 8, 6, PeerError::Full, 2); // no room for another game
    seated(&mut relay, 2, at(1));
    let login = challenged(&mut relay, 3, 8, 7, at(1));
    assert_eq!(relay.receive(3, &login, at(1)), Err(PeerError::Full), "no slot");
    assert_eq!(code(&mut relay, 3), 2);
    assert_eq!(relay.receive(3, &plain(READY, 0, 1, first, 0), at(1)), Err(PeerError::NotLoggedIn));
    assert_eq!(code(&mut relay, 3), 4);
    assert!(!relay.has_slot(3));
    assert_eq!(relay.disconnect(3, at(1)), Err(PeerError::NotLoggedIn));
    assert_eq!(relay.game_status(7).map(|game| game.players), Some(2));
}

#[test]
fn tokens_roles_and_generations_are_checked() {
    let mut relay = relay(RelayConfig { games: 1, ..RelayConfig::default() });
    let (primary, second) = (seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0)));
    let before = relay.game_status(7);
    let mut refused = |connection, bytes: &[u8], error| {
        assert_eq!(relay.receive(connection, bytes, at(1)), Err(error), "{bytes:?}");
        assert_eq!(sent(&mut relay, at(1)), [], "{bytes:?}");
        assert_eq!(relay.game_status(7), before, "{bytes:?}");
    };
    for id in [READY, SYNCH_DONE, BEGIN_GAME, GAME_END] {
        refused(2, &plain(id, 0, 1, primary, 0), PeerError::WrongKey);
    }
    refused(2, &plain(SYNCH_DONE, 0, 2, second, 0), PeerError::Stale);
    refused(2, &plain(BEGIN_GAME, 1, 1, second, 0), PeerError::WrongRole);
    refused(2, &plain(PRIMARY_CLIENT, 0, 1, second, 0), PeerError::WrongRole);
    let mut request = exchange(SYNCH_REQUEST, 0, second, 9);
    for (at, error) in [(11, PeerError::Stale), (36, PeerError::Malformed(SYNCH_REQUEST))] {
        let mut changed = request.clone();
        changed[at] = 2;
        refused(2, &changed, error);
    }
    refused(2, &exchange(SYNCH_REPLY, 1, second, 9), PeerError::WrongRole);
    refused(1, &exchange(SYNCH_REPLY, 1, primary, 9), PeerError::Unasked);
    refused(1, &exchange(SYNCH_REPLY, 200, primary, 9), PeerError::Unasked);
    let mut said = game_message(20, second);
    said[9] = 1;
    refused(2, &said, PeerError::Malformed(0x100));
    // Each request gets one reply and no more. The reply carries the receiver's key, not the sender's token.
    assert_eq!(relay.receive(2, &request, at(2)), Ok(()));
    let mut reply = exchange(SYNCH_REPLY, 1, primary, 9);
    assert_eq!(relay.receive(1, &reply, at(2)), Ok(()));
    assert_eq!(relay.receive(1, &reply, at(2)), Err(PeerError::Unasked));
    request[12..20].copy_from_slice(&101_u64.to_be_bytes());
    request[5] = 1;
    reply[12..20].copy_from_slice(&102_u64.to_be_bytes());
    assert_eq!(sent(&mut relay, at(2)), [(1, request), (2, reply)]);
}

#[test]
fn a_flooding_peer_is_limited_and_others_are_not() {
    let mut relay = relay(RelayConfig { games: 1, budget: 1_000, ..RelayConfig::default() });
    let (first, second) = (seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0)));
    let mut forwarded = 0;
    let game = game_message(500, second);
    for ms in 0..2_000 {
        let _ = relay.receive(2, &game, at(ms));
        forwarded += sent(&mut relay, at(ms)).iter().filter(|(_, bytes)| bytes.len() == 500).count();
        if ms % 250 == 0 {
            assert_eq!(relay.receive(1, &plain(READY, 1, 1, first, 0), at(ms)), Ok(()));
        }
    }
    assert!((3..=8).contains(&forwarded), "{forwarded} messages of 500 bytes in 2 s at 1000 bytes a second");
    assert_eq!(relay.receive(2, &plain(READY, 0, 1, second, 0), at(2_000)), Err(PeerError::OverBudget));
    assert_eq!(relay.receive(1, &plain(READY, 1, 1, first, 0), at(2_000)), Ok(()), "the other one's budget");
    assert_eq!(relay.game_status(7).map(|game| (game.players, game.generation)), Some((2, 1)));
}

#[test]
fn a_full_queue_counts_dropped_messages() {
    let mut relay =
        relay(RelayConfig { games: 1, queue: 2_064, budget: 10_000_000, ..RelayConfig::default() });
    seated(&mut relay, 1, at(0));
    let second = seated(&mut relay, 2, at(0));
    let game = game_message(MESSAGE_MOST, second);
    assert_eq!(relay.receive(2, &game, at(1)), Ok(()));
    assert_eq!(relay.receive(2, &game, at(1)), Ok(()));
    assert_eq!(relay.receive(2, &game, at(1)), Err(PeerError::NoSpace));
    assert_eq!(relay.game_status(7).map(|game| game.dropped), Some(1));
    let forwarded = sent(&mut relay, at(1));
    assert!(forwarded.iter().all(|(to, bytes)| (*to, bytes.len()) == (1, game.len())), "cut, or misled");
    assert_eq!(forwarded.len(), 2);
    assert_eq!(relay.receive(2, &game, at(1)), Ok(()), "there is room again");
}

#[test]
fn a_primary_that_never_answers_loses_its_slot() {
    let mut relay = relay(RelayConfig { games: 1, ..RelayConfig::default() });
    let tokens = [seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0))];
    for ms in (0..3_400).step_by(100) {
        for (connection, token) in (1..).zip(tokens) {
            let _ = relay.receive(connection, &plain(READY, 0, 1, token, 0), at(ms));
        }
        let _ = relay.receive(2, &exchange(SYNCH_REQUEST, 0, tokens[1], 9), at(ms));
        sent(&mut relay, at(ms));
    }
    let session = relay.game_status(7).expect("the other one plays on");
    assert_eq!((session.players, session.primary, session.generation), (1, Some(2), 2));
    assert_eq!([1, 2].map(|connection| relay.has_slot(connection)), [false, true]);
}

#[test]
fn forged_replayed_and_lying_messages_change_nothing() {
    let mut net = Peers::new(Transport { jitter: 0.0, ..Transport::default() }, seed(1));
    net.join(0.0);
    net.run(500);
    let second = net.join(0.0);
    net.run(3_000);
    let other = Peer::new(Config::default(), 1, 1).expect("the default is valid");
    let mut peer = std::mem::replace(&mut net.players[second].peer, other);
    let now = net.local(second);
    let state = |peer: &Peer| format!("{peer:?}");
    let before = state(&peer);
    for (bytes, error) in [
        (plain(PRIMARY_CLIENT, 0, 9, 1234, 5), PeerError::WrongKey),
        (plain(ERROR, 4, 9, 1234, 0), PeerError::WrongKey),
        (plain(BEGIN_GAME, 1, 1, 1234, 0), PeerError::WrongKey),
        (exchange(SYNCH_REQUEST, 1, 1234, 9), PeerError::WrongKey),
        (exchange(SYNCH_REPLY, 1, 1234, 9), PeerError::WrongKey),
        (plain(CHALLENGE, 0, 0, 1234, 9), PeerError::WrongKey),
        (game_message(30, 1234), PeerError::WrongKey),
        (plain(0x7, 0, 0, 0, 0), PeerError::UnknownId(7)),
    ] {
        assert_eq!(peer.receive(&bytes, now), Err(error));
        assert_eq!(state(&peer), before);
    }
    // From here on the sender knows the key, as the relay does.
    let key = key_of(&peer);
    let mut reply = exchange(SYNCH_REPLY, 1, key, 1234);
    reply[59] = 1;
    assert_eq!(peer.receive(&reply, now), Err(Refusal::UnknownRequest.into()));
    assert_eq!(state(&peer), before, "an id that was never asked");

    // Answers to a real request: one that was held for longer than the exchange took, a true one, and the
    // true one again.
    let mut message = [0; MESSAGE_MOST];
    let (id, now) = (0..10_000)
        .find_map(|ms| {
            let now = now + Span::from_millis(ms);
            peer.tick(now).expect("time goes on");
            while let Some(size) = peer.next_message(now, &mut message) {
                if message[..2] == SYNCH_REQUEST.to_be_bytes() && size == 92 {
                    return Some((long(&message, 20), now));
                }
            }
            None
        })
        .expect("it asks now and then");
    let reading = peer.read(now);
    assert_eq!((reading.stage, reading.role), (PeerStage::Playing, Some(Role::Secondary)));
    reply[20..28].copy_from_slice(&id.to_be_bytes());
    // The client's authority, run and time. Both holds are 60 ms in a round trip of 100 ms.
    reply[52..60].copy_from_slice(&reading.authority.to_be_bytes());
    reply[68..76].copy_from_slice(&reading.authority.to_be_bytes());
    let arrived = now + Span::from_millis(100);
    for (held, expected) in [(600_000_u32, Err(Refusal::HeldTooLong.into())), (200_000, Ok(None))] {
        reply[36..40].copy_from_slice(&held.to_be_bytes());
        reply[40..44].copy_from_slice(&held.to_be_bytes());
        // By both clocks, the primary received it 50 ms after it was sent, about 3 s after the network began.
        let middle = authority_time(&net, &peer, now) + 500_000;
        reply[28..36].copy_from_slice(&middle.to_be_bytes());
        let before = peer.read(arrived);
        let outcome = peer.receive(&reply, arrived);
        assert_eq!(outcome, expected);
        assert_eq!(peer.read(arrived) == before, outcome.is_err());
    }
    let before = state(&peer);
    assert_eq!(peer.receive(&reply, arrived), Err(Refusal::UnknownRequest.into()), "a replay");
    assert_eq!(state(&peer), before);
    let after = peer.read(arrived);
    assert_eq!((after.epoch, after.authority), (1, reading.authority));
    assert_eq!((after.stage, after.role), (reading.stage, reading.role));
}

/// The peer's key, which only its relay knows.
fn key_of(peer: &Peer) -> u64 {
    let state = format!("{peer:?}");
    let key = state.split(" key: ").find_map(|rest| rest.split(',').next()?.parse().ok());
    key.expect("its login has one")
}

/// What the authority's clock reads, in its own stamps, when the peer's clock reads `now`. Computed from the
/// shown time and from the beginning of the game, which the state contains.
fn authority_time(net: &Peers, peer: &Peer, now: LocalTime) -> i64 {
    let state = format!("{:?}", net.players[0].peer);
    let began = state.split("began: [Some(").nth(1).and_then(|rest| rest.split("at: ").nth(1));
    let seconds: f64 = began.and_then(|text| text.split(' ').next()?.parse().ok()).expect("it began");
    peer.read(now).time.ticks() + (seconds * 1e7).round() as i64
}

#[test]
fn nothing_is_allocated_after_creation() {
    let mut relay = relay(RelayConfig { games: 1, ..RelayConfig::default() });
    let mut peers: Vec<Peer> =
        (1..4).map(|seed| Peer::new(Config::default(), 7, seed).expect("the default is valid")).collect();
    let mut message = [0; MESSAGE_MOST];
    let mut total = 0;
    for ms in 0..20_000 {
        let now = at(ms);
        let made = measure(|| {
            for (connection, peer) in (0..).zip(&mut peers) {
                // The first peer leaves for a while without notice.
                if connection == 0 && (5_000..12_000).contains(&ms) {
                    continue;
                }
                let _ = peer.tick(now);
                while let Some(size) = peer.next_message(now, &mut message) {
                    let _ = relay.receive(connection, &message[..size], now);
                }
                if ms % 100 == 0 {
                    if let Ok(size) = peer.stamp_message(now, 256, &[1, 2, 3], &mut message) {
                        let _ = relay.receive(connection, &message[..size], now);
                    }
                }
            }
            while let Ok(Some((to, size))) = relay.next_message(now, &mut message) {
                let _ = peers[to as usize].receive(&message[..size], now);
            }
        });
        total += made.count_total;
    }
    let readings: Vec<_> = peers.iter().map(|peer| peer.read(at(20_000))).collect();
    assert!(readings.iter().all(|reading| reading.stage == PeerStage::Playing), "{readings:?}");
    assert_eq!(relay.game_status(7).map(|game| game.generation), Some(2));
    assert_eq!(total, 0);
}
