//! Many cases, several seeds, all clocks: the bench as a library.

use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;

use crate::baseline;
use crate::measure::estimator::Estimator;
use crate::measure::metrics::{Read, Score};
use crate::measure::product::{PRODUCT, Product};
use crate::measure::run::{Watch, own_schedule, same_stream};
use crate::measure::stream::Stream;
use crate::sim::leg::LegConfig;
use crate::sim::network::{Network, NetworkConfig};
use crate::sim::scenario::Scenario;
use crate::sim::trace::{Split, Trace};

/// One path to be measured on.
#[derive(Clone, Debug)]
pub struct Case {
    /// Short name.
    pub name: String,
    /// One line about it.
    pub about: String,
    /// Length of its run, if it has its own (s).
    pub seconds: Option<f64>,
    /// Its clocks, legs and frame loops; of a recorded path the clocks only.
    pub network: NetworkConfig,
    recording: Option<(Trace, Split)>,
}

impl Case {
    /// A recorded path, with a client clock that is `ppm` fast.
    pub fn recorded(trace: Trace, split: Split, ppm: f64) -> Self {
        let mut network = NetworkConfig::default();
        network.clock.drift_ppm = ppm;
        let about = if trace.is_one_way() { "recorded, one way" } else { "recorded round trips" };
        Self {
            name: trace.name.clone(),
            about: about.into(),
            seconds: None,
            network,
            recording: Some((trace, split)),
        }
    }

    /// As [`recorded`](Self::recorded), from a file.
    pub fn from_file(path: &Path, split: Split, ppm: f64) -> Result<Self> {
        Ok(Self::recorded(Trace::read(path)?, split, ppm))
    }

    /// Exchanges per second that the path has different delays for: those of the recording, if it is one.
    pub fn most_per_second(&self) -> f64 {
        self.recording.as_ref().map_or(f64::INFINITY, |(trace, _)| trace.rate())
    }

    /// True if the delays of a path as it is are drawn from one distribution all the time, the crystal apart.
    pub fn is_constant(&self) -> bool {
        let constant = |leg: &LegConfig| {
            leg.saw.is_none()
                && leg.shifts.is_empty()
                && leg.stall.is_none()
                && leg.power_save.is_none()
                && leg.handover.is_none()
        };
        let network = &self.network;
        let frames = network.client.is_some() || network.server.is_some();
        self.recording.is_none() && !frames && constant(&network.forward) && constant(&network.reverse)
    }

    /// Whether the client's clock stays within the rate error that bounds are promised for (ppm).
    pub fn drifts_within(&self, limit_ppm: f64) -> bool {
        let clock = &self.network.clock;
        clock.drift_ppm.abs() + clock.wander_ppm.abs() <= limit_ppm
    }

    /// The network of one run.
    pub fn network(&self, seconds: f64, seed: u64) -> Network {
        match &self.recording {
            Some((trace, split)) => Network::on_trace(&self.network, trace.clone(), *split, seconds, seed),
            None => Network::new(&self.network, seconds, seed),
        }
    }
}

impl From<Scenario> for Case {
    fn from(scenario: Scenario) -> Self {
        let Scenario { name, about, seconds, network } = scenario;
        Self { name, about, seconds, network, recording: None }
    }
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The paths.
    pub cases: Vec<Case>,
    /// Length of the runs of cases without a length of their own (s).
    pub seconds: f64,
    /// Longest run of any case (s).
    pub longest_s: f64,
    /// Time between probes after the opening burst (s).
    pub poll_s: f64,
    /// Percentiles leave out the time before this (s).
    pub settle_cut_s: f64,
    /// One run of each case for each of them.
    pub seeds: Vec<u64>,
    /// Each clock probes when it wants instead of all getting the same exchanges.
    pub own_schedule: bool,
    /// Only clocks with these names, if there are any.
    pub only: Vec<String>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            cases: Vec::new(),
            seconds: 600.0,
            longest_s: f64::INFINITY,
            poll_s: 1.0,
            settle_cut_s: 30.0,
            seeds: vec![1, 2, 3],
            own_schedule: false,
            only: Vec::new(),
        }
    }
}

/// What one clock reached on one case: medians over the seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The clock.
    pub clock: String,
    /// Its figures.
    #[serde(flatten)]
    pub score: Score,
}

/// What all clocks reached on one case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseResult {
    /// The case.
    pub case: String,
    /// One line about it.
    pub about: String,
    /// Length of the runs (s).
    pub seconds: f64,
    /// One row for each clock; the learner only where it can be computed.
    pub rows: Vec<Row>,
}

