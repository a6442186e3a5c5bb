//! `lab study verdicts`: true, missed and false verdicts of `lab report`, by cause.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use clap::value_parser;
use rayon::prelude::*;

use super::sessions::{CAUSES, Judged, session};
use crate::report::session::verdict::Kind;
use crate::study::output::{Format, Study};

/// Largest allowed share of false verdicts (%).
const MOST_FALSE_PERCENT: f64 = 1.0;

/// Counts true, missed and false verdicts of `lab report` on sessions with known causes
///
/// Each session has one cause or none: queues, route changes, restarts, steps, slews, rates, pauses, loss,
/// several servers, and files with missing or impossible timestamps. The seed chooses paths, crystals and
/// intervals. Every other session is a file without statuses and ids, as written by importers. Exits with 1
/// if more than 1 % of the verdicts are false.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Number of sessions (14 to 100000)
    #[arg(long, value_name = "N", default_value_t = 500)]
    #[arg(value_parser = value_parser!(u64).range(14..=100_000))]
    sessions: u64,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print each missed and each false verdict
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    format: Format,
}

/// The counts for one cause, or for all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub sessions: usize,
    /// Sessions whose cause was found.
    pub found: usize,
    pub verdicts: usize,
    /// False verdicts.
    pub wrong: usize,
}

impl Counts {
    /// Adds a session.
    pub fn add(&mut self, judged: &Judged) {
        self.sessions += 1;
        self.found += usize::from(judged.verdicts.iter().any(|it| judged.expected().contains(&it.kind)));
        self.verdicts += judged.verdicts.len();
        self.wrong += judged.verdicts.iter().filter(|it| !judged.is_true(it)).count();
    }

    /// Share of the verdicts that are false (%).
    pub fn wrong_percent(&self) -> f64 {
        100.0 * self.wrong as f64 / self.verdicts.max(1) as f64
    }

    fn row(&self, name: &str) -> String {
        let Counts { sessions, found, verdicts, wrong } = *self;
        format!("{name} | {sessions} | {found} | {} | {verdicts} | {wrong}", sessions - found)
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let numbers = (0..args.sessions).into_par_iter();
    let all: Vec<Judged> = numbers.map(|number| session(args.seed, number)).collect::<Result<_>>()?;
    let rows = CAUSES.iter().map(|cause| {
        let mut counts = Counts::default();
        all.iter().filter(|it| it.cause == *cause).for_each(|it| counts.add(it));
        counts.row(&format!("{cause:?}"))
    });
    let mut sum = Counts::default();
    all.iter().for_each(|it| sum.add(it));
    let header = "cause | sessions | found | missed | verdicts | false";
    let mut study = Study::new(args.format);
    study.table("", header, rows.chain([sum.row("all")]));
    let mut kinds: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for judged in &all {
        for it in &judged.verdicts {
            kinds.entry(format!("{:?}", it.kind)).or_default()[usize::from(!judged.is_true(it))] += 1;
        }
    }
    let rows = kinds.iter().map(|(kind, [right, wrong])| format!("{kind} | {right} | {wrong}"));
    study.table("", "verdict | true | false", rows);
    let wrong = sum.wrong_percent();
    study.line(&format!("{wrong:.2} % of the verdicts are false."));
    if args.explain {
        all.iter().zip(0..).for_each(|(judged, number)| explain(&study, judged, number));
    }
    let most = MOST_FALSE_PERCENT;
    study.check(wrong <= most, || format!("{wrong:.2} % of the verdicts are false, more than {most} %"));
    Ok(study.end())
}

/// Prints the errors in a session's report.
fn explain(study: &Study, judged: &Judged, number: u64) {
    let is_missed = !judged.verdicts.iter().any(|it| judged.expected().contains(&it.kind));
    let wrong = judged.verdicts.iter().filter(|it| !judged.is_true(it));
    let wrong: Vec<(Kind, &str)> = wrong.map(|it| (it.kind, it.words.as_str())).collect();
    if is_missed || !wrong.is_empty() {
        let what = if is_missed { "missed" } else { "found" };
        study.line(&format!("{number}: {:?} {what}: {}", judged.cause, judged.about));
        wrong.iter().for_each(|(kind, words)| study.line(&format!("    false: {kind:?}: {words}")));
    }
}
