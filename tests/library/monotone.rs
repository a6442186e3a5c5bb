//! Within an epoch, the shown time never goes backwards: of two consecutive reads, the one at a later local
//! time never shows an earlier time. The model checks prove this for any threads, and the client's fuzz
//! targets test any order of calls and any times. This test simulates programs that hang for seconds.

use std::collections::HashMap;

use netclock::{Cause, Client, Config, Event, Exchange, LocalTime, Reply, Span};
use netclock_sim::leg::LegConfig;
use netclock_sim::measure::stairs::Stairs;
use netclock_sim::pair::SEED;
use netclock_sim::random::{Random, seed};
use netclock_sim::remote::{Remote, Run};

/// In ticks.
const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;

/// The delay is 20 ms each way plus 7.5 ms on average. A quarter of the messages takes 45 ms more, and 5 %
/// are lost. The server's rate differs by up to 80 ppm.
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

/// Hands in a reply by one of the three calls, with a stamp taken on arrival.
fn hand_in(client: &mut Client, way: i64, reply: &Reply, sent: LocalTime, arrived: LocalTime) {
    let exchange = Exchange::from_stamps(sent, reply.received, reply.sent, arrived);
    let _refused_if_too_slow = match way {
        0 => client.handle_reply(reply, arrived).is_ok(),
        1 => client.handle_exchange(&exchange, None).is_ok(),
        _ => client.update_server_time(reply.sent, arrived, exchange.round_trip()),
    };
}

#[test]
fn a_reply_handled_after_a_hang_declares_no_step() {
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
