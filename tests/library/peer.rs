//! Tests that peers share a clock through a relay, no matter which peer is the primary and how long the relay
//! holds messages.

use netclock::Span;
use netclock::peer::PeerStage;
use netclock_sim::peers::{Peers, Transport};
use netclock_sim::random::seed;

fn calm(net: &Peers) {
    assert_eq!((net.account().outside, net.account().backwards), (0, 0));
}

#[test]
fn peers_share_the_primarys_clock_from_zero() {
    let mut net = Peers::new(Transport::default(), seed(1));
    let first = net.join(20.0);
    net.run(200);
    assert_eq!(net.read(first).stage, PeerStage::Synced, "the primary has no clock");
    assert_eq!(net.read(first).players, 1);
    let second = net.join(-30.0);
    net.run(900);
    for player in [first, second] {
        let reading = net.read(player);
        assert_eq!(reading.stage, PeerStage::Playing, "{reading:?}");
        assert!(reading.time.ticks() < 9_000_000, "the clock did not start at zero: {reading:?}");
        assert_eq!(reading.players, 2);
    }
    assert_eq!((net.read(first).leads, net.read(second).leads), (true, false));
    let late = net.join(50.0);
    net.run(20_000);
    assert_eq!(net.read(late).stage, PeerStage::Playing);
    assert!(net.read(late).time.as_secs_f64() > 20.0, "the late peer did not adopt the running clock");
    calm(&net);
    assert!(net.worst < Span::from_millis(20), "{}", net.worst);
    net.worst = Span::ZERO;
    net.run(10_000);
    // In 40 runs, the largest error had a mean of 1.0 ms and a standard deviation of 0.42 ms. The limit is
    // five standard deviations above that mean.
    assert!(net.worst < Span::from_micros(3_100), "{}", net.worst);
}

#[test]
fn no_clock_steps_when_the_primary_is_lost() {
    for (stream, turn) in [(false, 0), (true, 1), (false, 2)] {
        let hold = (0.0, 80.0);
        let way = Transport { there: hold, back: hold, loss: 0.05, stream, ..Transport::default() };
        let mut net = Peers::new(way, seed(1) + turn);
        for ppm in [20.0, -30.0, 60.0, -70.0] {
            net.join(ppm);
            net.run(1000);
        }
        net.run(12_000);
        let before: Vec<_> = (0..4).map(|player| net.read(player)).collect();
        assert!(before.iter().all(|reading| reading.stage == PeerStage::Playing), "{before:?}");
        net.players[0].alive = false;
        net.run(6_000);
        let after: Vec<_> = (1..4).map(|player| net.read(player)).collect();
        assert!(after[0].leads, "the most senior remaining peer does not lead: {after:?}");
        assert!(after.iter().all(|reading| reading.players == 3), "{after:?}");
        for (reading, before) in after.iter().zip(&before[1..]) {
            assert_eq!(reading.clock.epoch, before.clock.epoch, "a clock stepped");
            assert_eq!(reading.clock.server_epoch, after[0].clock.server_epoch);
            assert_ne!(
                reading.clock.server_epoch, before.clock.server_epoch,
                "still the epoch of the lost primary"
            );
            assert!(reading.inherited > Span::ZERO, "{reading:?}");
            assert!(reading.inherited < Span::from_millis(80), "{reading:?}");
            let elapsed = (reading.time - before.time - Span::from_secs(6)).abs();
            assert!(elapsed < Span::from_millis(60), "{elapsed}");
        }
        net.run(10_000);
        calm(&net);
        net.players[0].alive = true;
        net.run(10_000);
        let back = net.read(0);
        assert_eq!((back.leads, back.clock.epoch), (false, before[0].clock.epoch), "{back:?}");
        assert_eq!(back.clock.server_epoch, after[0].clock.server_epoch);
        calm(&net);
    }
}

#[test]
fn leaving_hands_over_at_once_and_the_last_peer_ends_the_game() {
    let mut net = Peers::new(Transport::default(), seed(1));
    let first = net.join(0.0);
    net.run(1_000);
    let second = net.join(10.0);
    net.run(5_000);
    net.players[first].peer.leave();
    net.run(300);
    assert_eq!(net.read(first).stage, PeerStage::Ended);
    let alone = net.read(second);
    assert_eq!((alone.leads, alone.players, alone.clock.epoch), (true, 1, 1));
    assert_eq!(net.relay.game_status(netclock_sim::peers::GAME).map(|game| game.players), Some(1));
    net.run(2_000);
    calm(&net);
    net.players[second].peer.leave();
    net.run(100);
    assert_eq!(net.relay.game_status(netclock_sim::peers::GAME), None);
    assert_eq!(net.read(second).stage, PeerStage::Ended);
}
