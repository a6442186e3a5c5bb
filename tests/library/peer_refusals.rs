//! Tests that relays and peers reject unknown senders, forgeries, replays, lies and floods. Lost messages
//! must never make relays or peers hang, allocate or step.

use crate::relayed::*;
use allocation_counter::measure;
use netclock::peer::{Peer, PeerError, PeerStage, Relay};
use netclock::{Config, Refusal, Span, WireError};
use netclock_sim::peers::{Peers, Transport};
use netclock_sim::random::{Random, seed};

#[test]
fn unknown_senders_receive_at_most_as_much_as_they_send() {
    let (mut relay, mut dice) = (relay(16), Random::new(seed(1), "test"));
    // The addresses, keys and games are forged, and half of the cookies are guesses. The relay answers each
    // login with a challenge and stores nothing.
    for number in 0..20_000 {
        let guess = if dice.chance(0.5) { dice.word() } else { 0 };
        let (from, game) = (1_000 + dice.word() % (1 << 32), dice.word() % 16);
        assert_eq!(relay.receive(from, &login(dice.word(), game, guess), at(number / 400)), Ok(()));
        let answers = sent(&mut relay, at(number / 400));
        assert!(answers.iter().all(|(to, bytes)| *to == from && bytes[3] == CHALLENGE), "{answers:?}");
        assert_eq!((answers.len(), relay.game_status(game), relay.has_slot(from)), (1, None, false));
    }
    // A sender that has not returned its token receives nothing but its own state from the relay.
    let login = challenged(&mut relay, 9, 5, 7, at(50));
    for number in 50..60 {
        assert_eq!(relay.receive(9, &login, at(number)), Ok(()));
        assert_eq!(sent(&mut relay, at(number)).len(), 1);
    }
    assert_eq!(relay.receive(9, &message(REQUEST, 0, 5, 0), at(60)), Err(PeerError::WrongKey));
    assert_eq!(sent(&mut relay, at(60)), []);
    assert_eq!(sent(&mut relay, at(3_100)), []);
    assert_eq!(relay.game_status(7), None, "the game is forgotten");
}

#[test]
fn invalid_logins_are_rejected_with_their_reason() {
    let mut relay = relay(1);
    let first = seated(&mut relay, 1, at(0));
    let reason = |relay: &mut Relay, connection| {
        let answers = sent(relay, at(1));
        let (to, bytes) = answers.first().expect("an answer");
        assert_eq!((*to, bytes[3]), (connection, REJECT));
        long(bytes, 16)
    };
    let mut refused = |connection, key, game, error, why| {
        let login = challenged(&mut relay, connection, key, game, at(1));
        assert_eq!(relay.receive(connection, &login, at(1)), Err(error));
        assert_eq!(reason(&mut relay, connection), why);
        assert_eq!(relay.has_slot(connection), connection == 1, "the slots changed");
    };
    refused(2, 101, 7, PeerError::Duplicate, 2); // another peer's key
    refused(1, 8, 7, PeerError::Duplicate, 2); // the connection is already in a game
    refused(2, 8, 6, PeerError::Full, 1); // no room for another game
    seated(&mut relay, 2, at(1));
    let login = challenged(&mut relay, 3, 8, 7, at(1));
    assert_eq!(relay.receive(3, &login, at(1)), Err(PeerError::Full), "no slot");
    assert_eq!(reason(&mut relay, 3), 1);
    assert_eq!(relay.receive(3, &message(READY, 0, first, 0), at(1)), Err(PeerError::NotLoggedIn));
    assert_eq!(reason(&mut relay, 3), 3);
    assert!(!relay.has_slot(3));
    assert_eq!(relay.disconnect(3, at(1)), Err(PeerError::NotLoggedIn));
    assert_eq!(relay.game_status(7).map(|game| game.players), Some(2));
}

