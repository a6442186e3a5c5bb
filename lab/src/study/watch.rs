//! `lab study watch`: checks that the server detects cheats and does not suspect honest players.
//!
//! The player sends timestamped messages at a steady rate, and the server sends ten messages per second. Each
//! message from the player echoes the send time of the newest server message that the player has received.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use netclock::watch::{RateFinding, RateLevel, RateVerdict, RateWatch};
use netclock::{LocalTime, ServerTime};
use rayon::prelude::*;

use crate::report::{each, number, options};
use crate::scenario;
use crate::study::output::{Format, Study};
use netclock_sim::{
    BurstLoss, Case, ClockConfig, LegConfig, Network, NetworkConfig, Queue, Random, Saw, Shift, Split,
    TICKS_PER_S, sorted, trace,
};

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
    // Runs with cheats are short, so we can afford ten times as many.
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

const SERVER_EVERY_S: f64 = 0.1;
/// Send times deviate from their nominal times by up to this fraction of the interval.
const SPREAD: f64 = 0.1;
/// The mean time between route changes on the hard path.
const ROUTE_LASTS_S: f64 = 600.0;
const ROUTE_MS: f64 = 50.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cheat {
    None,
    Rate {
        fraction: f64,
        from_s: f64,
    },
    /// The clock runs too fast for 5 s of every minute.
    Sometimes {
        fraction: f64,
        from_s: f64,
    },
    Jump {
        by_s: f64,
        at_s: f64,
    },
}

impl Cheat {
    /// Returns infinity for an honest player.
    pub fn begins_s(self) -> f64 {
        match self {
            Cheat::None => f64::INFINITY,
            Cheat::Rate { from_s, .. } | Cheat::Sometimes { from_s, .. } => from_s,
            Cheat::Jump { at_s, .. } => at_s,
        }
    }

    fn gained_s(self, t: f64) -> f64 {
        match self {
            Cheat::None => 0.0,
            Cheat::Rate { fraction, from_s } => fraction * (t - from_s).max(0.0),
            Cheat::Sometimes { fraction, from_s } => {
                let since = (t - from_s).max(0.0);
                fraction * (5.0 * (since / 60.0).floor() + (since % 60.0).min(5.0))
            }
            Cheat::Jump { by_s, at_s } => by_s * f64::from(t >= at_s),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct WatchConfig {
    pub seconds: f64,
    pub every_s: f64,
    pub hears: bool,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub reports: u64,
    /// The time at which a cheat was first considered likely (s), and the finding.
    pub likely: Option<(f64, RateFinding)>,
    pub proven: Option<(f64, RateFinding)>,
    pub verdict: RateVerdict,
}

pub fn watch(network: &mut Network, cheat: Cheat, session: WatchConfig, seed: u64) -> Outcome {
    let mut watch = RateWatch::default();
    let mut random = Random::new(seed, "player");
    let mut line = InFlight::default();
    let mut outcome = Outcome { reports: 0, likely: None, proven: None, verdict: watch.verdict() };
    let mut t = 0.0;
    while t < session.seconds {
        let heard = if session.hears { line.heard(network, t) } else { None };
        let stamp = network.clocks.client(t) + (cheat.gained_s(t) * TICKS_PER_S) as i64;
        for arrived in network.up(t) {
            let arrived = network.clocks.server(arrived);
            line.underway.add(arrived, (arrived, stamp, heard));
        }
        t = network.client_turn(t + session.every_s * random.between(1.0 - SPREAD, 1.0 + SPREAD));
        // Messages that arrive later stay in flight.
        while let Some((arrived, stamp, heard)) = line.underway.next_until(network.clocks.server(t)) {
            let (stamped, at) = (LocalTime::from_ticks(stamp), ServerTime::from_ticks(arrived));
            watch
                .report(stamped, at, heard.map(ServerTime::from_ticks))
                .expect("timestamps are valid and in order");
            outcome.reports += 1;
            let verdict = watch.verdict();
            let when = (t, verdict.finding.unwrap_or(RateFinding::Fast));
            if verdict.level >= RateLevel::Likely && outcome.likely.is_none() {
                outcome.likely = Some(when);
            }
            if verdict.level >= RateLevel::Proven && outcome.proven.is_none() {
                outcome.proven = Some(when);
            }
        }
    }
    outcome.verdict = watch.verdict();
    outcome
}

#[derive(Default)]
struct InFlight {
    /// The arrival, timestamp and echoed timestamp of each message in flight from the player (ticks).
    underway: Queue<i64, (i64, i64, Option<i64>)>,
    coming: Vec<(f64, f64)>,
    sent: u64,
    newest: Option<f64>,
}

impl InFlight {
    fn heard(&mut self, network: &mut Network, t: f64) -> Option<i64> {
        while self.sent as f64 * SERVER_EVERY_S < t {
            let at = self.sent as f64 * SERVER_EVERY_S;
            self.coming.extend(network.down(at).into_iter().map(|arrives| (arrives, at)));
            self.sent += 1;
        }
        let newest = &mut self.newest;
        self.coming.retain(|&(arrives, at)| {
            if arrives <= t && newest.is_none_or(|known| at > known) {
                *newest = Some(at);
            }
            arrives > t
        });
        self.newest.map(|at| network.clocks.server(at))
    }
}

/// A bad path with 10 % random loss, additional bursts of loss, 30 ms of jitter, duplicates and reordering.
pub fn lossy_path(drift_ppm: f64) -> NetworkConfig {
    let leg = LegConfig {
        base_ms: 60.0,
        jitter_ms: 30.0,
        loss: 0.10,
        duplicate: 0.02,
        reorder: 0.02,
        reorder_ms: 200.0,
        burst_loss: Some(BurstLoss { good_s: 30.0, bad_s: 2.0, loss: 0.9 }),
        ..Default::default()
    };
    let clock = ClockConfig { drift_ppm, wander_ppm: 0.3, ..Default::default() };
    NetworkConfig { clock, forward: leg.clone(), reverse: leg, ..Default::default() }
}

pub fn hard_path(drift_ppm: f64, seconds: f64, seed: u64) -> NetworkConfig {
    let mut network = lossy_path(drift_ppm);
    network.forward.saw = Some(Saw { peak_ms: 150.0, period_s: 20.0, idle_s: 100.0, from_s: 0.0 });
    network.forward.shifts = shifts(seconds, &mut Random::new(seed, "routes up"));
    network.reverse.shifts = shifts(seconds, &mut Random::new(seed, "routes down"));
    network
}

fn shifts(seconds: f64, random: &mut Random) -> Vec<Shift> {
    let (mut shifts, mut at_s, mut longer) = (Vec::new(), 0.0, false);
    loop {
        at_s += random.exponential(ROUTE_LASTS_S);
        if at_s > seconds {
            return shifts;
        }
        longer = !longer;
        shifts.push(Shift { at_s, ms: if longer { ROUTE_MS } else { -ROUTE_MS } });
    }
}