/// Measures. `done` is called after each run of each case, from any thread.
///
/// # Errors
/// The product refuses its configuration.
pub fn run(plan: &Plan, done: impl Fn() + Sync) -> Result<Vec<CaseResult>> {
    let clocks = contenders(plan);
    let jobs: Vec<(&Case, u64)> =
        plan.cases.iter().flat_map(|case| plan.seeds.iter().map(move |&seed| (case, seed))).collect();
    let runs: Vec<Vec<Option<Score>>> = jobs
        .into_par_iter()
        .map(|(case, seed)| {
            let scores = run_once(plan, case, seed, &clocks);
            done();
            scores
        })
        .collect::<Result<_>>()?;
    let results = plan
        .cases
        .iter()
        .zip(runs.chunks(plan.seeds.len().max(1)))
        .map(|(case, runs)| CaseResult {
            case: case.name.clone(),
            about: case.about.clone(),
            seconds: plan.length(case),
            rows: clocks
                .iter()
                .enumerate()
                .filter_map(|(index, clock)| {
                    let scores: Vec<Score> = runs.iter().filter_map(|scores| scores[index].clone()).collect();
                    let row = || Row { clock: (*clock).to_owned(), score: Score::median(&scores) };
                    (!scores.is_empty()).then(row)
                })
                .collect(),
        })
        .collect();
    Ok(results)
}

/// One run of one clock, with every read shown to `observe`.
///
/// # Errors
/// The product refuses its configuration.
pub fn observe(
    plan: &Plan,
    case: &Case,
    seed: u64,
    clock: &str,
    observe: impl FnMut(&Read),
) -> Result<Score> {
    let session = Session::new(plan, case, seed);
    let mut estimator = make(clock, &session.network, plan.own_schedule, seed)?
        .with_context(|| format!("{clock} cannot be computed on {}", case.name))?;
    Ok(session.run(&mut *estimator, observe))
}

/// What all clocks have in common in one run.
struct Session {
    network: Network,
    /// Absent if each probes on its own schedule.
    stream: Option<Stream>,
    watch: Watch,
}

impl Session {
    fn new(plan: &Plan, case: &Case, seed: u64) -> Self {
        let seconds = plan.length(case);
        let mut network = case.network(seconds, seed);
        let record = |network: &mut Network| Stream::record(network, plan.poll_s, seconds, seed);
        let stream = if plan.own_schedule { None } else { Some(record(&mut network)) };
        Self { network, stream, watch: Watch { seconds, settle_cut_s: plan.settle_cut_s } }
    }

    fn run(&self, estimator: &mut dyn Estimator, observe: impl FnMut(&Read)) -> Score {
        match &self.stream {
            Some(stream) => same_stream(&self.network, stream, estimator, self.watch, observe),
            None => own_schedule(self.network.clone(), estimator, self.watch, observe),
        }
    }
}

impl Plan {
    fn length(&self, case: &Case) -> f64 {
        case.seconds.unwrap_or(self.seconds).min(self.longest_s)
    }
}

/// The names of all clocks, in the order of the tables.
pub fn clocks() -> impl Iterator<Item = &'static str> {
    let others = baseline::PUBLISHED.iter().chain(&baseline::TEXTBOOK).map(|(name, _)| *name);
    std::iter::once(PRODUCT).chain(others).chain([baseline::LEARNER, baseline::ORACLE])
}

/// Names of the clocks taking part.
fn contenders(plan: &Plan) -> Vec<&'static str> {
    clocks()
        // The limits have no schedule of their own.
        .filter(|name| !plan.own_schedule || ![baseline::LEARNER, baseline::ORACLE].contains(name))
        .filter(|name| plan.only.is_empty() || plan.only.iter().any(|only| only == name))
        .collect()
}

/// The clock called `name`; none if it cannot be had in that network.
fn make(name: &str, network: &Network, own_schedule: bool, seed: u64) -> Result<Option<Box<dyn Estimator>>> {
    let published = || baseline::PUBLISHED.iter().chain(&baseline::TEXTBOOK);
    Ok(match name {
        PRODUCT => Some(Box::new(Product::new(network, own_schedule, seed)?)),
        baseline::ORACLE => Some(baseline::oracle(&network.clocks)),
        baseline::LEARNER => baseline::learner(network),
        _ => published().find(|(known, _)| *known == name).map(|(_, make)| make()),
    })
}

fn run_once(plan: &Plan, case: &Case, seed: u64, clocks: &[&'static str]) -> Result<Vec<Option<Score>>> {
    let session = Session::new(plan, case, seed);
    let one = |name: &&str| {
        let estimator = make(name, &session.network, plan.own_schedule, seed)?;
        Ok(estimator.map(|mut estimator| session.run(&mut *estimator, |_| ())))
    };
    clocks.par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(own_schedule: bool) -> Plan {
        let scenarios = Scenario::all().unwrap();
        let chosen =
            scenarios.into_iter().filter(|s| ["demo_link", "frames_60_30"].contains(&s.name.as_str()));
        Plan { cases: chosen.map(Case::from).collect(), seconds: 60.0, own_schedule, ..Plan::default() }
    }

    #[test]
    fn repeats_byte_for_byte() {
        for own_schedule in [false, true] {
            let report = || serde_json::to_string(&run(&plan(own_schedule), || ()).unwrap()).unwrap();
            assert_eq!(report(), report());
        }
    }

    #[test]
    fn every_clock_synchronises() {
        for own_schedule in [false, true] {
            for result in run(&plan(own_schedule), || ()).unwrap() {
                for row in result.rows {
                    let Score { first_sync_s, p99_ms, bytes, .. } = row.score;
                    assert!(first_sync_s.is_some(), "{} in {}", row.clock, result.case);
                    assert!(p99_ms < 200.0 && bytes > 0, "{} in {}: {p99_ms}", row.clock, result.case);
                }
            }
        }
    }
}