#[test]
fn tokens_roles_and_generations_are_checked() {
    let mut relay = relay(1);
    let (primary, second) = (seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0)));
    let before = relay.game_status(7);
    let mut refused = |connection, bytes: &Bytes, error| {
        assert_eq!(relay.receive(connection, bytes, at(1)), Err(error), "{bytes:?}");
        assert_eq!(sent(&mut relay, at(1)), [], "{bytes:?}");
        assert_eq!(relay.game_status(7), before, "{bytes:?}");
    };
    for kind in [READY, REQUEST, REPLY] {
        refused(2, &message(kind, 0, primary, 0), PeerError::WrongKey);
    }
    refused(2, &message(STATE, 0, second, 0), PeerError::WrongRole);
    let mut request = message(REQUEST, 0, second, 9);
    for (place, error) in [(5, PeerError::Stale), (27, WireError::Reserved.into())] {
        let mut changed = request;
        changed[place] = 2;
        refused(2, &changed, error);
    }
    refused(1, &message(REQUEST, 0, primary, 9), PeerError::WrongRole);
    refused(2, &message(REPLY, 1, second, 9), PeerError::WrongRole);
    refused(1, &message(REPLY, 1, primary, 9), PeerError::Unasked);
    refused(1, &message(REPLY, 200, primary, 9), PeerError::Unasked);
    // The relay forwards one reply per request, and replaces the sender's token with the receiver's key.
    assert_eq!(relay.receive(2, &request, at(2)), Ok(()));
    let mut reply = message(REPLY, 1, primary, 9);
    assert_eq!(relay.receive(1, &reply, at(2)), Ok(()));
    assert_eq!(relay.receive(1, &reply, at(2)), Err(PeerError::Unasked));
    put(&mut request, 8, 101);
    request[7] = 1;
    put(&mut reply, 8, 102);
    assert_eq!(sent(&mut relay, at(2)), [(1, request), (2, reply)]);
}

#[test]
fn a_flooding_peer_is_limited_and_others_are_not() {
    let mut relay = relay(1);
    let (first, second) = (seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0)));
    let request = message(REQUEST, 0, second, 9);
    let mut forwarded = 0;
    for number in 0..8_000 {
        let now = at(number / 4);
        let _ = relay.receive(2, &request, now);
        forwarded += sent(&mut relay, now).iter().filter(|(_, bytes)| bytes[3] == REQUEST).count();
        if number % 1_000 == 0 {
            assert_eq!(relay.receive(1, &message(READY, 0, first, 0), now), Ok(()));
        }
    }
    assert!((700..800).contains(&forwarded), "{forwarded} messages in 2 s, at 256 a second and a burst");
    let _uses_up_the_rest = relay.receive(2, &request, at(2_000));
    assert_eq!(relay.receive(2, &message(READY, 0, second, 0), at(2_000)), Err(PeerError::OverBudget));
    assert_eq!(relay.receive(1, &message(READY, 0, first, 0), at(2_000)), Ok(()), "the peers share a budget");
    assert_eq!(relay.game_status(7).map(|game| (game.players, game.generation)), Some((2, 1)));
}

#[test]
fn a_full_queue_accepts_messages_after_it_is_sent() {
    let mut relay = relay(1);
    seated(&mut relay, 1, at(0));
    let second = seated(&mut relay, 2, at(0));
    let request = message(REQUEST, 0, second, 9);
    let taken = (0..100).take_while(|_| relay.receive(2, &request, at(1)).is_ok()).count();
    assert_eq!((taken, relay.receive(2, &request, at(1))), (64, Err(PeerError::NoSpace)));
    assert_eq!(relay.receive(2, &message(READY, 0, second, 0), at(1)), Ok(()), "the peers share a queue");
    assert_eq!(sent(&mut relay, at(1)).len(), 65);
    assert_eq!(relay.receive(2, &request, at(1)), Ok(()), "there is room again");
}

