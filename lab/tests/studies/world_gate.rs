//! A regression test for world time, with simulated worlds that pause, slow down, lose time and end.
//!
//! The guarantees must hold for any seed, and `lab study timeline` exits with 1 if one is violated. Each
//! error limit is the median over the seeds plus about a third.

use std::sync::LazyLock;

use netclock_lab::study::timeline::command::{Outcome, play};
use netclock_lab::study::timeline::score::{Errors, WorldScore};

use crate::support::{self, none, seeds};

const SEEDS: u64 = 7;

/// Limits on the 99th percentile of |error| for one world over one link, as a median over the seeds.
struct Limit {
    world: &'static str,
    link: &'static str,
    constant_ms: f64,
    /// `None` for worlds whose rate is not animated.
    animated_ms: Option<f64>,
}

const LIMITS: [Limit; 4] = [
    Limit { world: "everything", link: "good", constant_ms: 0.75, animated_ms: Some(2.6) },
    Limit { world: "everything", link: "bad", constant_ms: 1.3, animated_ms: Some(28.0) },
    Limit { world: "100 pauses", link: "good", constant_ms: 0.6, animated_ms: None },
    Limit { world: "100 pauses", link: "bad", constant_ms: 175.0, animated_ms: None },
];

static OUTCOMES: LazyLock<Vec<Outcome>> =
    LazyLock::new(|| play(&seeds(SEEDS).collect::<Vec<_>>(), None).expect("the configuration is valid"));

fn runs(world: &str, link: &str) -> Vec<&'static Outcome> {
    let is_one = |run: &&Outcome| (run.world, run.link) == (world, link);
    OUTCOMES.iter().filter(is_one).collect()
}

fn median(runs: &[&Outcome], pick: fn(&WorldScore) -> Option<Errors>) -> f64 {
    support::median(runs.iter().filter_map(|run| pick(&run.score)).map(|errors| errors.p99_ms))
}

#[test]
fn guarantees_hold_with_every_seed() {
    let mut faults = Vec::new();
    for Outcome { world, link, seed, score, faults: found, .. } in OUTCOMES.iter() {
        // The guarantee must cover most reads to be meaningful.
        let share = score.unchanged.reads as f64 / score.certain.reads.max(1) as f64;
        if share < 0.8 || score.certain.reads < 1_000 {
            faults.push(format!("{world} {link} seed {seed}: only {share:.2} of the reads were checked"));
        }
        faults.extend(found.iter().map(|fault| format!("{world} {link} seed {seed}: {fault}")));
    }
    none(&faults);
}

#[test]
fn errors_stay_below_the_limit_of_each_world() {
    for Limit { world, link, constant_ms, animated_ms } in LIMITS {
        let runs = runs(world, link);
        let constant = median(&runs, |score| score.constant);
        println!("{world}, {link} link: median of p99 {constant:.3} ms, limit {constant_ms} ms");
        assert!(constant <= constant_ms, "{world}, {link} link: {constant:.3} ms, above {constant_ms} ms");
        if let Some(limit) = animated_ms {
            let animated = median(&runs, |score| score.animated);
            assert!(animated <= limit, "{world}, {link} link, animated: {animated:.3} ms, above {limit} ms");
        }
    }
}

#[test]
fn a_hundred_pauses_do_not_accumulate_error() {
    for run in runs("100 pauses", "good") {
        // The only error is that real time is read up to 0.3 ms late for each segment.
        assert!(run.score.crept_ms.abs() <= 0.35, "seed {}: {:.3} ms", run.seed, run.score.crept_ms);
    }
}

#[test]
fn a_lossless_link_costs_one_copy_of_each_segment() {
    for run in runs("100 pauses", "good") {
        let WorldScore { segments, segments_sent, .. } = run.score;
        assert!((201..=204).contains(&segments), "seed {}: one at the start, two per pause", run.seed);
        assert!(segments_sent <= segments as u64 + segments as u64 / 10, "seed {}", run.seed);
    }
}
