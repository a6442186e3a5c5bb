//! `lab study latency`: counts true and false reports of latency changes, and tests the speed that hides one.
//!
//! A step delays all later messages in its direction, so steps can also be added to recorded paths.

use std::process::ExitCode;

use anyhow::Result;
use clap::value_parser;
use netclock::latency::LatencyWatch;
use netclock::{Direction, LocalTime, Span};
use rayon::prelude::*;

use crate::report::{each, number, optional, options};
use crate::study::output::{Format, Study};
use netclock_sim::{
    Case, Estimator, Network, Product, Stream, TICKS_PER_MS, TICKS_PER_S, nearest_rank, sorted, upper_median,
};

const STANDARD: &str =
    "lan fibre wifi bad burst_loss stalls power_save frames_60_30 wander_2 uplink_bloat satellite";
const STEPS_MS: [f64; 3] = [20.0, 40.0, 60.0];
const STEP_EVERY_S: f64 = 120.0;
const PATIENCE_S: f64 = 60.0;
/// The time of the first step, when the clock and the measured delays have settled.
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
        let seconds = args.hours * 3600.0;
        let session = WatchConfig { seconds, every_s: 1.0 / rate, steps: Vec::new(), plays: false };
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

/// A report is correct if the medians of the true delays before and after the change differ. Each median
/// covers at most this time and never extends past another reported change in the same direction.
const AROUND_S: f64 = 30.0;
/// The medians must rise or fall as reported, by at least this fraction of the minimum change.
const SHARE: f64 = 0.5;
const FRAMES: f64 = 60.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub at_s: f64,
    /// 0 for delays to the server, 1 for delays to the client.
    pub way: usize,
    pub ms: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Report {
    pub found_s: f64,
    pub since_s: f64,
    pub way: usize,
    pub before_ms: f64,
    pub after_ms: f64,
    pub is_right: bool,
}

impl Report {
    pub fn change_ms(&self) -> f64 {
        self.after_ms - self.before_ms
    }
}

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub reports: Vec<Report>,
    /// How far the changed speed has moved the avatar ahead by the end of the session (ms).
    pub hidden_ms: f64,
    pub sharpest: f64,
    pub furthest: f64,
    /// For each exchange, its arrival (s), the true delays to the server and back (ms), and the speed.
    pub trail: Vec<(f64, f64, f64, f64)>,
}

#[derive(Clone, Debug)]
pub struct WatchConfig {
    pub seconds: f64,
    pub every_s: f64,
    pub steps: Vec<Step>,
    pub plays: bool,
}

pub fn watch(case: &Case, session: &WatchConfig, seed: u64) -> Result<Outcome> {
    let mut network = case.network(session.seconds, seed);
    let mut stream = Stream::record(&mut network, session.every_s, session.seconds, seed);
    delay(&mut stream, &session.steps);
    let mut clock = Product::new(&network, false, seed)?;
    let mut watch = LatencyWatch::new(LatencyWatch::LEAST_CHANGE)?;
    let mut outcome = Outcome::default();
    let mut game = SpeedReader::default();
    let mut departures = stream.departures.iter().peekable();
    for exchange in &stream.exchanges {
        while let Some(departure) = departures.next_if(|departure| departure.at_s <= exchange.arrived_s) {
            clock.on_send(departure.id, departure.t0);
        }
        if session.plays {
            game.play(&mut watch, &network, exchange.arrived_s, &mut outcome);
        }
        clock.on_exchange(exchange);
        watch.follow(&clock.client);
        while let Some(change) = watch.next_change() {
            outcome.reports.push(Report {
                found_s: network.clocks.server_when_client(change.found.ticks()) / TICKS_PER_S,
                since_s: network.clocks.server_when_client(change.since.ticks()) / TICKS_PER_S,
                way: usize::from(change.direction == Direction::ToClient),
                before_ms: change.before.as_millis_f64(),
                after_ms: change.after.as_millis_f64(),
                is_right: false,
            });
        }
        let truth = |a: f64, b: f64| (a - b) / TICKS_PER_MS;
        let at = |local| network.clocks.server_when_client(local);
        let server = |time| network.clocks.since_start(time);
        let up = truth(server(exchange.t1), at(exchange.t0));
        let down = truth(at(exchange.t3), server(exchange.t2));
        let speed = watch.speed(LocalTime::from_ticks(exchange.t3));
        outcome.trail.push((exchange.arrived_s, up, down, speed.scale));
    }
    let end = LocalTime::from_ticks(network.clocks.client(session.seconds)) + Span::from_secs(60);
    outcome.hidden_ms = watch.speed(end).done.as_millis_f64();
    judge(&mut outcome, LatencyWatch::LEAST_CHANGE.as_millis_f64());
    if case.is_constant() && session.steps.is_empty() {
        outcome.reports.iter_mut().for_each(|report| report.is_right = false);
    }
    Ok(outcome)
}

