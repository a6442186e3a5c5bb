//! Tests that hostile servers and lossy paths cannot make a client exceed its request rate.

use netclock::{Config, Degradation, Event, Span};
use netclock_sim::pair::{Link, Pair, SEED};
use netclock_sim::random::{Random, seed};

use crate::assert_run;

const TEN_MINUTES: f64 = 600.0;
/// The server changes its behaviour after this many seconds.
const TURN: f64 = 0.1;

type Attack = fn(&mut Pair, u64, &mut Random);

fn ahead(pair: &mut Pair, ms: i64) {
    pair.set_server_ahead(Span::from_millis(ms));
}

const ATTACKS: [(&str, Attack); 7] = [
    ("a clock that alternates by 300 ms", |pair, turn, _| ahead(pair, [300, -300][turn as usize % 2])),
    ("wild stamps", |pair, _, random| ahead(pair, random.below(2_000_000) - 1_000_000)),
    ("a clock that keeps gaining", |pair, _, _| ahead(pair, 20)),
    ("a new epoch with every change", |pair, turn, _| pair.restart_server(turn, Span::from_secs(9))),
    ("silence with occasional replies", |pair, turn, _| {
        pair.link.loss = if turn % 40 == 39 { 0.0 } else { 1.0 };
    }),
    ("silence", |pair, _, _| pair.link.loss = 1.0),
    ("slow replies", |pair, _, _| pair.link.forward = 6_000.0),
];

#[test]
fn no_server_behaviour_more_than_doubles_the_request_rate() {
    let honest = Pair::new(Link::default()).run(TEN_MINUTES).requests;
    for (name, attack) in ATTACKS {
        for settles in [0.0, 60.0] {
            let mut pair = Pair::new(Link::default());
            let mut random = Random::new(1, name);
            pair.run(settles);
            let minutes: Vec<u32> = (0..20)
                .map(|minute| {
                    let turns = minute * 600..(minute + 1) * 600;
                    let sent = turns.map(|turn| {
                        attack(&mut pair, turn, &mut random);
                        pair.run(TURN).requests
                    });
                    sent.sum()
                })
                .collect();
            let most = minutes.windows(10).map(|ten| ten.iter().sum::<u32>()).max().expect("20 minutes");
            assert!(most <= 2 * honest, "{name}: {most} requests, {honest} if honest; {minutes:?}");
        }
    }
}

const NO_REPLIES: Event = Event::Degraded(Degradation::NoReplies);

/// Long frames let us simulate hours within seconds.
const LAZY: Link =
    Link { forward: 25.0, reverse: 25.0, jitter: 4.0, loss: 0.0, duplicates: 0.0, ppm: 20.0, frame: 50.0 };

#[test]
fn requests_keep_every_steady_interval() {
    let mut random = Random::new(seed(SEED), "intervals");
    for part in 0..18 {
        let interval = 0.25 * 2400_f64.powf((f64::from(part / 2) + random.unit()) / 9.0);
        let config = Config { steady_interval: Span::from_secs_f64(interval), ..Config::default() };
        let mut pair = Pair::with_config(LAZY, config);
        let mut events = pair.run(20.0 * interval + 600.0).events;
        let length = (60.0 * interval).max(120.0);
        let seen = assert_run(&mut pair, length);
        events.extend(&seen.events);
        let mean = length / f64::from(seen.requests);
        assert_eq!(events, [Event::Synced], "{interval} s");
        assert!((0.85..1.18).contains(&(mean / interval)), "{mean} s between requests for {interval} s");
    }
}

#[test]
fn silence_is_reported_soon_at_every_steady_interval() {
    for interval in [1, 4, 64, 600].map(Span::from_secs) {
        let mut pair = Pair::with_config(LAZY, Config { steady_interval: interval, ..Config::default() });
        pair.run(60.0);
        pair.link.loss = 1.0;
        let seen = pair.run(16.0 + 4.0 * interval.as_secs_f64() / 3.0 + 8.0);
        assert_eq!(seen.events, [NO_REPLIES], "{interval}");
        pair.link.loss = 0.0;
        let seen = pair.run(14.0);
        assert_eq!(seen.events, [Event::Recovered], "{interval}");
    }
}

#[test]
fn a_lossy_path_is_reported_at_most_once() {
    let mut random = Random::new(seed(SEED), "losses");
    for part in 0..6 {
        let loss = (f64::from(part) + random.unit()) / 12.0;
        let mut pair = Pair::new(Link { loss, ..LAZY });
        let seen = assert_run(&mut pair, 7_200.0);
        let declared = seen.events.iter().filter(|event| **event == NO_REPLIES).count();
        assert!(declared <= 1, "{declared} reports at {loss}: {:?}", seen.events);
    }
}

#[test]
fn a_requested_burst_restarts_the_round_trip_measurement() {
    let mut pair = Pair::new(Link { jitter: 0.5, ..Link::default() });
    pair.run(60.0);
    (pair.link.forward, pair.link.reverse) = (70.0, 70.0);
    pair.run(10.0);
    let before = pair.client.read(pair.now).round_trip;
    pair.client.begin_burst();
    pair.run(1.0);
    let after = pair.client.read(pair.now).round_trip;
    assert!(before < Span::from_millis(60) && after >= Span::from_millis(140), "{before}, then {after}");
}
