//! Tests attacks by unknown senders, forgers and liars on a relay over UDP and its peers. Some tests
//! demonstrate the limits that `docs/security.md` states.

use netclock::Span;
use netclock::peer::PeerStage;

use crate::relayed::*;
use netclock_sim::peers::{GAME, Peers, Transport};
use netclock_sim::random::{Random, seed};

#[test]
fn a_newcomer_gets_its_slot_while_forged_logins_arrive_in_each_batch() {
    let mut dice = Random::new(seed(3), "test");
    let (mut relay, mut now) = (relay(16), at(0));
    for newcomer in 1..=20 {
        let mut cookie = 0;
        // The relay reads all datagrams before it replies to any.
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
        assert!(attempts.is_some(), "newcomer {newcomer} got no slot within 100 s");
        assert_eq!(relay.disconnect(newcomer, now), Ok(()));
    }
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
fn a_primary_that_lies_about_the_time_is_believed() {
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