#[derive(Default)]
struct SpeedReader {
    frame: u64,
    scale: Option<f64>,
}

impl SpeedReader {
    fn play(&mut self, watch: &mut LatencyWatch, network: &Network, until_s: f64, outcome: &mut Outcome) {
        while self.frame as f64 / FRAMES < until_s {
            let now = network.clocks.client(self.frame as f64 / FRAMES);
            let scale = watch.speed(LocalTime::from_ticks(now)).scale;
            let last = self.scale.replace(scale).unwrap_or(scale);
            outcome.sharpest = outcome.sharpest.max((scale - last).abs() * FRAMES);
            outcome.furthest = outcome.furthest.max((scale - 1.0).abs());
            self.frame += 1;
        }
    }
}

fn delay(stream: &mut Stream, steps: &[Step]) {
    for exchange in &mut stream.exchanges {
        let sent_s = stream.departures[exchange.id as usize].at_s;
        let sum = |way: usize| -> f64 {
            steps.iter().filter(|step| step.way == way && step.at_s <= sent_s).map(|step| step.ms).sum()
        };
        let [up, down] = [sum(0), sum(1)].map(|ms| (ms * TICKS_PER_MS) as i64);
        exchange.t1 += up;
        exchange.t2 += up;
        exchange.t3 += up + down;
        exchange.arrived_s += (up + down) as f64 / TICKS_PER_S;
    }
    // Do not sort by `arrived_s`, because the client's clock counts the added delays at its own rate.
    stream.exchanges.sort_by_key(|exchange| exchange.t3);
}

fn judge(outcome: &mut Outcome, least_ms: f64) {
    let reports = outcome.reports.clone();
    for (index, report) in outcome.reports.iter_mut().enumerate() {
        let same = |other: &&Report| other.way == report.way;
        let from_s = reports[..index].iter().rev().find(same).map_or(0.0, |last| last.since_s);
        let until_s = reports[index + 1..].iter().find(same).map_or(f64::INFINITY, |next| next.since_s);
        let since_s = report.since_s - 1e-3;
        let median = |from_s: f64, until_s: f64| {
            let first = outcome.trail.partition_point(|point| point.0 < from_s);
            let last = outcome.trail.partition_point(|point| point.0 < until_s);
            let of = |point: &(f64, f64, f64, f64)| if report.way == 0 { point.1 } else { point.2 };
            upper_median(&sorted(outcome.trail[first..last].iter().map(of)))
        };
        let after = median(since_s, until_s.min(since_s + AROUND_S));
        let agrees = |before: Option<f64>| {
            let change = before.zip(after).map_or(0.0, |(before, after)| after - before);
            change * report.change_ms().signum() >= SHARE * least_ms
        };
        report.is_right = agrees(median(from_s.max(since_s - AROUND_S), since_s))
            || agrees(median(from_s, since_s.min(from_s + AROUND_S)));
    }
}
