//! `lab study latency`: counts true and false reports of latency changes, and tests the speed that hides one.

use std::process::ExitCode;

use anyhow::Result;
use clap::value_parser;
use netclock::latency::LatencyConfig;
use rayon::prelude::*;

use super::simulation::{Outcome, Report, Step, WatchConfig, watch};
use crate::report::{each, number, optional, options};
use crate::study::output::{Format, Study};
use netclock_sim::{Case, nearest_rank, sorted};

const STANDARD: &str =
    "lan fibre wifi bad burst_loss stalls power_save frames_60_30 wander_2 uplink_bloat satellite";
const STEPS_MS: [f64; 3] = [20.0, 40.0, 60.0];
const STEP_EVERY_S: f64 = 120.0;
const PATIENCE_S: f64 = 60.0;
/// The time of the first step, by which the clock and the measured delays have settled.
const FIRST_S: f64 = 150.0;

/// Measures false reports of latency changes, the delay of true ones, and the speed that hides a change
///
/// The first table is for the unchanged paths. The other tables are for the same paths with a step every two
/// minutes, up and down in alternating directions. A report is correct if the medians of the true delays
/// before and after the reported change differ in the reported direction, by at least half the minimum
/// change. Each median covers up to 30 s, and never extends beyond the previous or the next report. On
/// simulated paths whose delays have a single distribution, every report is false. Recordings are never
/// played faster than they were recorded.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    paths: options::Paths,
    /// Exchanges per second (0.1 to 100); repeat for several
    #[arg(long, value_name = "N", default_values_t = [1.0, 16.0], value_parser = number(0.1, 100.0))]
    rate: Vec<f64>,
    /// Length of the runs of each unchanged path, in hours (0.1 to 1000)
    #[arg(long, value_name = "H", default_value_t = 10.0, value_parser = number(0.1, 1e3))]
    hours: f64,
    /// Number of steps in each run with steps
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u16).range(1..=10_000))]
    steps: u16,
    #[command(flatten)]
    seeds: options::Seeds,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut cases = args.paths.and_standard(STANDARD)?;
    // Exclude scenarios with their own steps, which would distort both tables.
    cases.retain(|case| case.network.forward.shifts.is_empty() && case.network.reverse.shifts.is_empty());

    let mut study = Study::new(args.format);
    let mut print = |title: &str, header: &str, rows: Vec<String>| {
        study.table(&format!("{title}:\n\n"), &format!("path | per s | {header}"), rows);
    };
    let header = "hours | reports | right | false per 10 h | hidden, ms in all";
    print("Each path as it is", header, steady(args, &cases)?);
    let header = "step ms | found | median s | p95 s | size off ms | others right | false";
    print("With steps", header, stepped(args, &cases)?);
    let header = "step ms | wanted ms | hidden ms | furthest % | sharpest %/s";
    print("Speed", header, speeds(args, &cases)?);
    Ok(study.end())
}

fn rates(args: &Args, case: &Case) -> Vec<f64> {
    let mut rates: Vec<f64> = args.rate.iter().map(|rate| rate.min(case.most_per_second())).collect();
    rates.dedup_by(|a, b| (*a / *b - 1.0).abs() < 0.2);
    rates
}

fn runs(args: &Args, case: &Case, session: &WatchConfig) -> Result<Vec<Outcome>> {
    args.seeds.range().into_par_iter().map(|seed| watch(case, session, seed)).collect()
}

fn rows(
    args: &Args,
    cases: &[Case],
    sizes: &[f64],
    row: impl Fn(&Case, f64, f64) -> Result<String> + Sync,
) -> Result<Vec<String>> {
    let jobs = cases.iter().flat_map(|case| rates(args, case).into_iter().map(move |rate| (case, rate)));
    let jobs = jobs.flat_map(|(case, rate)| sizes.iter().map(move |&ms| (case, rate, ms))).collect();
    let cells = |(case, rate, ms): (&Case, f64, f64)| {
        let shown = format!("{rate:.1}");
        Ok(format!("{} | {} | {}", case.name, shown.trim_end_matches(".0"), row(case, rate, ms)?))
    };
    each(jobs, cells).into_iter().collect()
}

