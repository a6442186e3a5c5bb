//! Tests clocks that a time service slews. If a slew limit is configured, all reads must be within their
//! bounds, as with an unslewed clock. Without a limit, a few reads may be outside their bounds until the slew
//! is declared.
//!
//! Each client sends a request every 4 s on its own schedule, as in a game.

use netclock::Config;
use netclock_lab::scenario;
use netclock_lab::study::bench::suite::{BenchPlan, observe};
use netclock_sim::{Case, ClockConfig, PRODUCT, Read, Score};
use rayon::prelude::*;

use crate::support::{case, seeds};

const SEEDS: u64 = 6;

const LONG: f64 = 1_800.0;

/// How many reads, at 60 per second, may be outside the bound until the next exchange reveals the slew.
/// Revealing a slew takes 4/3 of the steady interval plus a round trip, and another interval if a reply is
/// lost.
const MOST_OUTSIDE: u64 = 700;

struct Run {
    name: String,
    seed: u64,
    score: Score,
    outside: u64,
    outside_later: u64,
}

fn run(cases: &[Case], settings: impl Fn(&ClockConfig) -> Config + Sync) -> Vec<Run> {
    run_for(cases, BenchPlan::default().seconds, settings)
}

fn run_for(cases: &[Case], seconds: f64, settings: impl Fn(&ClockConfig) -> Config + Sync) -> Vec<Run> {
    let jobs: Vec<(&Case, u64)> =
        cases.iter().flat_map(|case| seeds(SEEDS).map(move |seed| (case, seed))).collect();
    jobs.into_par_iter()
        .map(|(case, seed)| {
            let settings = settings(&case.network.clock);
            let plan = BenchPlan { own_schedule: true, seconds, settings, ..BenchPlan::default() };
            let (mut outside, mut outside_later, mut declared) = (0, 0, false);
            let count = |read: &Read| {
                let is_outside = read.bound.is_some_and(|bound| read.error.abs() > bound as f64 + 1.0);
                outside += u64::from(is_outside);
                outside_later += u64::from(is_outside && declared);
                declared |= read.declared_slew;
            };
            let score = observe(&plan, case, seed, PRODUCT, count).expect("the settings are valid");
            println!(
                "{:28} seed {seed:4}  {outside} outside, {outside_later} of them later, {} declared, p99 \
                 {:.3} ms, bound {:.1} ms",
                case.name,
                score.declared_slews,
                score.p99_ms,
                score.bound_ms.unwrap_or_default()
            );
            Run { name: case.name.clone(), seed, score, outside, outside_later }
        })
        .collect()
}

/// Returns the built-in scenarios and the same slews on a LAN, where the bound has no slack.
fn slewed() -> Vec<Case> {
    let mut scenarios = scenario::group("slewed").expect("built in");
    let lan = case("lan");
    for like in scenarios.clone() {
        let (mut case, clock) = (lan.clone(), like.network.clock);
        case.name = format!("{}_lan", like.name);
        (case.network.clock.client_slew, case.network.clock.server_slew) =
            (clock.client_slew, clock.server_slew);
        scenarios.push(case);
    }
    scenarios
}

/// A harmless slew need not be declared, because every read remains within its bound. On the 25 ms path,
/// timesyncd gains 8 ms in 64 s, of which the rate limits cover 6.4 ms.
fn is_harmless(name: &str) -> bool {
    name.ends_with("timesyncd")
}

fn undisturbed(runs: &[Run]) {
    for Run { name, seed, score, outside, .. } in runs {
        assert_eq!(*outside, 0, "{name} seed {seed}");
        assert_eq!(score.declared_slews, 0, "{name} seed {seed}");
        assert_eq!(score.backward_steps, 0, "{name} seed {seed}");
    }
}

#[test]
fn the_bound_holds_with_a_stated_limit() {
    undisturbed(&run(&slewed(), |clock| Config {
        client_drift_ppm: 50.0 + clock.client_slew.ppm.abs(),
        server_drift_ppm: 50.0 + clock.server_slew.ppm.abs(),
        ..Config::default()
    }));
}

#[test]
fn an_unstated_slew_is_declared_after_few_reads_outside() {
    for Run { name, seed, score, outside, outside_later } in run(&slewed(), |_| Config::default()) {
        assert!(outside <= MOST_OUTSIDE, "{name} seed {seed}: {outside} outside");
        assert_eq!(outside_later, 0, "{name} seed {seed}: reads outside after the declaration");
        assert!(score.declared_slews > 0 || is_harmless(&name), "{name} seed {seed}: not declared");
        assert_eq!(score.backward_steps, 0, "{name} seed {seed}");
    }
}

/// Satellite delays jump independently in each direction, so the bounds sometimes move as if a clock were
/// slewed.
#[test]
fn jumping_delays_are_not_a_slew() {
    undisturbed(&run_for(&[case("satellite")], LONG, |_| Config::default()));
}
