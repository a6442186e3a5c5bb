//! A flood causes no allocation and does not make honest peers less accurate.

use allocation_counter::measure;
use netclock::Span;
use netclock::peer::{PeerReading, PeerStage};

use crate::relayed::*;
use netclock_sim::peers::{Peers, Transport};
use netclock_sim::random::{Random, seed};

/// Runs two peers at a relay that receives `hostile` datagrams every millisecond. Returns the secondary's
/// readings at intervals of 10 ms, and the largest error.
fn relayed(hostile: usize, run: u64) -> (Vec<PeerReading>, Span) {
    let mut net =
        Peers::new(Transport { by_message: true, ..Transport::default() }, seed(14).wrapping_add(100 * run));
    let (first, second) = (net.join(20.0), net.join(-30.0));
    let (mut dice, mut readings, mut allocations) =
        (Random::new(seed(15).wrapping_add(100 * run), "test"), Vec::new(), 0);
    for ms in 0..20_000 {
        let now = Peers::relay_time(net.now);
        for _ in 0..hostile {
            // Hostile datagrams come from unknown senders and in the names of both peers.
            let from = if dice.chance(0.5) { dice.word() | 1 << 40 } else { dice.word() % 2 };
            let forged = match dice.word() % 4 {
                0 => login(dice.word(), netclock_sim::peers::GAME, dice.word()),
                1 => message(READY, 0, dice.word(), 0),
                2 => message(REQUEST, 0, dice.word(), dice.word()),
                _ => message(REPLY, 1, dice.word(), dice.word()),
            };
            let made = measure(|| {
                let _refused_or_challenged = net.relay.receive(from, &forged, now);
                // The network sends the relay's messages to the peers in its next step.
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
    // The delays are the same with and without the flood, so the readings must also be the same.
    for run in 0..3 {
        let [(calm, calm_worst), (flooded, worst)] = [0, 10].map(|hostile| relayed(hostile, run));
        assert_eq!((flooded, worst), (calm, calm_worst));
    }
}
