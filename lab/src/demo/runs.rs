//! `lab demo --runs`: summarises many runs, because a single good run may be luck.

use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::command::ended;
use super::figures::large;
use super::plan::DemoPlan;
use super::screen::Screen;
use super::summary::{Compared, Summary, Verdict};
use crate::demo::run as conduct;
use crate::net::lifetime::Stop;
use netclock_sim::measure::figures::{sorted, upper_median};

/// Runs all plans. Prints a line per run, and medians and ranges at the end.
pub(super) fn run(plans: impl Iterator<Item = Result<DemoPlan>>, is_json: bool) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    let (mut headlines, mut runs) = (Vec::new(), Vec::new());
    let (mut clients, mut beaten, mut worst) = (0, 0, Verdict::Kept);
    for plan in plans {
        let record = conduct::run(plan?, Screen { is_silent: true }, None, &stop)?.record;
        if !record.is_complete() {
            bail!("interrupted after {} runs", headlines.len());
        }
        let (seed, summary) = (record.plan.seed, Summary::new(&record));
        let closer = summary.clients.iter().filter(|client| client.since_incident.is_beaten());
        let closer: Vec<&str> = closer.map(|client| &*client.name).collect();
        (clients, beaten) = (clients + summary.clients.len(), beaten + closer.len());
        let verdict = summary.verdict();
        worst = if worst == Verdict::Kept { verdict } else { worst };
        if is_json {
            runs.push(json!({"seed": seed, "headline": summary.headline, "rival_closer": closer,
                             "verdict": verdict.word()}));
        } else {
            let figures = summary.headline.figures().map(|(name, ms)| format!("{name}: {}", large(ms)));
            println!("seed {seed}: {}. {}", figures.join(", "), verdict.word());
        }
        headlines.push(summary.headline);
    }
    let ranges = ranges(&headlines);
    if is_json {
        let of = |(name, [least, median, most]): &(&str, [f64; 3])| -> (String, Value) {
            ((*name).to_owned(), json!({"min": least, "median": median, "max": most}))
        };
        let figures: serde_json::Map<_, _> = ranges.iter().map(of).collect();
        println!("{:#}", json!({"runs": runs, "ms": figures, "clients": clients, "rival_closer": beaten}));
    } else {
        println!("\nMedian (range) of {} runs, for each clock's worst client:", headlines.len());
        for (name, ms) in ranges {
            let [least, median, most] = ms.map(|ms| large(Some(ms)));
            println!("{name}: {median} ({least} to {most})");
        }
        println!("The best rival was more accurate than NetClock on {beaten} of {clients} clients.");
    }
    Ok(ended(worst))
}

/// Returns the minimum, median and maximum of each clock's figure.
fn ranges(headlines: &[Compared]) -> Vec<(&'static str, [f64; 3])> {
    let of = |which: usize| {
        let all = sorted(headlines.iter().filter_map(|it| it.figures()[which].1));
        let name = Compared::default().figures()[which].0;
        Some((name, [*all.first()?, upper_median(&all)?, *all.last()?]))
    };
    (0..3).filter_map(of).collect()
}
