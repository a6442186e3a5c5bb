//! Tests that a flood of the server neither causes allocations nor makes honest clients less accurate.
use std::collections::VecDeque;

use allocation_counter::measure;
use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
use netclock::peer::{PeerReading, PeerStage};
use netclock::{Client, Config, Direction, LocalTime, Responder, ServerTime, Span, State, wire};

use crate::relayed::*;
use netclock_sim::peers::{Peers, Transport};
use netclock_sim::random::{Random, seed};
use netclock_sim::{nearest_rank, sorted};

const MS: i64 = 10_000;
const SECRET: [u8; 16] = *b"drawn at random.";
const OFFSET: Span = Span::from_secs(1_000);
/// The server spends this long on each datagram, and drops datagrams that arrive while `ROOM` others wait.
const WORK: i64 = MS / 20;
const ROOM: usize = 64;

/// The 90th percentile and the maximum of an honest client's error, and its median error bound, in ticks.
#[derive(Debug)]
struct Accuracy {
    most_often: i64,
    worst: i64,
    bound: i64,
}

/// If `is_flooded`, hostile datagrams use up the server's budget without changing any delays.
fn served(is_flooded: bool, most_seconds: i64) -> Accuracy {
    let (mut delays, mut dice) = (Random::new(seed(11), "test"), Random::new(seed(12), "test"));
    let key = SessionKey::new(7, SECRET).expect("a secret");
    let mut server = SealedChannel::new(&key, Channel::Messages, Direction::ToClient);
    let mut channel = SealedChannel::new(&key, Channel::Messages, Direction::ToServer);
    let (responder, mut client) =
        (Responder::new(5), Client::new(Config::default(), 1).expect("the default is valid"));
    let truth = |at: i64| ServerTime::from_ticks(at) + OFFSET;
    let mut out = [0; SEALED_MOST];
    let mut delay = || ((25.0 + delays.exponential(4.0)) * MS as f64) as i64;
    // Datagrams in transit in each direction, and datagrams that wait at the server.
    let [mut there, mut back]: [Vec<(i64, Vec<u8>)>; 2] = [Vec::new(), Vec::new()];
    let mut waiting: VecDeque<(i64, Option<Vec<u8>>)> = VecDeque::new();
    let (mut errors, mut bounds, mut lost) = (Vec::new(), Vec::new(), 0);
    let mut forged = channel.seal(&[0; 32], &mut out).expect("a message").to_vec();
    for turn in 0..most_seconds * 1_000 * MS / WORK {
        let now = turn * WORK;
        while let Some(place) = there.iter().position(|(due, _)| *due <= now) {
            let (_, datagram) = there.swap_remove(place);
            if waiting.len() < ROOM { waiting.push_back((now, Some(datagram))) } else { lost += 1 }
        }
        // The attacker sends as many datagrams as the server can handle.
        if is_flooded && waiting.len() < ROOM {
            waiting.push_back((now, None));
        }
        match waiting.pop_front() {
            Some((came, Some(datagram))) => {
                let message = server.open(&datagram).expect("the client's own");
                let request = wire::decode_request(message).expect("the client's own");
                let reply = responder.respond(&request, truth(came), truth(now)).expect("in order");
                let reply = wire::encode_reply(&reply).expect("in range");
                let sealed = server.seal(&reply, &mut out).expect("it fits").to_vec();
                back.push((now + delay(), sealed));
            }
            Some((_, None)) => {
                forged[16..24].copy_from_slice(&dice.word().to_be_bytes());
                assert!(server.open(&forged).is_err(), "no answer");
            }
            None => {}
        }
        while let Some(place) = back.iter().position(|(due, _)| *due <= now) {
            let (due, datagram) = back.swap_remove(place);
            let reply = channel.open(&datagram).expect("the server's own");
            let reply = wire::decode_reply(reply).expect("the server's own");
            let _refused_if_it_is_late = client.handle_reply(&reply, LocalTime::from_ticks(due));
        }
        if now % (10 * MS) == 0 {
            let local = LocalTime::from_ticks(now);
            if let Some(request) = client.tick(local).expect("in order") {
                let request = wire::encode_request(&request).expect("in range");
                let sealed = channel.seal(&request, &mut out).expect("a message").to_vec();
                there.push((now + delay(), sealed));
            }
            let reading = client.read(local);
            if now > 10_000 * MS && reading.state != State::Unsynced {
                let error = (reading.server_time - truth(now)).abs();
                assert!(error <= reading.error_bound);
                errors.push(error.ticks());
                bounds.push(reading.error_bound.ticks());
            }
        }
    }
    println!("flooded {is_flooded}: {lost} honest datagrams lost");
    let quantile = |values: &[i64], q| {
        nearest_rank(&sorted(values.iter().map(|&ticks| ticks as f64)), q).expect("it was read") as i64
    };
    Accuracy {
        most_often: quantile(&errors, 0.9),
        worst: quantile(&errors, 1.0),
        bound: quantile(&bounds, 0.5),
    }
}

#[test]
fn a_client_keeps_its_accuracy_while_the_rest_of_the_servers_budget_is_hostile() {
    let (calm, flooded) = (served(false, 120), served(true, 120));
    println!("{calm:?} {flooded:?}");
    let within = |calm: i64, flooded: i64| flooded as f64 <= 1.2 * calm as f64;
    assert!(within(calm.most_often, flooded.most_often), "{calm:?} {flooded:?}");
    assert!(within(calm.worst, flooded.worst), "{calm:?} {flooded:?}");
    assert!(within(calm.bound, flooded.bound), "{calm:?} {flooded:?}");
}

/// Runs two peers whose relay also receives `hostile` datagrams per millisecond. Returns the secondary's
/// readings every 10 ms, and the largest error.
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
