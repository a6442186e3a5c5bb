//! `lab study order`: how often verdicts on the order of events are right, and how often they claim to be.

use std::process::ExitCode;

use anyhow::Result;

use super::arbitration::{CLASSES, Tally, measure};
use super::runs::Runs;
use crate::report::exit::verdict;
use crate::report::table;

/// The scenarios that run by default.
const STANDARD: &str = "wifi bad satellite uplink_bloat drift_80 route_up frames_60_30 asymmetry";

/// Probability at which an unproven order is decided.
const CONFIDENCE: f64 = 0.95;

/// Checks verdicts on the order of events that two clients stamped
///
/// Half of the pairs of events are up to four expected errors apart, the other half up to 1.2 error bounds.
/// Each class of probabilities has two figures: how often the likelier order was claimed to be right, and how
/// often it was right (%). Exits with 1 if a proven order was wrong.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    runs: Runs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (cases, runs) =
        args.runs.on(STANDARD, |case, seed| measure(args.runs.seconds, case, seed, CONFIDENCE))?;
    let names = cases.iter().map(|case| case.name.clone());
    let mut results: Vec<(String, Tally)> = names.zip(runs.iter().map(|runs| sum(runs))).collect();
    let all = sum(&results.iter().map(|(_, tally)| tally.clone()).collect::<Vec<_>>());
    let end = verdict(all.proven[1] == 0);
    results.push(("all".into(), all));
    let class = |ends: &[f64]| format!("{:.0}-{:.0} %", 100.0 * ends[0], 100.0 * ends[1]);
    let classes: Vec<String> = CLASSES.windows(2).map(class).collect();
    let header = format!("path | pairs | proven % | wrong | decided % | wrong % | {}", classes.join(" | "));
    let rows = results.iter().map(|(path, tally)| cells(path, tally));
    println!("{}", table::plain(&header, rows, args.runs.markdown));
    Ok(end)
}

fn sum(tallies: &[Tally]) -> Tally {
    let mut all = Tally::default();
    for tally in tallies {
        all.add(tally);
    }
    all
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