#[test]
fn a_primary_that_never_answers_loses_its_slot() {
    let mut relay = relay(1);
    let tokens = [seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0))];
    for ms in (0..3_400).step_by(100) {
        for (connection, token) in (1..).zip(tokens) {
            let _ = relay.receive(connection, &message(READY, 0, token, 0), at(ms));
        }
        let _ = relay.receive(2, &message(REQUEST, 0, tokens[1], 9), at(ms));
        sent(&mut relay, at(ms));
    }
    let game = relay.game_status(7).expect("the other peer plays on");
    assert_eq!((game.players, game.primary, game.generation), (1, 2, 2));
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
    for kind in CHALLENGE..=REPLY {
        let forged = message(kind, 1, 1234, u64::from(kind == REJECT));
        assert_eq!(peer.receive(&forged, now), Err(PeerError::WrongKey), "{forged:?}");
        assert_eq!(state(&peer), before);
    }
    let key = before.split(" key: ").find_map(|rest| rest.split(',').next()?.parse().ok());
    let mut reply = message(REPLY, 1, key.expect("a peer has a key"), 1234);
    assert_eq!(peer.receive(&reply, now), Err(Refusal::UnknownRequest.into()));
    assert_eq!(state(&peer), before, "a reply to an unknown request changed the peer");

    // The peer receives three replies to a genuine request. The first reply claims a hold longer than the
    // round trip, the second one is genuine, and the third one is a duplicate.
    let (id, now) = (0..10_000)
        .find_map(|ms| {
            let now = now + Span::from_millis(ms);
            let mut sent = std::iter::from_fn(|| peer.next_message(now).expect("time goes on"));
            sent.find(|message| message[3] == REQUEST).map(|message| (long(&message, 16), now))
        })
        .expect("the peer makes requests");
    let reading = peer.read(now);
    assert_eq!((reading.stage, reading.leads), (PeerStage::Playing, false));
    put(&mut reply, 16, id);
    // The first primary's epoch identifies the timescale.
    put(&mut reply, 24, (reading.clock.server_time + Span::from_millis(50)).ticks() as u64);
    put(&mut reply, 32, reading.clock.server_epoch);
    put(&mut reply, 40, reading.clock.server_epoch);
    let arrived = now + Span::from_millis(100);
    // The round trip takes 100 ms. The first reply claims that each message was held for 60 ms, and the
    // second one claims 20 ms.
    for (held, expected) in [(600_000_u64, Err(Refusal::HeldTooLong.into())), (200_000, Ok(()))] {
        put(&mut reply, 56, held << 32 | held);
        let before = peer.read(arrived);
        let outcome = peer.receive(&reply, arrived);
        assert_eq!(outcome, expected);
        assert_eq!(peer.read(arrived) == before, outcome.is_err());
    }
    let before = state(&peer);
    assert_eq!(peer.receive(&reply, arrived), Err(Refusal::UnknownRequest.into()), "a replay");
    assert_eq!(state(&peer), before);
    let after = peer.read(arrived);
    assert_eq!((after.clock.epoch, after.clock.server_epoch), (1, reading.clock.server_epoch));
    assert_eq!((after.stage, after.leads), (reading.stage, reading.leads));
}

#[test]
fn nothing_is_allocated_after_creation() {
    let mut relay = Relay::new(Default::default(), 1).expect("the default is valid");
    let mut peers: Vec<Peer> =
        (1..4).map(|seed| Peer::new(Config::default(), 7, seed).expect("the default is valid")).collect();
    let mut total = 0;
    for ms in 0..20_000 {
        let now = at(ms);
        let made = measure(|| {
            for (connection, peer) in (0..).zip(&mut peers) {
                if connection == 0 && (5_000..12_000).contains(&ms) {
                    continue;
                }
                while let Ok(Some(message)) = peer.next_message(now) {
                    let _ = relay.receive(connection, &message, now);
                }
            }
            while let Ok(Some((to, message))) = relay.next_message(now) {
                let _ = peers[to as usize].receive(&message, now);
            }
        });
        total += made.count_total;
    }
    let readings: Vec<_> = peers.iter().map(|peer| peer.read(at(20_000))).collect();
    assert!(readings.iter().all(|reading| reading.stage == PeerStage::Playing), "{readings:?}");
    assert_eq!(relay.game_status(7).map(|game| game.generation), Some(2));
    assert_eq!(total, 0);
}
