//! `lab study order`: checks that verdicts on the order of clients' events are correct as often as claimed.
//!
//! Two clients timestamp events, each over its own path and with its own crystal. The true order is known.

use std::process::ExitCode;

use anyhow::Result;
use netclock::order::{Clocks, Order, Stamp, arbitrate};
use netclock::{ServerTime, Span};

use super::Runs;
use crate::study::output::Study;
use netclock_sim::{Case, Product, Random, Read, Session, Watch};

/// The number of reads between two events. With 60 reads per second, there is one event per second.
const EVERY: usize = 60;
/// Half of the pairs are up to this many expected errors apart, and the other half up to this many error
/// bounds.
const APART: f64 = 4.0;
const FAR: f64 = 1.2;
const POLL_S: f64 = 1.0;
/// Events before this time do not count, because the clocks are still settling.
const SETTLE_CUT_S: f64 = 30.0;
const NOON: i64 = 1 << 56;

pub const CLASSES: [f64; 6] = [0.5, 0.7, 0.9, 0.95, 0.99, 1.0];

const STANDARD: &str = "wifi bad satellite uplink_bloat drift_80 route_up frames_60_30 asymmetry";

const CONFIDENCE: f64 = 0.95;

/// Checks verdicts on the order of two clients' timestamped events
///
/// In half of the pairs, the events are up to four expected errors apart, and in the others up to 1.2 error
/// bounds. For each probability class, the table compares the claimed probability of the likelier order with
/// its actual share (%). Exits with 1 if a proven order was wrong.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    runs: Runs,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (cases, runs) =
        args.runs.on(STANDARD, |case, seed| measure(args.runs.seconds, case, seed, CONFIDENCE))?;
    let names = cases.iter().map(|case| case.name.clone());
    let mut results: Vec<(String, Tally)> = names.zip(runs.iter().map(Tally::sum)).collect();
    let all = Tally::sum(results.iter().map(|(_, tally)| tally));
    let mut study = Study::new(args.runs.format);
    study.check(all.proven[1] == 0, || format!("{} proven orders were wrong", all.proven[1]));
    results.push(("all".into(), all));
    let class = |ends: &[f64]| format!("{:.0}-{:.0} %", 100.0 * ends[0], 100.0 * ends[1]);
    let classes: Vec<String> = CLASSES.windows(2).map(class).collect();
    let header = format!("path | pairs | proven % | wrong | decided % | wrong % | {}", classes.join(" | "));
    let rows = results.iter().map(|(path, tally)| cells(path, tally));
    study.table("", &header, rows);
    Ok(study.end())
}

fn cells(path: &str, tally: &Tally) -> String {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let classes = tally.classes.map(|(count, sum, hits)| match count {
        0 => "-".to_owned(),
        _ => format!("{:.1}: {:.1}", 100.0 * sum / count as f64, share(hits, count)),
    });
    let Tally { pairs, proven: [proven, wrong], decided, .. } = tally;
    let (proven, of_decided) = (share(*proven, *pairs), share(decided[1], decided[0]));
    let decided = share(decided[0], *pairs);
    let classes = classes.join(" | ");
    format!("{path} | {pairs} | {proven:.0} | {wrong} | {decided:.0} | {of_decided:.1} | {classes}")
}

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub pairs: u64,
    /// The number of proven orders, and how many of them are wrong.
    pub proven: [u64; 2],
    /// The number of orders decided by probability, and how many of them are wrong.
    pub decided: [u64; 2],
    /// For each probability class, the number of pairs, the sum of their probabilities, and the number of
    /// right verdicts.
    pub classes: [(u64, f64, u64); CLASSES.len() - 1],
}

/// An unproven order is decided only if its probability is at least `confidence`.
pub fn measure(seconds: f64, case: &Case, seed: u64, confidence: f64) -> Result<Tally> {
    let client = |seed| -> Result<Vec<Read>> {
        let mut reads = Vec::new();
        let seconds = case.seconds.map_or(seconds, |own| own.min(seconds));
        let watch = Watch { seconds, settle_cut_s: SETTLE_CUT_S };
        let session = Session::new(case, watch, Some(POLL_S), seed);
        session.run(&mut Product::new(&session.network, false, seed)?, |read| {
            if read.at_s >= SETTLE_CUT_S {
                reads.push(*read);
            }
        });
        Ok(reads.into_iter().step_by(EVERY).collect())
    };
    let (first, second) = (client(2 * seed)?, client(2 * seed + 1)?);
    let mut random = Random::new(seed, "events");
    let mut tally = Tally::default();
    // We reverse the second client's path, because the asymmetries of identical paths would cancel out.
    for (a, b) in first.iter().zip(&second) {
        let size = |read: &Read, value: Option<i64>| value.map_or(read.error.abs(), |ticks| ticks as f64);
        let expected = size(a, a.expected).hypot(size(b, b.expected));
        let bounds = size(a, a.bound) + size(b, b.bound);
        let reach = if random.chance(0.5) { APART * expected } else { FAR * bounds };
        tally.judge(a, &Read { error: -b.error, ..*b }, random.between(-reach, reach).round(), confidence)?;
    }
    Ok(tally)
}

fn stamp(read: &Read, later: f64) -> Stamp {
    let span = |ticks: Option<i64>| ticks.map_or(Span::MAX, Span::from_ticks);
    Stamp {
        time: ServerTime::from_ticks(NOON + (later + read.error).round() as i64),
        error_bound: span(read.bound),
        expected_error: span(read.expected),
    }
}

impl Tally {
    fn judge(&mut self, a: &Read, b: &Read, apart: f64, confidence: f64) -> Result<()> {
        let verdict = arbitrate(&stamp(a, 0.0), &stamp(b, apart), Clocks::Independent, confidence)?;
        if apart == 0.0 {
            return Ok(());
        }
        self.pairs += 1;
        let truth = if apart > 0.0 { Order::Before } else { Order::After };
        let wrong = u64::from(verdict.order != truth);
        if verdict.proven {
            self.proven[0] += 1;
            self.proven[1] += wrong;
            return Ok(());
        }
        if verdict.order != Order::TooClose {
            self.decided[0] += 1;
            self.decided[1] += wrong;
        }
        let likelier = verdict.probability.max(1.0 - verdict.probability);
        let right = (verdict.probability >= 0.5) == (truth == Order::Before);
        let class = CLASSES[1..].iter().position(|&end| likelier < end).unwrap_or(CLASSES.len() - 2);
        let (count, sum, hits) = &mut self.classes[class];
        *count += 1;
        *sum += likelier;
        *hits += u64::from(right);
        Ok(())
    }

    pub fn sum<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Tally::default();
        all.into_iter().for_each(|tally| sum.add(tally));
        sum
    }

    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        for (mine, theirs) in [(&mut self.proven, &other.proven), (&mut self.decided, &other.decided)] {
            mine[0] += theirs[0];
            mine[1] += theirs[1];
        }
        for (mine, theirs) in self.classes.iter_mut().zip(&other.classes) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1, mine.2 + theirs.2);
        }
    }
}
