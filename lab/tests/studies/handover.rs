//! A host that dies, and its clients, which continue with a new host. The new host adopts the timescale from
//! the clients' answers: its clock keeps its dispersion even if clients lie, and no client steps or starts
//! over.
//!
//! `cargo test --release -p netclock-lab --test studies handover:: -- --nocapture` prints the figures.

use netclock::adoption::{Adoption, AdoptionConfig};
use netclock::{Config, Event, ServerTime, Span};
use netclock_sim::pair::{Link, Pair};
use netclock_sim::random::Random;
use rayon::prelude::*;

use crate::support::{median, seeds};

const ROUNDS: u64 = 20;
const CLIENTS: u64 = 8;
/// Number of liars among the clients, if there are any. One more client is then silent.
const LIARS: u64 = 3;
const LIARS_BOUND: Span = Span::from_millis(1);
/// The epoch of the new host, and that of the old one, which is also the name of the timescale.
const NEW: u64 = 2;
const OLD: u64 = 1;

/// Paths, and the largest error once the clients have followed the new host for five seconds (ms): about
/// twice what 100 rounds show.
const PATHS: [(&str, [f64; 3], f64); 3] =
    [("lan", [0.5, 0.2, 0.01], 0.25), ("wifi", [25.0, 5.0, 0.05], 2.8), ("bad", [120.0, 30.0, 0.1], 8.4)];

struct Case {
    path: &'static str,
    /// Delay and jitter (ms), and loss.
    network: [f64; 3],
    is_player: bool,
    liars: u64,
    lie: Span,
}

