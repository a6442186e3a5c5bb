//! Unknown senders, forgers and liars attack a relay over UDP and its peers. Some tests show a limit that
//! `docs/security.md` states.

use netclock::Span;
use netclock::peer::{PeerError, PeerStage};

use crate::relayed::*;
use netclock_sim::peers::{GAME, Peers, Transport};
use netclock_sim::random::{Random, seed};

#[test]
fn forged_logins_take_no_slot() {
    let mut relay = relay(16);
    let (mut dice, mut asked, mut answered) = (Random::new(seed(1), "test"), 0, 0);
    for forged in 0..20_000 {
        // Any address and key, one of a few games, and sometimes a guess at the cookie.
        let guess = if dice.chance(0.5) { dice.word() } else { 0 };
        let datagram = login(dice.word(), dice.word() % 16, guess);
        let from = 1_000 + dice.word() % (1 << 32);
        let _asks_for_the_cookie = relay.receive(from, &datagram, at(forged));
        asked += datagram.len();
        answered += sent(&mut relay, at(forged)).iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        assert!(answered <= asked, "{answered} bytes for {asked}");
        assert!(!relay.has_slot(from), "{from} got a slot without a cookie");
    }
    for game in 0..16 {
        assert_eq!(relay.game_status(game), None);
    }
    // The relay is still empty, so a peer that receives its replies gets a slot.
    seated(&mut relay, 1, at(20_000));
    assert_eq!(relay.game_status(7).map(|game| game.players), Some(1));
}

#[test]
fn a_newcomer_gets_its_slot_while_forged_logins_arrive_in_each_batch() {
    let mut dice = Random::new(seed(3), "test");
    let (mut relay, mut most, mut now) = (relay(16), 0, at(0));
    for newcomer in 1..=20 {
        let mut cookie = 0;
        // The newcomer logs in every half second. The caller delivers all datagrams before it sends replies.
        let attempts = (1..=200).find(|_| {
            now += Span::from_millis(500);
            for _ in 0..64 {
                let _asks = relay.receive(1_000 + dice.word() % (1 << 32), &login(dice.word(), 7, 0), now);
            }
            let _asks = relay.receive(newcomer, &login(5, 7, cookie), now);
            for (_, answer) in sent(&mut relay, now).iter().filter(|(to, _)| *to == newcomer) {
                cookie = long(answer, 16);
            }
            relay.has_slot(newcomer)
        });
        most = most.max(attempts.expect("within 100 s"));
        assert_eq!(relay.disconnect(newcomer, now), Ok(()));
    }
    println!("the last of 20 newcomers logged in {most} times");
}

#[test]
fn a_cookie_is_of_no_use_to_another_address_or_later() {
    let mut relay = relay(16);
    let shown = challenged(&mut relay, 1, 5, 7, at(0));
    for (connection, key, game, now) in [(2, 5, 7, 0), (1, 6, 7, 0), (1, 5, 8, 0), (1, 5, 7, 8_000)] {
        let moved = login(key, game, long(&shown, 24));
        assert_eq!(relay.receive(connection, &moved, at(now)), Ok(()));
        let answers = sent(&mut relay, at(now));
        assert_eq!(answers[0].1[3], CHALLENGE, "the relay did not challenge it");
        assert_eq!((answers.len(), relay.game_status(7), relay.game_status(8)), (1, None, None));
    }
    assert!(!relay.has_slot(1) && !relay.has_slot(2));
    assert_eq!(relay.receive(1, &shown, at(0)), Ok(()));
    assert!(relay.has_slot(1), "the misuse used up the cookie");
}

#[test]
fn forged_datagrams_of_a_peer_are_not_forwarded() {
    let mut relay = relay(1);
    let tokens = [seated(&mut relay, 1, at(0)), seated(&mut relay, 2, at(0))];
    let mut dice = Random::new(seed(2), "test");
    // The primary still owes a reply.
    assert_eq!(relay.receive(2, &message(REQUEST, 0, tokens[1], 9), at(1)), Ok(()));
    assert_eq!(sent(&mut relay, at(1)).len(), 1);
    for number in 0..2_500 {
        let (now, guess) = (at(1 + number / 5), dice.word());
        for kind in [READY, REQUEST, REPLY] {
            let forged = message(kind, if kind == REPLY { 1 } else { 0 }, guess, 0);
            for connection in [1, 2] {
                assert_eq!(relay.receive(connection, &forged, now), Err(PeerError::WrongKey));
            }
        }
        assert_eq!(sent(&mut relay, now), []);
        // Forged logins in the peer's name cannot take its slot or its budget, either.
        assert_eq!(relay.receive(2, &login(guess, 7, dice.word()), now), Ok(()));
        let answers = sent(&mut relay, now);
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert_eq!((answers[0].0, answers[0].1[3]), (2, CHALLENGE), "{answers:?}");
    }
    let owed = relay.receive(1, &message(REPLY, 1, tokens[0], 9), at(600));
    assert_eq!(owed, Ok(()), "the owed reply was rejected");
    for (connection, token) in (1..).zip(tokens) {
        assert_eq!(relay.receive(connection, &message(READY, 0, token, 0), at(600)), Ok(()));
    }
    assert_eq!(relay.game_status(7).map(|game| (game.players, game.generation)), Some((2, 1)));
}

#[test]
fn a_primary_that_lies_about_the_time_is_believed() {
    // The liar's own clock is the shared clock, so its lie becomes the truth. Here, it is 400 ppm fast.
    let mut net = Peers::new(Transport { jitter: 1.0, ..Transport::default() }, seed(5));
    let first = net.join(400.0);
    net.run(500);
    let second = net.join(0.0);
    net.run(20_000);
    let before = net.read(second);
    net.run(100_000);
    let after = net.read(second);
    assert_eq!((net.read(first).leads, after.stage), (true, PeerStage::Playing));
    let gained = after.time - before.time - Span::from_secs(100);
    assert!((gained - Span::from_millis(40)).abs() < Span::from_millis(5), "{gained}");
    assert_eq!(
        (net.account().outside, after.clock.epoch),
        (0, 1),
        "within the bounds of the primary's clock"
    );
    assert_eq!(net.relay.game_status(GAME).map(|game| game.generation), Some(1));
}
