//! The regression gate of the first half minute: NetClock beside all published clocks, on all scenarios of the bench.
//!
//! A limit is what was measured, and a twentieth on top: errors of half a minute are those of few exchanges, so they
//! compare with other clocks on the same exchanges, and not with a number of milliseconds. Lower it when the clock has
//! become better.

use crate::seed::seed;
use netclock::Config;
use netclock_lab::baseline::{LEARNER, PUBLISHED};
use netclock_lab::measure::metrics::Score;
use netclock_lab::measure::product::PRODUCT;
use netclock_lab::sim::case::Case;
use netclock_lab::sim::scenario::Scenario;
use netclock_lab::study::clock::knowing::{HINTED, Knowing, WARM};
use netclock_lab::study::clock::suite::{CaseResult, Plan, run};
use netclock_lab::study::clock::summary::{Standing, standings};

/// Runs of each scenario, each with another seed.
const SEEDS: u64 = 7;

/// The most that a client may send and receive in its first half minute (bytes).
const MOST: u64 = 4096;

fn results(only: &[&str], own_schedule: bool, knowing: Knowing) -> Vec<CaseResult> {
    let scenarios = Scenario::all().expect("the built-in scenarios parse");
    let first = seed(1);
    let plan = Plan {
        cases: scenarios.into_iter().map(Case::from).collect(),
        seeds: (0..SEEDS).map(|turn| first.wrapping_add(turn)).collect(),
        own_schedule,
        only: only.iter().map(|&name| name.to_owned()).collect(),
        knowing,
        ..Plan::of_first_half_minute()
    };
    run(&plan, || ()).expect("the client takes its configuration")
}

/// Beside the published clocks, NetClock first and then `others`.
fn measured(own_schedule: bool, others: &[&str]) -> (Vec<CaseResult>, Vec<Standing>) {
    let published = PUBLISHED.iter().map(|(name, _)| *name);
    let ours: Vec<&str> = [PRODUCT].iter().chain(others).copied().collect();
    let clocks: Vec<&str> = published.chain(ours.iter().copied()).collect();
    let results = results(&clocks, own_schedule, Knowing::default());
    let all = standings(&results);
    let of = |clock: &str| all.iter().find(|standing| standing.clock == clock).expect("takes part").clone();
    let found: Vec<Standing> = ours.into_iter().map(of).collect();
    for Standing { clock, p50_to_best, p99_to_best, worst, bytes, .. } in &found {
        println!(
            "{clock}, own schedule {own_schedule}: p50 {p50_to_best:.3}, p99 {p99_to_best:.3}, worst {:.2} in {}, {bytes} bytes",
            worst.0, worst.1
        );
    }
    (results, found)
}

#[test]
fn on_the_same_exchanges_it_is_better_than_the_best_published_clock_of_each_path() {
    let (results, found) = measured(false, &[]);
    let product = &found[0];
    assert!(product.p50_to_best <= 0.88, "p50 {:.3}", product.p50_to_best);
    assert!(product.p99_to_best <= 0.96, "p99 {:.3}", product.p99_to_best);
    assert!(product.worst.0 <= 2.0, "{:?}", product.worst);
    let promised = Config::default();
    for result in &results {
        let row = result.rows.iter().find(|row| row.clock == PRODUCT).expect("NetClock takes part");
        let is_beyond_promise = result.case == "drift_200";
        let faults = row.score.faults(Some(promised.max_slew));
        assert!(is_beyond_promise || faults.is_empty(), "{}: {faults:?}", result.case);
    }
}

#[test]
fn what_is_known_beforehand_helps_and_falsehood_costs_little() {
    // Of a cold start, which has become better by 4 % of p50 since the limits were first set; the others are as good as then.
    let limits = [
        (WARM, 0.0, 0.78, 0.80),
        (HINTED, 0.0, 0.72, 0.78),
        (HINTED, 5.0, 0.9, 0.9),
        (HINTED, 50.0, 1.2, 1.2),
    ];
    for (clock, hint_off_ppm, p50, p99) in limits {
        let knowing = Knowing { hint_off_ppm, ..Knowing::default() };
        let results = results(&[PRODUCT, clock], false, knowing);
        let mean = |clock: &str, figure: fn(&Score) -> f64| {
            let rows = results.iter().flat_map(|result| &result.rows).filter(|row| row.clock == clock);
            let logs: Vec<f64> = rows.map(|row| figure(&row.score).max(1e-3).ln()).collect();
            (logs.iter().sum::<f64>() / logs.len() as f64).exp()
        };
        let to_cold = |figure: fn(&Score) -> f64| mean(clock, figure) / mean(PRODUCT, figure);
        let found = (to_cold(|score| score.p50_ms), to_cold(|score| score.p99_ms));
        println!(
            "{clock}, hint off by {hint_off_ppm} ppm: p50 {:.3}, p99 {:.3} of a cold start",
            found.0, found.1
        );
        assert!(found.0 <= p50 && found.1 <= p99, "{clock}, off by {hint_off_ppm} ppm: {found:?}");
        for result in results.iter().filter(|result| result.case != "drift_200") {
            for row in &result.rows {
                let faults = row.score.faults(Some(Config::default().max_slew));
                assert!(faults.is_empty(), "{clock} on {}: {faults:?}", result.case);
            }
        }
    }
}

#[test]
fn on_its_own_schedule_the_first_half_minute_is_good_and_costs_little() {
    let (results, found) = measured(true, &[HINTED, LEARNER]);
    let [product, hinted, _] = &found[..] else { panic!("three clocks") };
    let to_learner = product.p99_to_learner_median.expect("there are paths with a learner");
    println!("p99 {to_learner:.2} times the learner's on the same exchanges");
    assert!(product.p99_to_best <= 1.05, "p99 {:.3}", product.p99_to_best);
    assert!(hinted.p99_to_best <= 0.6, "of a known rate: p99 {:.3}", hinted.p99_to_best);
    assert!(to_learner <= 1.15, "{to_learner:.2} times the learner's p99");
    for (case, limit) in [("wifi", 0.5), ("bad", 3.0)] {
        let result = results.iter().find(|result| result.case == case).expect("the scenario was run");
        let row = result.rows.iter().find(|row| row.clock == PRODUCT).expect("NetClock takes part");
        let close_s = row.score.close_s.unwrap_or(f64::INFINITY);
        println!("{case}: within 1 ms for good after {close_s:.2} s");
        assert!(close_s <= limit, "{case}: within 1 ms for good after {close_s:.2} s");
    }
    for result in &results {
        let row = result.rows.iter().find(|row| row.clock == PRODUCT).expect("NetClock takes part");
        assert!(row.score.bytes <= MOST, "{}: {} bytes", result.case, row.score.bytes);
    }
}
