//! The regression gate of the first half minute: NetClock beside all published clocks, on all scenarios of the bench.
//!
//! A limit is what was measured, and a twentieth on top: errors of half a minute are those of few exchanges, so they
//! compare with other clocks on the same exchanges, and not with a number of milliseconds. Lower it when the clock has
//! become better.

use crate::seed::seed;
use netclock::Config;
use netclock_lab::measure::product::PRODUCT;
use netclock_lab::sim::case::Case;
use netclock_lab::sim::scenario::Scenario;
use netclock_lab::study::clock::suite::{CaseResult, Plan, run};
use netclock_lab::study::clock::summary::{Standing, standings};

/// Runs of each scenario, each with another seed.
const SEEDS: u64 = 7;

/// The most that a client may send and receive in its first half minute (bytes).
const MOST: u64 = 5600;

fn measured(own_schedule: bool) -> (Vec<CaseResult>, Standing) {
    let scenarios = Scenario::all().expect("the built-in scenarios parse");
    let first = seed(1);
    let plan = Plan {
        cases: scenarios.into_iter().map(Case::from).collect(),
        seeds: (0..SEEDS).map(|turn| first.wrapping_add(turn)).collect(),
        own_schedule,
        ..Plan::of_first_half_minute()
    };
    let results = run(&plan, || ()).expect("the client takes its configuration");
    let product = standings(&results).into_iter().find(|standing| standing.clock == PRODUCT);
    let product = product.expect("NetClock takes part");
    println!(
        "own schedule: {own_schedule}; p50 {:.3}, p99 {:.3}, worst {:.2} in {}, {} bytes",
        product.p50_to_best, product.p99_to_best, product.worst.0, product.worst.1, product.bytes
    );
    (results, product)
}

#[test]
fn on_the_same_exchanges_it_is_better_than_the_best_published_clock_of_each_path() {
    let (results, product) = measured(false);
    assert!(product.p50_to_best <= 0.90, "p50 {:.3}", product.p50_to_best);
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
fn on_its_own_schedule_the_first_half_minute_is_good_and_costs_little() {
    let (results, product) = measured(true);
    assert!(product.p99_to_best <= 1.0, "p99 {:.3}", product.p99_to_best);
    for result in &results {
        let row = result.rows.iter().find(|row| row.clock == PRODUCT).expect("NetClock takes part");
        assert!(row.score.bytes <= MOST, "{}: {} bytes", result.case, row.score.bytes);
    }
}
