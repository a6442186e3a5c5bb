//! Tests an attacker who replays a request, and servers or clients that share a key although the
//! documentation forbids it.

use netclock::link::{DATAGRAM, LinkError, LinkState, LinkedClient, ServerLink};
use netclock::{Config, Degradation, Event, LocalTime, ServerTime, Span};

use super::{OFFSET, key, linked, serving};
use netclock_sim::random::Random;

fn at(millis: i64) -> LocalTime {
    LocalTime::from_ticks(1_000_000_000 + millis * 10_000)
}

/// Delivers the client's due requests to `server` immediately.
fn ask(
    client: &mut LinkedClient,
    server: &mut ServerLink,
    ahead: Span,
    now: LocalTime,
) -> Vec<Result<(), LinkError>> {
    let mut outcomes = Vec::new();
    while let Some(datagram) = client.due(now).expect("in order").map(|it| it.to_vec()) {
        let (there, mut out) = (ServerTime::from_ticks(now.ticks()) + ahead, [0; DATAGRAM]);
        let answered = server.answer(&datagram, there, there, &mut out);
        outcomes.push(answered.and_then(|answer| client.take(&answer, now + Span::from_micros(200))));
    }
    outcomes
}

fn events(client: &mut LinkedClient) -> Vec<Event> {
    std::iter::from_fn(|| client.next_event()).collect()
}

/// A load balancer alternates between the two servers, whose clocks differ by 5 s.
#[test]
fn two_servers_with_one_key_do_not_look_like_a_restart() {
    let (mut client, mut servers) =
        (linked(Config::default(), &key(1), 3), [7, 8].map(|epoch| serving(epoch, &key(1))));
    let aheads = [OFFSET, OFFSET + Span::from_secs(5)];
    // The second server's message numbers are higher because it has served other clients for a long time.
    let mut other = linked(Config::default(), &key(1).after_restarts(5), 4);
    for second in -100..0 {
        ask(&mut other, &mut servers[1], aheads[1], at(second * 1_000));
    }
    let (mut asked, mut all) = (0, Vec::new());
    for millis in (0..60_000).step_by(20) {
        let which = asked % 2;
        asked += ask(&mut client, &mut servers[which], aheads[which], at(millis)).len();
        all.extend(events(&mut client));
    }
    assert_eq!(all, [Event::Linked, Event::Synced, Event::Degraded(Degradation::SeveralServers)]);
    let reading = client.read(at(60_000));
    let error = (reading.server_time - (ServerTime::from_ticks(at(60_000).ticks()) + OFFSET)).abs();
    assert!(error <= reading.error_bound && reading.server_epoch == 7, "{error} {reading:?}");
    assert_eq!((client.state(), client.counts().foreign), (LinkState::Linked, 0));
}

/// Both players use the same key file and join at the same moment, so their requests have equal numbers.
#[test]
fn two_simultaneous_clients_with_one_key_are_both_served_and_one_is_warned() {
    for number in 0..32 {
        let mut random = Random::new(number, "two clients of one key");
        let mut server = serving(7, &key(1));
        let mut clients =
            [3, 4].map(|seed| linked(Config::default(), &key(1), u128::from(number) * 10 + seed));
        // The datagrams in transit, each with its arrival time in ms, its client and its bytes.
        let delays = [0; 2].map(|_| 1 + random.below(60));
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let (mut unlinked, mut told) = ([0; 2], [0; 2]);
        for now in 0..120_000 {
            for (which, client) in clients.iter_mut().enumerate() {
                while let Some(datagram) = client.due(at(now)).expect("in order") {
                    up.push((now + delays[which], which, datagram.to_vec()));
                }
                if now > 10_000 {
                    unlinked[which] += i32::from(client.state() != LinkState::Linked);
                    told[which] += i32::from(client.shares_key());
                }
            }
            up.retain(|(due, which, datagram)| {
                let (there, mut out) = (ServerTime::from_ticks(at(now).ticks()) + OFFSET, [0; DATAGRAM]);
                if *due == now {
                    if let Ok(answer) = server.answer(datagram, there, there, &mut out) {
                        down.push((now + delays[*which], *which, answer.to_vec()));
                    }
                }
                *due > now
            });
            down.retain(|(due, which, answer)| {
                if *due == now {
                    let _ = clients[*which].take(answer, at(now));
                }
                *due > now
            });
        }
        assert_eq!(unlinked, [0; 2], "{number}");
        assert!(told.iter().any(|told| *told > 60_000), "{number}: {told:?}");
    }
}

/// The attacker replays the first request 40 times per second. This must not affect the original sender.
#[test]
fn a_replayed_request_does_not_use_up_the_budget() {
    let (mut client, mut server) = (linked(Config::default(), &key(1), 1), serving(9, &key(1)));
    let heard = client.due(at(0)).expect("in order").expect("the first request").to_vec();
    let mut outcomes = Vec::new();
    for millis in 0..60_000 {
        if millis % 25 == 0 {
            let (stamp, mut out) = (ServerTime::from_ticks(at(millis).ticks()) + OFFSET, [0; DATAGRAM]);
            let answered = server.answer(&heard, stamp, stamp, &mut out).is_ok();
            assert_eq!(answered, millis == 0, "the request was answered at {millis} ms: {answered}");
        }
        outcomes.extend(ask(&mut client, &mut server, OFFSET, at(millis)));
    }
    assert!(outcomes.len() > 100 && outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(client.counts().replies, outcomes.len() as u64, "a reply was not used");
}
