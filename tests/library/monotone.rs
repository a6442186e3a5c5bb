//! Within an epoch the shown time never goes backwards: of two reads in order, the one whose `now` is not
//! earlier never gives an earlier time. The model checks show it for any threads, and the fuzz targets of the
//! client for any order of calls and any times. Here are what programs do: first syncs, jumps, and hangs.

use std::collections::HashMap;

use netclock::{Cause, Client, Config, Event, Exchange, LocalTime, Reply, ServerTime, Span, State};
use netclock_sim::leg::LegConfig;
use netclock_sim::measure::stairs::Stairs;
use netclock_sim::pair::SEED;
use netclock_sim::random::{Random, seed};
use netclock_sim::remote::{Remote, Run};

/// In ticks.
const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;

/// 20 ms each way and 7.5 ms more on average, and 45 ms more for a quarter of the messages; 5 % are lost, and
/// the server's rate differs by up to 80 ppm.
fn server(seed: u64) -> Remote {
    let leg = LegConfig {
        base_ms: 20.0,
        jitter_ms: 7.5,
        loss: 0.05,
        reorder: 0.25,
        reorder_ms: 45.0,
        ..LegConfig::default()
    };
    let rate_ppb = Random::new(seed, "rate").below(160_001) - 80_000;
    Remote::new(&[leg.clone(), leg], Run { rate_ppb, ..Run::default() }, seed)
}

fn local(ticks: i64) -> LocalTime {
    LocalTime::from_ticks(ticks)
}

fn client(seed: u64) -> Client {
    Client::new(Config::default(), u128::from(seed) << 64 | 1).expect("the settings are valid")
}

#[test]
fn the_first_sync_and_declared_jumps_show_at_once() {
    let mut client = client(seed(SEED));
    let jump = Span::from_secs(100);
    let answer = |client: &mut Client, now: i64, offset: Span| {
        let request = client.make_request(local(now)).expect("time goes on");
        let stamp = ServerTime::from_ticks(now + 20 * MS) + offset;
        let reply = Reply { id: request.id, epoch: 1, received: stamp, sent: stamp, wait: None };
        let _refused_while_it_contradicts = client.handle_reply(&reply, local(now + 40 * MS));
    };
    // No call after the reply tells what time it is, and yet the clock is read.
    let read = |client: &Client, now: i64| client.current_server_time(local(now));
    answer(&mut client, SECOND, Span::ZERO);
    let first = read(&client, SECOND + 40 * MS).expect("it is synced by the first reply");
    assert!((first - ServerTime::from_ticks(SECOND + 40 * MS)).abs() < Span::from_millis(1), "{first:?}");
    for ahead in [jump, Span::ZERO] {
        let begin = if ahead == jump { 2 * SECOND } else { 4 * SECOND };
        while client.next_event().is_some() {}
        // One reply is a suspicion, and the second one proves the step.
        answer(&mut client, begin, ahead);
        let doubted = read(&client, begin + 40 * MS).expect("it is synced");
        answer(&mut client, begin + SECOND, ahead);
        let shown = read(&client, begin + SECOND + 40 * MS).expect("it is synced");
        assert!((shown - doubted - Span::from_secs(1)).abs() > Span::from_secs(99), "{doubted:?}, {shown:?}");
        assert_eq!(client.read(local(begin + SECOND + 40 * MS)).state, State::Synced);
        let truth = ServerTime::from_ticks(begin + SECOND + 40 * MS) + ahead;
        assert!((shown - truth).abs() < Span::from_millis(1), "{shown:?} and not {truth:?}");
        let declared = std::iter::from_fn(|| client.next_event())
            .any(|event| matches!(event, Event::Discontinuity { cause: Cause::ProvenStep, .. }));
        assert!(declared);
    }
}

