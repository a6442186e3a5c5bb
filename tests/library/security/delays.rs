//! Simulates an attacker on the path who delays messages without changing them. Keys do not prevent such
//! delays, but the error bound covers them.

use netclock::{Client, Config, LocalTime, Span, State};
use netclock_sim::leg::LegConfig;
use netclock_sim::pair::{Link, Pair, SEED};
use netclock_sim::random::{Random, seed};
use netclock_sim::remote::{Remote, Run};

use crate::assert_run;

const OFFSET: Span = Span::from_secs(-700);
const START: LocalTime = LocalTime::from_ticks(1_000_000_000);

type Delays = fn(&mut Random) -> [Span; 2];

/// Returns the largest error in ms after the first 20 s, and the final error bound.
fn attacked(delays: Delays, seconds: f64) -> (f64, Span) {
    let mut pair = Pair::new(Link { frame: 10.0, ppm: 0.0, ..Link::default() });
    let mut random = Random::new(seed(SEED), "attacker");
    pair.holds = Some(Box::new(move || delays(&mut random)));
    assert_run(&mut pair, 20.0);
    let seen = assert_run(&mut pair, seconds - 20.0);
    let bound = pair.client.read(pair.now).error_bound;
    println!("error {} ms, bound {bound}", seen.worst_ms);
    (seen.worst_ms, bound)
}

fn millis(fraction: f64, most: f64) -> Span {
    Span::from_secs_f64(fraction * most / 1000.0)
}

#[test]
fn a_few_delayed_messages_barely_move_the_clock() {
    // The attacker delays 1 % of the messages in either direction by up to 200 ms.
    let (error, _) = attacked(
        |random| {
            let held = if random.chance(0.01) { millis(random.unit(), 200.0) } else { Span::ZERO };
            if random.chance(0.5) { [held, Span::ZERO] } else { [Span::ZERO, held] }
        },
        600.0,
    );
    assert!(error < 3.0, "{error} ms");
}

#[test]
fn half_of_all_messages_delayed_at_random_stay_within_the_bound() {
    attacked(
        |random| [(); 2].map(|()| if random.chance(0.5) { millis(random.unit(), 200.0) } else { Span::ZERO }),
        600.0,
    );
}

#[test]
fn a_constant_delay_of_one_direction_shifts_the_clock_by_half() {
    // The attacker delays every message from the start. docs/theory.md proves that no timestamp can reveal
    // such a delay, so only the error bound covers it.
    let (error, bound) = attacked(|_| [Span::ZERO, Span::from_millis(200)], 120.0);
    assert!((90.0..110.0).contains(&error), "{error} ms: not half of the delay");
    assert!(bound < Span::from_millis(140), "{bound}: wider than half of the round trip");
}

/// An attacker on the path shifts the timestamps of 1 % of the replies by up to 200 ms. Returns the largest
/// amount by which an error exceeds its bound after the first 5 s. The result is negative if all errors are
/// within their bounds.
fn shifted(delay: f64) -> Span {
    let mut beyond = Span::from_secs(-1);
    for session in 0..40 {
        let seed = seed(SEED) + session;
        let mut client =
            Client::new(Config::default(), u128::from(session) + 3).expect("the default is valid");
        let leg = LegConfig { base_ms: delay * 1e3, jitter_ms: 4.0, ..LegConfig::default() };
        let run = Run { offset: OFFSET, ..Run::default() };
        let mut server = Remote::new(&[leg.clone(), leg], run, seed);
        let mut random = Random::new(seed, "attacker");
        for frame in 0..4_000 {
            let now = START + Span::from_millis(10 * frame);
            while let Some((at, mut reply)) = server.next_reply(now) {
                if random.chance(0.01) {
                    let by = millis(2.0 * random.unit() - 1.0, 200.0);
                    (reply.received, reply.sent) = (reply.received + by, reply.sent + by);
                }
                let _refused_if_it_contradicts = client.handle_reply(&reply, at);
            }
            if let Some(request) = client.tick(now).expect("in order") {
                server.ask(&request, now);
            }
            let reading = client.read(now);
            if reading.state == State::Synced && frame > 500 {
                let error = (reading.server_time - server.run.truth(now)).abs();
                beyond = beyond.max(error - reading.error_bound);
            }
        }
    }
    beyond
}

/// With a key, the client would recognize the changed timestamps as a forgery.
#[test]
fn without_a_key_shifted_stamps_exceed_the_bound_by_less_than_the_round_trip() {
    for delay in [0.025, 0.13] {
        let beyond = shifted(delay);
        println!("{delay} s each way: {beyond} beyond the bound");
        // The other timestamps would contradict a shift larger than the round trip. A smaller shift looks
        // just like a network in which one queue fills while the other one drains.
        assert!(beyond > Span::ZERO, "{beyond}: the page states a limit that is gone");
        assert!(beyond < Span::from_secs_f64(delay) + Span::from_millis(5), "{beyond}");
    }
}
