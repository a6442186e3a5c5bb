//! A regression test for NetClock alone, on recorded kernel queues (both halves) and measured crystals.
//!
//! As in `gate.rs`, each limit is the median over the seeds plus about a third. Where the two directions
//! differ, the limit is the current value plus 5 %. Lower a limit when the clock has improved. The seed also
//! determines where in the recording a run starts.

use netclock::{Config, Earlier};
use netclock_lab::recorded::{HALVES, half, up_before_at};
use netclock_lab::scenario;
use netclock_lab::study::bench::ours::LINKED;
use netclock_lab::study::bench::suite::{BenchPlan, observe};
use netclock_lab::study::bench::summary::geometric_mean;
use netclock_sim::{Case, PRODUCT, Product, Read, Score, Session, Watch};
use rayon::prelude::*;

use crate::support::{none, seeds};

const SEEDS: u64 = 25;

const SETTLED_S: f64 = 30.0;

/// In each half and each recording, these shares of the errors must be within two and three times the
/// expected error (%). The share within one expected error is not limited. This share exceeds that of a
/// normal distribution, because the clock allows for larger queues than the actual one.
const WITHIN_TWO: f64 = 90.0;
const WITHIN_THREE: f64 = 97.0;

/// Without a standing queue, the median expected error may be at most this many times the rms error.
const NOT_TOO_LARGE: f64 = 3.0;

#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// The path has no standing queue, so the expected error must not be too large either.
    Quiet,
    Queue,
    /// The expected error is not checked, because no clock can detect a constant difference between the
    /// directions.
    Excluded,
}
use Expected::{Excluded, Queue, Quiet};

