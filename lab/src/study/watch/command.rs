use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use netclock::watch::RateLevel;
use rayon::prelude::*;

use super::player::{Cheat, Outcome, WatchConfig, hard_path, lossy_path, watch};
use crate::report::{each, number, options};
use crate::scenario;
use crate::study::output::{Format, Study};
use netclock_sim::trace;
use netclock_sim::{Case, Network, Split, sorted};

const FROM_S: f64 = 200.0;
const PATIENCE_S: f64 = 600.0;
const CRYSTALS: [f64; 3] = [-100.0, 20.0, 100.0];

/// Tests the rate watch on honest players and cheats
///
/// The first table tests honest players on every scenario and recording, with crystals of -100, 20 and 100
/// ppm. Exits with 1 if an honest player is suspected. The other tables test cheats on a lossy path (10 %
/// loss, bursts of loss, 30 ms of jitter, duplicates) and a hard path, which also has queues and route
/// changes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Length of the sessions of honest players, in hours (0.1 to 1000)
    #[arg(long, value_name = "H", default_value_t = 10.0, value_parser = number(0.1, 1e3))]
    hours: f64,
    #[command(flatten)]
    seeds: options::Seeds,
    /// Seconds between the reports of a player (0.001 to 60)
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = number(0.001, 60.0))]
    every: f64,
    /// Recorded delays, or a directory of such files; repeat for several
    #[arg(long, value_name = "FILE|DIR")]
    trace: Vec<PathBuf>,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut paths = vec![Path::Lossy, Path::Hard];
    paths.extend(scenario::group("all")?.into_iter().map(|case| Path::Case(Box::new(case))));
    for file in trace::find(&args.trace)? {
        for split in [Split::Varying, Split::Forward] {
            paths.push(Path::Case(Box::new(Case::from_file(&file, split, 0.0)?)));
        }
    }
    let honest = honest(args, &paths);
    let suspected: u64 = honest.iter().map(|row| row.suspected + row.suspected_with_heard).sum();
    let mut study = Study::new(args.format);
    let title = format!(
        "Honest players, {} h with each of {} seeds and 3 crystals:\n\n",
        args.hours, args.seeds.count
    );
    let header = "path | reports | likely or proven | with echoed timestamps | mean rate off by, ppm";
    study.table(&title, header, honest.iter().map(HonestRow::cells));
    let header = "cheat | likely | proven | likely, with echoed timestamps | proven, with echoed timestamps";
    for path in [Path::Lossy, Path::Hard] {
        let title = format!("Cheats on the {} path, seconds until found (median, slowest):\n\n", path.name());
        study.table(&title, header, cheats(args, &path));
    }
    study.check(suspected == 0, || format!("honest players were suspected {suspected} times"));
    Ok(study.end())
}

enum Path {
    Lossy,
    Hard,
    Case(Box<Case>),
}

impl Path {
    fn name(&self) -> &str {
        match self {
            Path::Lossy => "lossy",
            Path::Hard => "hard",
            Path::Case(case) => &case.name,
        }
    }

    fn network(&self, drift_ppm: f64, seconds: f64, seed: u64) -> Network {
        match self {
            Path::Lossy => Network::new(&lossy_path(drift_ppm), seconds, seed),
            Path::Hard => Network::new(&hard_path(drift_ppm, seconds, seed), seconds, seed),
            Path::Case(case) => {
                let mut case = case.clone();
                case.network.clock.drift_ppm = drift_ppm;
                case.network(seconds, seed)
            }
        }
    }
}

#[derive(Default)]
struct HonestRow {
    path: String,
    reports: u64,
    suspected: u64,
    suspected_with_heard: u64,
    off_ppm: f64,
}

impl HonestRow {
    fn cells(&self) -> String {
        let HonestRow { path, reports, suspected, suspected_with_heard, off_ppm } = self;
        format!("{path} | {reports} | {suspected} | {suspected_with_heard} | {off_ppm:.2}")
    }
}

fn honest(args: &Args, paths: &[Path]) -> Vec<HonestRow> {
    each(paths.iter().collect(), |path| {
        let seconds = args.hours * 3600.0;
        let mut row = HonestRow { path: path.name().into(), ..HonestRow::default() };
        for (seed, ppm) in runs(args) {
            for hears in [false, true] {
                let session = WatchConfig { seconds, every_s: args.every, hears };
                let outcome = watch(&mut path.network(ppm, seconds, seed), Cheat::None, session, seed);
                let found = u64::from(outcome.verdict.worst >= RateLevel::Likely);
                *(if hears { &mut row.suspected_with_heard } else { &mut row.suspected }) += found;
                row.reports += outcome.reports;
                row.off_ppm = row.off_ppm.max((outcome.verdict.mean_ppm - ppm).abs());
            }
        }
        row
    })
}

fn runs(args: &Args) -> Vec<(u64, f64)> {
    args.seeds.range().flat_map(|seed| CRYSTALS.map(|ppm| (seed, ppm))).collect()
}

fn cheats(args: &Args, path: &Path) -> Vec<String> {
    let rate = |fraction| Cheat::Rate { fraction, from_s: FROM_S };
    let jump = |by_s| Cheat::Jump { by_s, at_s: FROM_S };
    let all = [
        ("+10 %", rate(0.10)),
        ("+2 %", rate(0.02)),
        ("+0.5 %", rate(0.005)),
        ("+0.2 %", rate(0.002)),
        ("+0.1 %", rate(0.001)),
        ("+2 % from the start", Cheat::Rate { fraction: 0.02, from_s: 0.0 }),
        ("+0.2 % from the start", Cheat::Rate { fraction: 0.002, from_s: 0.0 }),
        ("+10 % for 5 s a minute", Cheat::Sometimes { fraction: 0.10, from_s: FROM_S }),
        ("0.5 s added", jump(0.5)),
        ("2 s added", jump(2.0)),
        ("2 s removed", jump(-2.0)),
        ("-2 %", rate(-0.02)),
        ("-50 %", rate(-0.5)),
    ];
    each(all.into(), |(name, cheat)| {
        let [likely, proven] = times(args, path, cheat, false);
        let [likely_with_heard, proven_with_heard] = times(args, path, cheat, true);
        format!("{name} | {likely} | {proven} | {likely_with_heard} | {proven_with_heard}")
    })
}

fn times(args: &Args, path: &Path, cheat: Cheat, hears: bool) -> [String; 2] {
    let session = WatchConfig { seconds: cheat.begins_s() + PATIENCE_S, every_s: args.every, hears };
    // Runs with cheats are short, so ten times as many are affordable.
    let many = options::Seeds { count: args.seeds.count * 10, ..args.seeds };
    let many = Args { seeds: many, trace: Vec::new(), ..*args };
    let outcomes: Vec<Outcome> = runs(&many)
        .into_par_iter()
        .map(|(seed, ppm)| watch(&mut path.network(ppm, session.seconds, seed), cheat, session, seed))
        .collect();
    let shown = |time: fn(&Outcome) -> Option<f64>| {
        let after = |outcome| time(outcome).map_or(f64::INFINITY, |at_s| at_s - cheat.begins_s());
        let times = sorted(outcomes.iter().map(after));
        let text = |s: f64| if s.is_finite() { format!("{s:.1}") } else { "-".into() };
        format!("{}, {}", text(times[times.len() / 2]), text(times[times.len() - 1]))
    };
    [shown(|it| it.likely.map(|(at_s, _)| at_s)), shown(|it| it.proven.map(|(at_s, _)| at_s))]
}
