//! Tests that flooding the server neither causes allocations nor makes honest clients less accurate.
use allocation_counter::measure;
use netclock::Span;
use netclock::keyed::{Channel, SEALED_MOST, SealedChannel};
use netclock::link::DATAGRAM;
use netclock::peer::{PeerReading, PeerStage};
use netclock::{Direction, Request, RequestId, wire};

use crate::link::{GOOD, LinkSimulation, key};

use crate::relayed::*;
use netclock_sim::peers::{Peers, Transport};
use netclock_sim::random::{Random, seed};

/// Ten datagrams per millisecond reach the server, all sealed by another player. Half of them claim to come
/// from the client.
fn linked(is_flooded: bool) -> Vec<f64> {
    let mut world = LinkSimulation::new(GOOD, None);
    world.server.admit(&key(2)).expect("there is room");
    let mut fellow = SealedChannel::new(&key(2), Channel::Link, Direction::ToServer);
    let (mut dice, mut errors) = (Random::new(seed(12), "test"), Vec::new());
    for _ in 0..10_000 {
        let (stamp, mut room) = (world.truth(world.now), [0; SEALED_MOST]);
        for _ in 0..if is_flooded { 10 } else { 0 } {
            let request = Request { id: RequestId(dice.word()), client_time: world.now, reliable: false };
            let request = wire::encode_request(&request).expect("in range");
            let mut hostile = fellow.seal(&request, &mut room).expect("a message").to_vec();
            if dice.chance(0.5) {
                hostile[4..8].copy_from_slice(&1_u32.to_be_bytes());
            }
            let _busy_or_forged = world.server.answer(&hostile, stamp, stamp, &mut [0; DATAGRAM]);
        }
        errors.extend(world.run(0.001));
    }
    let counts = world.server.counts();
    assert_eq!((counts.forged > 49_000, counts.answered > 1_000), (is_flooded, is_flooded), "{counts:?}");
    assert!(errors.len() > 9_000, "{} readings in ten seconds", errors.len());
    errors
}

#[test]
fn a_client_keeps_its_accuracy_while_the_rest_of_the_servers_budget_is_hostile() {
    assert_eq!(linked(true), linked(false));
}

/// Runs two peers while an attacker sends `hostile` datagrams per millisecond to their relay. Returns the
/// secondary's readings every 10 ms, and the largest error.
fn relayed(hostile: usize, run: u64) -> (Vec<PeerReading>, Span) {
    let mut net =
        Peers::new(Transport { by_message: true, ..Transport::default() }, seed(14).wrapping_add(100 * run));
    let (first, second) = (net.join(20.0), net.join(-30.0));
    let (mut dice, mut readings, mut allocations) =
        (Random::new(seed(15).wrapping_add(100 * run), "test"), Vec::new(), 0);
    for ms in 0..20_000 {
        let now = Peers::relay_time(net.now);
        for _ in 0..hostile {
            // Half of the hostile datagrams come from unknown senders, and half claim to come from a peer.
            let from = if dice.chance(0.5) { dice.word() | 1 << 40 } else { dice.word() % 2 };
            let forged = match dice.word() % 4 {
                0 => login(dice.word(), netclock_sim::peers::GAME, dice.word()),
                1 => message(READY, 0, dice.word(), 0),
                2 => message(REQUEST, 0, dice.word(), dice.word()),
                _ => message(REPLY, 1, dice.word(), dice.word()),
            };
            let made = measure(|| {
                let _refused_or_challenged = net.relay.receive(from, &forged, now);
                let _no_longer_than_what_it_answers =
                    if from > 2 { net.relay.next_message(now) } else { Ok(None) };
            });
            allocations += made.count_total;
        }
        net.run(1);
        if ms > 10_000 && ms % 10 == 0 {
            readings.push(net.read(second));
        }
        if ms == 10_000 {
            net.worst = Span::ZERO;
        }
    }
    assert_eq!((net.account().outside, allocations), (0, 0));
    assert!([first, second].map(|peer| net.read(peer).stage) == [PeerStage::Playing; 2]);
    (readings, net.worst)
}

#[test]
fn peers_keep_their_accuracy_while_their_relay_is_flooded() {
    // Since the flood does not change the delays, it must not change the readings either.
    for run in 0..3 {
        let [(calm, calm_worst), (flooded, worst)] = [0, 10].map(|hostile| relayed(hostile, run));
        assert_eq!((flooded, worst), (calm, calm_worst));
    }
}