/// Hands in a reply by one of the three calls, stamped on arrival.
fn hand_in(client: &mut Client, way: i64, reply: &Reply, sent: LocalTime, arrived: LocalTime) {
    let exchange = Exchange::from_stamps(sent, reply.received, reply.sent, arrived);
    let _refused_if_too_slow = match way {
        0 => client.handle_reply(reply, arrived).is_ok(),
        1 => client.handle_exchange(&exchange, None).is_ok(),
        _ => client.update_server_time(reply.sent, arrived, exchange.round_trip()),
    };
}

#[test]
fn a_reply_that_waited_out_a_hang_is_no_news_of_a_clock() {
    let (mut reads, first) = (0, seed(SEED));
    for seed in first..first + 60 {
        let (mut client, mut net) = (client(seed), server(seed));
        let (mut random, mut sent) = (Random::new(seed, "hangs"), HashMap::new());
        let (mut seen, mut now) = (Stairs::default(), SECOND);
        while now < 300 * SECOND {
            now += SECOND / 60 + random.below(5 * MS);
            if random.chance(0.004) {
                now += SECOND + random.below(8 * SECOND);
            }
            for _ in 0..3 {
                match random.below(3) {
                    0 => {
                        let back = seen.backwards(now, &client.read(local(now)));
                        assert!(back <= 0, "seed {seed}: {} back", Span::from_ticks(back));
                        reads += 1;
                    }
                    1 => {
                        if let Ok(Some(request)) = client.tick(local(now)) {
                            sent.insert(request.id, local(now));
                            net.ask(&request, local(now));
                        }
                    }
                    _ => {
                        while let Some((arrived, reply)) = net.next_reply(local(now)) {
                            let way = if seed % 4 == 3 { random.below(3) } else { (seed % 4) as i64 };
                            hand_in(&mut client, way, &reply, sent[&reply.id], arrived);
                        }
                    }
                }
                // Time passes within a frame, too.
                now += random.below(2 * MS);
            }
            while let Some(event) = client.next_event() {
                let is_false =
                    matches!(event, Event::Discontinuity { cause: Cause::LocalStep | Cause::ProvenStep, .. });
                assert!(!is_false, "seed {seed}, {} s: no clock stepped: {event:?}", now / SECOND);
            }
        }
    }
    assert!(reads > 100_000, "{reads} reads");
}

/// Instants outside the valid range are refused by every read. Near the ends of 64 bits a difference wraps.
#[test]
fn instants_out_of_range_are_read_by_nobody() {
    let most = netclock::MAX_INSTANT_TICKS;
    for origin in [-most, -most + 77, -1, most - 3_000_000_000, most - 300_000_000] {
        let mut client = Client::new(Config::default(), 1).expect("the default is valid");
        let (reader, responder) = (client.reader(), netclock::Responder::new(9));
        for step in 0..200 {
            let now = LocalTime::from_ticks(origin + step * 1_000_000);
            if let Some(request) = client.tick(now).expect("in order") {
                // The server's clock is far from the local one.
                let stamp = ServerTime::from_ticks(-origin / 2 + step * 1_000_000 + 50_000);
                let reply = responder.respond(&request, stamp, stamp).expect("in range");
                client.handle_reply(&reply, now + Span::from_millis(10)).expect("it fits");
            }
        }
        let end = LocalTime::from_ticks(origin + 200_000_000);
        assert!(reader.current_server_time(end).is_some());
        // Reads near the end raise the horizon.
        let last = reader.current_server_time(LocalTime::from_ticks(most)).expect("the last valid instant");
        let ends = [i64::MIN, i64::MIN + 77, -most - 1, most + 1, most + 100_000, i64::MAX - 77, i64::MAX];
        for now in ends.map(LocalTime::from_ticks) {
            assert_eq!(reader.current_server_time(now), None, "{origin}: {now:?}");
            let reading = reader.read(now);
            assert_eq!((reading.state, reading.error_bound), (State::Unsynced, Span::MAX));
            assert_eq!(client.current_server_time(now), None);
            assert!(client.tick(now).is_err(), "{origin}: {now:?}");
        }
        assert_eq!(reader.local_time_at(ServerTime::from_ticks(i64::MIN)), None);
        assert!(last >= reader.current_server_time(end).expect("as before"));
    }
}
