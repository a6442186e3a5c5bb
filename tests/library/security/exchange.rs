//! Tests an attacker who sees requests, forges replies and floods both ends.

use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
use netclock::link::{DATAGRAM, ServerLink, ServerLinkConfig};
use netclock::{
    Client, Config, Direction, LocalTime, Refusal, Reply, Request, RequestId, ServerTime, Span, wire,
};
use netclock_sim::pair::Link;
use netclock_sim::random::{Random, seed};

use crate::settled;

#[test]
fn without_a_key_an_observer_moves_a_clock_that_asks_again() {
    let mut pair = settled(Link::default());
    let (delay, lie) = (Span::from_millis(20), Span::from_secs(60));
    for _ in 0..200 {
        pair.now += Span::from_millis(100);
        if let Some(request) = pair.client.tick(pair.now).expect("in order") {
            // Each forged reply arrives before the server's reply, and two forged replies that agree look
            // like a step.
            let stamp = pair.truth(pair.now + delay) + lie;
            let forged = Reply { id: request.id, epoch: 1, received: stamp, sent: stamp, wait: None };
            let _a_step_needs_two = pair.client.handle_reply(&forged, pair.now + delay + delay);
        }
    }
    let moved = (pair.client.read(pair.now).server_time - pair.truth(pair.now)).abs();
    assert!(moved > Span::from_secs(59), "{moved}: the page states a limit that is gone");
}

#[test]
fn a_flood_of_forged_replies_has_no_effect_on_a_client() {
    let (mut pair, mut dice) = (settled(Link::default()), Random::new(seed(13), "test"));
    let instants = [0, 1, 1_000].map(|seconds| pair.now + Span::from_secs(seconds));
    let before = instants.map(|at| pair.client.read(at));
    let made = allocation_counter::measure(|| {
        for _ in 0..100_000 {
            let stamp = ServerTime::from_ticks(dice.below(1 << 40));
            let forged =
                Reply { id: RequestId(dice.word()), epoch: 1, received: stamp, sent: stamp, wait: None };
            assert_eq!(pair.client.handle_reply(&forged, pair.now), Err(Refusal::UnknownRequest));
        }
    });
    assert_eq!(made.count_total, 0);
    assert_eq!(instants.map(|at| pair.client.read(at)), before);
    assert_eq!(pair.client.next_event(), None);
}

#[test]
fn an_unkeyed_flood_makes_a_server_neither_allocate_nor_answer() {
    let mut server = ServerLink::new(ServerLinkConfig::default(), 1).expect("the default is valid");
    let key = |id| SessionKey::new(id, [9; 16]).expect("a secret");
    [7, 8].into_iter().for_each(|id| server.admit(&key(id)).expect("there is room"));
    let mut client = SealedChannel::new(&key(7), Channel::Link, Direction::ToServer);
    let mut out = [0; SEALED_MOST];
    let request = Request { id: RequestId(1), client_time: LocalTime::from_ticks(0), reliable: false };
    let request = wire::encode_request(&request).expect("in range");
    let request = client.seal(&request, &mut out).expect("a message");
    let mut ask = |datagram: &[u8]| {
        let (now, mut room) = (ServerTime::from_ticks(0), [0; DATAGRAM]);
        server.answer(datagram, now, now, &mut room).is_ok()
    };
    let mut forged = request.to_vec();
    let mut answered = 0;
    let made = allocation_counter::measure(|| {
        for number in 0..100_000_u32 {
            forged[4..8].copy_from_slice(&(number % 16).to_be_bytes());
            forged[20..24].copy_from_slice(&number.to_be_bytes());
            answered += u32::from(ask(&forged));
        }
    });
    assert_eq!((made.count_total, answered), (0, 0));
    assert!(ask(request), "the client still gets a reply");
    let counts = server.counts();
    assert_eq!(counts.unknown_key, 87_500, "14 of 16 ids are unknown");
    assert_eq!((counts.forged, counts.answered, counts.replayed), (12_500, 1, 0));
}

#[test]
fn a_request_does_not_reveal_the_uptime() {
    let stamps = [1, 2].map(|seed| {
        let mut client = Client::new(Config::default(), seed).expect("the default is valid");
        [10, 25].map(|seconds| {
            let now = LocalTime::from_ticks(0) + Span::from_secs(seconds);
            client.make_request(now).expect("in order").client_time
        })
    });
    for [first, second] in stamps {
        assert_eq!(second - first, Span::from_secs(15), "the stamps advance with local time");
    }
    let apart = (stamps[0][0] - stamps[1][0]).abs();
    assert!(apart > Span::from_secs(1_000_000_000), "{apart}");
}