/// The dispersion, the true error of the new clock, and the clients' largest error at the end (ms).
fn round(case: &Case, seed: u64) -> [f64; 3] {
    let Case { path, network: [delay, jitter, loss], is_player, liars, lie } = *case;
    let mut random = Random::new(seed, "handover");
    // Crystals differ by tens of ppm, but no two differ by more than clients allow for.
    let mut ppm = || random.normal(20.0).clamp(-45.0, 45.0).round();
    let mut pairs: Vec<Pair> = (0..CLIENTS)
        .map(|id| {
            let link = Link { forward: delay, reverse: delay, jitter, loss, ppm: ppm(), ..Link::default() };
            Pair::numbered(link, Config::default(), seed * CLIENTS + id)
        })
        .collect();
    let host_ppm = if is_player { -pairs[0].link.ppm } else { ppm() };
    for pair in &mut pairs {
        assert_eq!(pair.run(30.0).account.outside, 0, "{path}, seed {seed}");
        // The old host dies, and everyone notices a second later.
        pair.link.loss = 1.0;
        assert!(pair.run(1.0).account.is_kept(), "{path}, seed {seed}");
        pair.link.loss = loss;
    }
    // The clock of the new host's machine, which is that of client 0 if that is the new host.
    let (zero, zero_raw) = (pairs[0].truth(pairs[0].now), pairs[0].now);
    let raw = |time: ServerTime| {
        let since = time - zero;
        zero_raw + since + Span::from_ticks((since.ticks() as f64 * host_ppm * 1e-6).round() as i64)
    };
    let config = AdoptionConfig { liars: liars as u32, ..AdoptionConfig::of(OLD) };
    let mut adoption = Adoption::new(&config, u128::from(seed) + 1).expect("in range");
    let last = pairs.iter().map(|pair| pair.truth(pair.now)).max().expect("there are clients");
    for (id, pair) in (0..).zip(&mut pairs) {
        let now = pair.truth(pair.now);
        let mut way = || Span::from_secs_f64(1e-3 * (delay + random.exponential(jitter)));
        let request = adoption.request(id, raw(now - way())).expect("in range").expect("there is room");
        let mut answer = pair.client.respond_to_adoption(&request, pair.now).expect("it was in sync");
        if is_player && id == 0 {
            adoption.add_own_reading(answer.time, answer.error_bound, raw(now)).expect("it says one thing");
            continue;
        }
        // The liars are the first clients, except the host.
        if (u64::from(is_player)..u64::from(is_player) + liars).contains(&id) {
            (answer.time, answer.error_bound) = (answer.time + lie, LIARS_BOUND);
        }
        if liars == 0 || id + 1 < CLIENTS {
            adoption.handle_reply(id, &answer, raw(now + way())).expect("it is in order");
        }
    }
    let adopted = adoption.settle(raw(last)).expect("enough clients are honest");
    assert_eq!(u64::from(adopted.answers), CLIENTS - u64::from(liars > 0), "{path}, seed {seed}");
    // Liars whose lie exceeds any honest bound do not agree.
    let are_found = u64::from(adopted.agreeing) == CLIENTS - 1 - liars;
    assert!(are_found || liars == 0 || lie.abs() < Span::from_millis(100), "{path}: {adopted:?}");
    let off = (adopted.server_time(raw(last)) - last).abs();
    assert!(off <= adopted.dispersion, "{path}, seed {seed}: {off} of {adopted:?}");

    if is_player {
        let own = &mut pairs[0].link;
        *own = Link { forward: 0.0, reverse: 0.0, jitter: 0.0, loss: 0.0, ..*own };
    }
    let worst = pairs.iter_mut().map(|pair| {
        let (old, now) = (pair.truth(pair.now), pair.now);
        pair.set_server_rate((pair.link.ppm + host_ppm) as i64);
        pair.set_server_ahead(adopted.server_time(raw(old)) - old);
        pair.server.run.epoch = NEW;
        pair.client.begin_burst();
        pair.client.set_authority(&adopted.authority(NEW), now).expect("it is the same timescale");
        let (first, rest) = (pair.run(5.0), pair.run(25.0));
        let events: Vec<Event> = [&first.events[..], &rest.events].concat();
        let is_restart = |event: &&Event| matches!(event, Event::Discontinuity { .. });
        let continued = events.iter().filter(|event| **event == Event::HandedOver).count();
        let restarts = events.iter().filter(is_restart).count();
        assert_eq!((continued, restarts), (1, 0), "{path}, seed {seed}: {events:?}");
        assert!(first.account.is_kept() && rest.account.is_kept(), "{path}, seed {seed}: {rest:?}");
        rest.worst_ms
    });
    [adopted.dispersion.as_millis_f64(), off.as_millis_f64(), worst.fold(0.0, f64::max)]
}

/// Plays rounds, and prints the median and the largest of each figure.
fn play(case: &Case) -> Vec<[f64; 3]> {
    let rounds: Vec<[f64; 3]> = seeds(ROUNDS).into_par_iter().map(|seed| round(case, seed)).collect();
    let both = [0, 1, 2].map(|figure| {
        let all = || rounds.iter().map(move |round| round[figure]);
        format!("{:.3}, {:.3}", median(all()), all().fold(0.0, f64::max))
    });
    let Case { path, is_player, liars, lie, .. } = case;
    println!("{path}, was a client: {is_player}, {liars} liars by {lie}: {}", both.join(" | "));
    rounds
}

#[test]
fn a_player_or_a_machine_that_was_no_client_takes_over_though_three_lie() {
    for (path, network, worst_ms) in PATHS {
        for (is_player, liars) in [(true, 0), (false, 0), (true, LIARS), (false, LIARS)] {
            for round in play(&Case { path, network, is_player, liars, lie: Span::from_millis(40) }) {
                assert!(round[2] <= worst_ms, "{path}: {round:?}");
            }
        }
    }
}

#[test]
fn large_lies_and_lies_in_the_other_direction_change_nothing() {
    let (path, network, worst_ms) = PATHS[1];
    for lie in [Span::from_millis(-40), Span::from_secs(5)] {
        for round in play(&Case { path, network, is_player: false, liars: LIARS, lie }) {
            assert!(round[2] <= worst_ms, "{lie}: {round:?}");
        }
    }
}