/// The recording, the limit on the 99th percentile of |error| after 30 s (ms), and the check of the expected
/// error.
type Limits = [(&'static str, f64, Expected); 11];

const REAL: Limits = [
    ("idle", 0.012, Quiet),
    ("up_before", 10.0, Queue),
    ("up_after", 0.043, Queue),
    ("down_with", 10.0, Queue),
    ("both_before", 18.0, Queue),
    ("bbr_up_before", 0.35, Queue),
    ("bbr_both_after", 0.031, Queue),
    ("on_off", 0.02, Quiet),
    ("route", 0.0094, Quiet),
    ("stopped", 0.008, Quiet),
    ("two_queues", 0.12, Queue),
];

const HELD_OUT: Limits = [
    ("up_with", 10.0, Queue),
    ("down_before", 10.0, Queue),
    ("down_after", 0.05, Queue),
    ("both_with", 21.0, Queue),
    ("both_after", 0.37, Queue),
    ("bbr_down_before", 0.13, Queue),
    ("unequal", 21.0, Excluded),
    ("nat", 0.008, Quiet),
    ("blocked", 0.011, Quiet),
    ("busy", 0.032, Quiet),
    ("mark_dropped", 0.031, Quiet),
];

const CRYSTALS: [(&str, f64, Expected); 2] =
    [("crystal_settled", 0.015, Quiet), ("crystal_warming", 0.135, Quiet)];

struct Found {
    faults: Vec<String>,
    within: Option<[f64; 3]>,
}

fn check_limits(name: &str, limits: Limits) {
    let cases = half(name).expect("the recordings can be read");
    for (case, (name, ..)) in cases.iter().zip(&limits) {
        assert_eq!(case.name, format!("real_{name}"));
    }
    assert_eq!(cases.len(), limits.len());
    let found: Vec<Found> = cases.par_iter().zip(&limits).map(|(case, limit)| check(case, *limit)).collect();
    let counted: Vec<[f64; 3]> = found.iter().filter_map(|found| found.within).collect();
    let mean = |k: usize| counted.iter().map(|within| within[k]).sum::<f64>() / counted.len() as f64;
    let mut faults: Vec<String> = found.into_iter().flat_map(|found| found.faults).collect();
    println!("{name}: within 1, 2, 3 sigmas {:.1}, {:.1}, {:.1} %", mean(0), mean(1), mean(2));
    if mean(1) < WITHIN_TWO || mean(2) < WITHIN_THREE {
        faults.push(format!("{name}: {:.1} % within two sigmas, {:.1} % within three", mean(1), mean(2)));
    }
    none(&faults);
}

fn check(case: &Case, (name, p99_ms, expected): (&str, f64, Expected)) -> Found {
    let (plan, promised) = (BenchPlan { settle_cut_s: SETTLED_S, ..BenchPlan::default() }, Config::default());
    let (mut scores, mut faults): (Vec<Score>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut squares, mut sigmas) = (0.0, Vec::new());
    for seed in seeds(SEEDS) {
        let watch = |read: &Read| {
            if let (true, Some(sigma)) = (read.at_s >= SETTLED_S, read.expected) {
                squares += read.error.powi(2);
                sigmas.push(sigma);
            }
        };
        let score = observe(&plan, case, seed, PRODUCT, watch).expect("the configuration is valid");
        let Score { p99_ms, expected_coverage, .. } = score;
        println!("{name:16} seed {seed:4}  p99 {p99_ms:8.3} ms, within sigmas {expected_coverage:.0?} %");
        let broken = score.faults(Some(promised.max_slew));
        faults.extend(broken.iter().map(|fault| format!("{name} seed {seed}: {fault}")));
        scores.push(score);
    }
    let median = Score::median(&scores).p99_ms;
    let of = |k: usize| scores.iter().filter_map(|score| Some(score.expected_coverage?[k])).sum::<f64>();
    let within = [0, 1, 2].map(|k| of(k) / SEEDS as f64);
    sigmas.sort_unstable();
    let times = sigmas[sigmas.len() / 2] as f64 / (squares / sigmas.len() as f64).sqrt();
    println!(
        "{name:16} median of p99 {median:.3} ms, limit {p99_ms} ms; within sigmas {within:.1?} %, their \
         median {times:.1} times the rms error"
    );
    if median > p99_ms {
        faults.push(format!("{name}: p99 is {median:.3} ms, above {p99_ms} ms"));
    }
    if expected != Excluded && within[2] < WITHIN_THREE {
        faults.push(format!("{name}: {:.1} % are within three sigmas", within[2]));
    }
    if expected == Quiet && times > NOT_TOO_LARGE {
        faults.push(format!("{name}: the median sigma is {times:.1} times the rms error"));
    }
    Found { faults, within: (expected != Excluded).then_some(within) }
}

#[test]
fn the_tuning_half_stays_within_its_limits() {
    check_limits("real", REAL);
}

#[test]
fn the_held_out_half_stays_within_its_limits() {
    check_limits("held_out", HELD_OUT);
}

#[test]
fn measured_crystals_stay_within_their_limits() {
    let scenarios = scenario::group("crystals").expect("built in");
    assert_eq!(scenarios.len(), CRYSTALS.len());
    for (case, limit) in scenarios.into_iter().zip(CRYSTALS) {
        assert_eq!(case.name, limit.0);
        none(&check(&case, limit).faults);
    }
}

/// Limit on the ratio of the link's p99 to the p99 of messages, in any recording. After 20 s without a queue,
/// both clocks keep their learned rates, and chance decides which is better.
const LINK_BY_CHANCE: f64 = 1.35;

#[test]
fn a_link_is_no_worse_than_messages() {
    let plan = BenchPlan { own_schedule: true, settle_cut_s: SETTLED_S, ..BenchPlan::default() };
    let cases: Vec<Case> =
        HALVES.iter().flat_map(|name| half(name).expect("the recordings can be read")).collect();
    let (mut faults, mut ratios) = (Vec::new(), Vec::new());
    for case in &cases {
        let p99_ms = [PRODUCT, LINKED].map(|clock| {
            let one = |seed| observe(&plan, case, seed, clock, |_| ()).expect("fine settings");
            let scores: Vec<Score> = seeds(SEEDS).into_par_iter().map(one).collect();
            for score in &scores {
                let broken = score.faults(Some(plan.settings.max_slew));
                faults.extend(broken.iter().map(|fault| format!("{clock}, {}: {fault}", case.name)));
            }
            Score::median(&scores).p99_ms
        });
        let [messages, link] = p99_ms;
        println!("{:20} p99 {messages:.3} ms with messages, {link:.3} with the link", case.name);
        if link > LINK_BY_CHANCE * messages {
            faults.push(format!("{}: {link:.3} ms with the link, {messages:.3} with messages", case.name));
        }
        ratios.push(link / messages);
    }
    let mean = geometric_mean(&ratios);
    println!("the geometric mean of the link's p99 relative to messages is {mean:.2}");
    assert!(mean <= 0.95, "{mean:.2}");
    none(&faults);
}

/// Returns the 99th percentile of |error| (ms) on the recording `up_before`. `base_s` is the base round-trip
/// time.
fn p99_beside_a_queue(base_s: f64, score: impl Fn(&Session, u64) -> Score + Sync) -> f64 {
    let case = up_before_at(base_s).expect("the recording can be read");
    let watch = Watch { seconds: case.seconds.unwrap_or_default(), settle_cut_s: SETTLED_S };
    let one = |seed| score(&Session::new(&case, watch, Some(1.0), seed), seed);
    let p99_ms = Score::median(&seeds(SEEDS).into_par_iter().map(one).collect::<Vec<_>>()).p99_ms;
    println!("base round trip {:.0} ms: median of p99 {p99_ms:.2} ms", 1e3 * base_s);
    p99_ms
}

#[test]
fn a_standing_queue_costs_25_ms_on_any_path_of_games() {
    for base_s in [0.020, 0.035, 0.050, 0.070, 0.100] {
        let p99_ms = p99_beside_a_queue(base_s, |session, seed| {
            let mut product = Product::new(&session.network, false, seed).expect("memory is available");
            session.run(&mut product, |_| ())
        });
        assert!(p99_ms <= 25.0, "{p99_ms:.1} ms with a base of {base_s} s");
    }
}

#[test]
fn a_standing_queue_costs_5_ms_after_an_earlier_session() {
    let idle = half("real").expect("the recordings can be read").swap_remove(0);
    let p99_ms = p99_beside_a_queue(0.050, |session, seed| {
        let before = Session::new(&idle, Watch { seconds: 120.0, settle_cut_s: SETTLED_S }, Some(1.0), seed);
        let mut product = Product::new(&before.network, false, seed).expect("memory is available");
        before.run(&mut product, |_| ());
        let saved = product.client.save(0).expect("the rate is known");
        let earlier = Earlier { machine: &saved.machine, server: &saved.server, seconds: 86_400, boot: 0 };
        let config = Config::default();
        let mut product = Product::with_saved(&config, &session.network, false, seed, &earlier)
            .expect("memory is available");
        session.run(&mut product, |_| ())
    });
    assert!(p99_ms <= 5.0, "{p99_ms:.1} ms");
}
