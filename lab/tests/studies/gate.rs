//! A regression test for NetClock alone in some bench scenarios, each with its own limits.
//!
//! `lab study bench` measures how good the clock is. This test only detects regressions. Each limit is the
//! median over the seeds plus about a third. Lower a limit when the clock has improved.
//!
//! The guarantees must hold for any seed. With 31 seeds, chance hardly affects the errors.

use std::sync::LazyLock;

use netclock::Config;
use netclock_lab::baseline::{LEARNER, PUBLISHED};
use netclock_lab::study::bench::suite::{self, BenchPlan, observe};
use netclock_lab::study::bench::summary::best_published;
use netclock_sim::{Case, PRODUCT, Read, Score, TICKS_PER_MS};
use rayon::prelude::*;

use crate::support::{case, median, none, seeds};

const SEEDS: u64 = 31;
/// The scenarios' clocks never step, so the client's clock must not step after this time. An earlier step may
/// correct a first reply that was delayed by seconds.
const UNDER_WAY: f64 = 30.0;

struct Limit {
    scenario: &'static str,
    p99_ms: f64,
    /// Whether to check the expected error, which assumes that delays have a floor. Satellite delays have no
    /// floor (see docs/theory.md).
    calibrated: bool,
}

const fn limit(scenario: &'static str, p99_ms: f64, calibrated: bool) -> Limit {
    Limit { scenario, p99_ms, calibrated }
}

/// Each limit is at least 3.4 standard deviations above the mean of 17 sets of seeds, so no single seed can
/// fail the test. The limit for wifi is the tightest (mean 0.232 ms, standard deviation 0.028 ms). The limits
/// for frame loops are 32 to 44 % above the medians of 16 seeds (2.82, 2.35, 0.90 and 2.04 ms).
const LIMITS: [Limit; 15] = [
    limit("lan", 0.022, true),
    limit("wifi", 0.33, true),
    limit("bad", 1.4, true),
    limit("uplink_bloat", 0.27, true),
    limit("route_up", 0.155, true),
    limit("route_forward", 0.135, true),
    limit("drift_200", 0.39, true),
    limit("stalls", 0.24, true),
    limit("satellite", 5.5, false),
    limit("quantised_1ms", 1.1, true),
    limit("frames_60_30", 4.0, true),
    limit("frames_60_60_jitter", 3.1, true),
    limit("frames_60_60_beat", 1.3, true),
    limit("hitching", 2.9, true),
    limit("demo_link", 0.65, true),
];

struct Outcome {
    limit: &'static Limit,
    case: Case,
    runs: Vec<Run>,
}

struct Run {
    seed: u64,
    score: Score,
    late_steps: u32,
}

static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let plan = BenchPlan::default();
    LIMITS
        .par_iter()
        .map(|limit| {
            let case = case(limit.scenario);
            let runs = run(PRODUCT, &plan, &case);
            Outcome { limit, case, runs }
        })
        .collect()
});

fn run(clock: &str, plan: &BenchPlan, case: &Case) -> Vec<Run> {
    let one = |seed| {
        let mut late_steps = 0;
        let count = |read: &Read| late_steps += u32::from(read.declared_step && read.at_s > UNDER_WAY);
        let score = observe(plan, case, seed, clock, count).expect("the configuration is valid");
        Run { seed, score, late_steps }
    };
    seeds(SEEDS).into_par_iter().map(one).collect()
}

fn of_all(runs: &[Run]) -> Score {
    let scores: Vec<Score> = runs.iter().map(|run| run.score.clone()).collect();
    Score::median(&scores)
}

#[test]
fn errors_stay_below_the_limit_of_each_scenario() {
    let mut faults = Vec::new();
    for Outcome { limit, runs, .. } in &*OUTCOMES {
        let p99_ms = of_all(runs).p99_ms;
        println!("{:20} median of p99 {p99_ms:.3} ms, limit {} ms", limit.scenario, limit.p99_ms);
        if p99_ms > limit.p99_ms {
            faults.push(format!("{}: p99 is {p99_ms:.3} ms, above {} ms", limit.scenario, limit.p99_ms));
        }
    }
    none(&faults);
}

#[test]
fn the_clock_stays_in_bound_without_steps_or_fast_slews() {
    let promised = Config::default();
    let mut faults = Vec::new();
    for Outcome { limit, case, runs } in &*OUTCOMES {
        let bounded = case.drifts_within(promised.client_drift_ppm, promised.server_drift_ppm);
        for Run { seed, score, late_steps } in runs {
            let mut found = Score { bound_coverage: None, ..score.clone() }.faults(Some(promised.max_slew));
            if bounded && score.bound_coverage != Some(100.0) {
                found.push(format!("the bound held in only {:?} % of the reads", score.bound_coverage));
            }
            // Without a floor, random changes in both delays can look like a slew.
            if bounded && limit.calibrated && score.declared_slews > 0 {
                found.push(format!("{} slews declared although no clock was slewed", score.declared_slews));
            }
            if *late_steps > 0 {
                found.push(format!("{late_steps} steps declared although no clock stepped"));
            }
            faults.extend(found.iter().map(|fault| format!("{} seed {seed}: {fault}", limit.scenario)));
        }
    }
    none(&faults);
}

