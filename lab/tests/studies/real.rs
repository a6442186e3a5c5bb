//! The gate on recorded kernel queues: both halves, NetClock alone, with a limit for each.
//!
//! As in `gate.rs`, a limit is what was measured, the median over the seeds, and about a third on top; a
//! twentieth where a queue stands or the ways differ, where the limit only says what is. Lower it when the
//! clock has become better. Seeds also say when a run begins.

use netclock::Config;
use netclock_lab::recorded::half;
use netclock_lab::study::clock::suite::{Plan, observe};
use netclock_sim::case::Case;
use netclock_sim::measure::metrics::Score;
use netclock_sim::measure::product::PRODUCT;
use netclock_sim::random::seed;
use rayon::prelude::*;

/// Runs of each recording, each with another seed.
const SEEDS: u64 = 25;

/// Names, and limits of the 99th percentile of |error| after 30 s (ms).
type Limits = [(&'static str, f64); 11];

const REAL: Limits = [
    ("idle", 0.012),
    ("up_before", 84.0),
    ("up_after", 0.043),
    ("down_with", 85.0),
    ("both_before", 18.0),
    ("bbr_up_before", 1.0),
    ("bbr_both_after", 0.031),
    ("on_off", 0.02),
    ("route", 0.0094),
    ("stopped", 0.008),
    ("two_queues", 0.12),
];

const HELD_OUT: Limits = [
    ("up_with", 84.0),
    ("down_before", 85.0),
    ("down_after", 0.05),
    ("both_with", 21.0),
    ("both_after", 2.1),
    ("bbr_down_before", 0.13),
    ("unequal", 21.0),
    ("nat", 0.008),
    ("blocked", 0.011),
    ("busy", 0.032),
    ("mark_dropped", 0.031),
];

fn keeps(name: &str, limits: Limits) {
    let first = seed(1);
    let cases = half(name).expect("the recordings can be read");
    assert_eq!(cases.len(), limits.len());
    let found: Vec<Vec<String>> =
        cases.par_iter().zip(&limits).map(|(case, limit)| check(case, *limit, first)).collect();
    let faults: Vec<String> = found.into_iter().flatten().collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What is wrong on one recording.
fn check(case: &Case, (name, p99_ms): (&str, f64), first: u64) -> Vec<String> {
    assert_eq!(case.name, format!("real_{name}"));
    let (plan, promised) = (Plan::default(), Config::default());
    let (mut scores, mut faults): (Vec<Score>, Vec<String>) = (Vec::new(), Vec::new());
    for seed in (0..SEEDS).map(|turn| first.wrapping_add(turn)) {
        let score = observe(&plan, case, seed, PRODUCT, |_| ()).expect("the client takes its configuration");
        let Score { p99_ms, expected_coverage, .. } = score;
        println!("{name:16} seed {seed:4}  p99 {p99_ms:8.3} ms, within sigmas {expected_coverage:.0?} %");
        let broken = score.faults(Some(promised.max_slew));
        faults.extend(broken.iter().map(|fault| format!("{name} seed {seed}: {fault}")));
        scores.push(score);
    }
    let median = Score::median(&scores);
    println!("{name:16} median of p99 {:.3} ms, limit {p99_ms} ms", median.p99_ms);
    if median.p99_ms > p99_ms {
        faults.push(format!("{name}: p99 is {:.3} ms, above {p99_ms} ms", median.p99_ms));
    }
    faults
}

#[test]
fn the_half_for_tuning_keeps_its_limits() {
    keeps("real", REAL);
}

#[test]
fn the_half_that_is_held_out_keeps_its_limits() {
    keeps("held_out", HELD_OUT);
}