fn steady(args: &Args, cases: &[Case]) -> Result<Vec<String>> {
    rows(args, cases, &[0.0], |case, rate, _| {
        let (seconds, config) = (args.hours * 3600.0, LatencyConfig::default());
        let session = WatchConfig { seconds, every_s: 1.0 / rate, steps: Vec::new(), plays: false, config };
        let outcomes = runs(args, case, &session)?;
        let reports = outcomes.iter().map(|outcome| outcome.reports.len()).sum::<usize>();
        let right = outcomes.iter().flat_map(|outcome| &outcome.reports).filter(|report| report.is_right);
        let right = right.count();
        let hours = args.hours * args.seeds.count as f64;
        let wrong = (reports - right) as f64 / hours * 10.0;
        let hidden: f64 = outcomes.iter().map(|outcome| outcome.hidden_ms).sum();
        Ok(format!("{hours:.0} | {reports} | {right} | {wrong:.2} | {hidden:.1}"))
    })
}

fn steps(count: usize, ms: f64) -> Vec<Step> {
    let step = |index: usize| Step {
        at_s: FIRST_S + index as f64 * STEP_EVERY_S,
        way: index / 2 % 2,
        ms: if index % 2 == 0 { ms } else { -ms },
    };
    (0..count).map(step).collect()
}

fn session_with_steps(rate: f64, ms: f64, plays: bool, count: usize) -> WatchConfig {
    WatchConfig {
        seconds: FIRST_S + count as f64 * STEP_EVERY_S,
        every_s: 1.0 / rate,
        steps: steps(count, ms),
        plays,
        config: LatencyConfig::default(),
    }
}

fn stepped(args: &Args, cases: &[Case]) -> Result<Vec<String>> {
    rows(args, cases, &STEPS_MS, |case, rate, ms| {
        let session = session_with_steps(rate, ms, false, args.steps.into());
        let mut found = Found::default();
        for outcome in runs(args, case, &session)? {
            found.add(&outcome.reports, &session.steps);
        }
        Ok(found.cells(ms))
    })
}

#[derive(Default)]
struct Found {
    steps: usize,
    delays_s: Vec<f64>,
    off_ms: Vec<f64>,
    others_right: usize,
    others_false: usize,
}

impl Found {
    fn add(&mut self, reports: &[Report], steps: &[Step]) {
        let mut is_of_a_step = vec![false; reports.len()];
        for step in steps {
            self.steps += 1;
            let answers = |report: &Report| {
                let after_s = report.found_s - step.at_s;
                report.way == step.way
                    && report.change_ms() * step.ms > 0.0
                    && (0.0..PATIENCE_S).contains(&after_s)
            };
            if let Some(index) = reports.iter().position(answers) {
                is_of_a_step[index] = true;
                self.delays_s.push(reports[index].found_s - step.at_s);
                self.off_ms.push((reports[index].change_ms() - step.ms).abs());
            }
        }
        for (report, _) in reports.iter().zip(is_of_a_step).filter(|(_, of_a_step)| !of_a_step) {
            *(if report.is_right { &mut self.others_right } else { &mut self.others_false }) += 1;
        }
    }

    fn cells(&self, ms: f64) -> String {
        let word = |sizes: &[f64], share| {
            optional(nearest_rank(&sorted(sizes.iter().copied()), share), |size| format!("{size:.1}"))
        };
        let Found { steps, delays_s, others_right, others_false, .. } = self;
        let (found, median, p95) = (delays_s.len(), word(delays_s, 0.5), word(delays_s, 0.95));
        let off = word(&self.off_ms, 0.5);
        format!("{ms:.0} | {found} of {steps} | {median} | {p95} | {off} | {others_right} | {others_false}")
    }
}

fn speeds(args: &Args, cases: &[Case]) -> Result<Vec<String>> {
    rows(args, cases, &STEPS_MS, |case, rate, ms| {
        // There is only one step, so the speed should compensate for exactly that step.
        let outcomes = runs(args, case, &session_with_steps(rate, ms, true, 1))?;
        let hidden =
            outcomes.iter().map(|outcome| outcome.hidden_ms).sum::<f64>() / outcomes.len().max(1) as f64;
        let most = |value: fn(&Outcome) -> f64| 100.0 * outcomes.iter().map(value).fold(0.0, f64::max);
        let (furthest, sharpest) = (most(|outcome| outcome.furthest), most(|outcome| outcome.sharpest));
        Ok(format!("{ms:.0} | {:.0} | {hidden:.1} | {furthest:.1} | {sharpest:.1}", -ms))
    })
}