#[test]
fn the_expected_error_matches_the_actual_errors() {
    let (mut faults, mut shares) = (Vec::new(), Vec::new());
    for Outcome { limit, runs, .. } in OUTCOMES.iter().filter(|outcome| outcome.limit.calibrated) {
        // Errors within a run are correlated, so only the share over all runs approaches its probability.
        let mean = |sigmas: usize| {
            let of = |run: &Run| run.score.expected_coverage.unwrap_or_default()[sigmas - 1];
            runs.iter().map(of).sum::<f64>() / runs.len() as f64
        };
        let (once, thrice) = (mean(1), mean(3));
        println!("{:20} all runs: {once:.1} % within 1 sigma, {thrice:.1} % within 3", limit.scenario);
        if once < 50.0 || thrice < 95.0 {
            faults.push(format!("{}: {once:.1} % within 1 sigma, {thrice:.1} % within 3", limit.scenario));
        }
        shares.push((once, thrice));
    }
    let mean = |of: fn(&(f64, f64)) -> f64| shares.iter().map(of).sum::<f64>() / shares.len() as f64;
    let (once, thrice) = (mean(|share| share.0), mean(|share| share.1));
    println!("all scenarios: {once:.1} % within 1 sigma, {thrice:.1} % within 3");
    // A normal distribution would yield 68 %. Frame loops with uniform waits yield 91 to 100 %, because such
    // waits could hide much larger errors. Six sets of seeds yield 81.8 to 83.5 % overall.
    if !(60.0..=85.0).contains(&once) || thrice < 97.0 {
        faults.push(format!("all scenarios: {once:.1} % within 1 sigma, {thrice:.1} % within 3"));
    }
    none(&faults);
}

/// Frame loops, delays and crystals are drawn at random, so the clock cannot be tuned to specific ones.
#[test]
fn with_any_frame_loops_netclock_beats_the_best_published_clock() {
    let mut only: Vec<String> = PUBLISHED.map(|(name, _)| name.to_owned()).to_vec();
    only.push(PRODUCT.to_owned());
    for (scenario, most) in [("loops_measured", 0.85), ("loops_told", 0.9), ("loops_unknown", 0.95)] {
        let plan = BenchPlan {
            cases: vec![case(scenario)],
            seconds: 300.0,
            seeds: seeds(24).collect(),
            only: only.clone(),
            ..BenchPlan::default()
        };
        let results = suite::run(&plan).expect("the configuration is valid");
        let (mut faults, mut logarithms, mut thrice) = (Vec::new(), 0.0, 0.0);
        for result in &results {
            let own = result.score(PRODUCT).expect("it ran");
            let (best, p99_ms) = best_published(&result.rows, |row| row.score.p99_ms).expect("they ran");
            println!("{}: {:.2} ms, {best} {p99_ms:.2} ms; {}", result.case, own.p99_ms, result.about);
            logarithms += (own.p99_ms / p99_ms).ln() / results.len() as f64;
            thrice += own.expected_coverage.unwrap_or_default()[2] / results.len() as f64;
            faults.extend(own.faults(Some(plan.settings.max_slew)));
        }
        let ratio = logarithms.exp();
        println!("{scenario}: {ratio:.2} times the best, {thrice:.1} % within 3 sigma");
        if ratio > most || thrice < 96.0 {
            faults.push(format!("{scenario}: {ratio:.2} times the best, {thrice:.1} % within 3 sigma"));
        }
        none(&faults);
    }
}

#[test]
fn errors_are_close_to_the_learners() {
    let plan = BenchPlan::default();
    let mut faults = Vec::new();
    for Outcome { limit, case, runs } in &*OUTCOMES {
        if !["wifi", "bad"].contains(&limit.scenario) {
            continue;
        }
        let ideal = of_all(&run(LEARNER, &plan, case)).p99_ms;
        let ratio = of_all(runs).p99_ms / ideal;
        println!("{:20} p99 {ratio:.2} times the learner's {ideal:.3} ms", limit.scenario);
        if ratio > 1.25 {
            faults.push(format!("{}: p99 is {ratio:.2} times the limit", limit.scenario));
        }
    }
    none(&faults);
}

#[test]
fn ten_minutes_of_holdover_cost_half_a_millisecond() {
    let (plan, case) = (BenchPlan::default(), case("holdover"));
    let one = |seed| {
        let (mut last, mut outside) = (0.0, 0);
        let watch = |read: &Read| {
            last = read.error.abs() / TICKS_PER_MS;
            outside += u32::from(read.bound.is_some_and(|bound| read.error.abs() > bound as f64 + 1.0));
        };
        observe(&plan, &case, seed, PRODUCT, watch).expect("the configuration is valid");
        assert_eq!(outside, 0, "seed {seed}: reads outside the bound");
        last
    };
    let errors: Vec<f64> = seeds(SEEDS).into_par_iter().map(one).collect();
    let worst = errors.iter().copied().fold(0.0, f64::max);
    let median = median(errors);
    assert!(median <= 0.25, "{median:.3} ms in the median of the seeds");
    assert!(worst <= 1.0, "{worst:.3} ms at worst");
}
