//! A progress bar for long studies, displayed only if standard error is a terminal.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Result;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use rayon::prelude::*;

const TICK: Duration = Duration::from_secs(1);

pub(crate) fn each<J: Send, R: Send>(jobs: Vec<J>, run: impl Fn(J) -> R + Sync) -> Vec<R> {
    let bar = started(jobs.len() as u64, "{bar:40} {pos}/{len} runs, {elapsed} so far{left}");
    let done = jobs.into_par_iter().map(&run).inspect(|_| bar.inc(1)).collect();
    bar.finish_and_clear();
    done
}

pub(crate) fn each_case<C: Sync, R: Send>(
    cases: &[C],
    seeds: impl Iterator<Item = u64> + Clone,
    run: impl Fn(&C, u64) -> Result<R> + Sync,
) -> Result<Vec<Vec<R>>> {
    let jobs = cases.iter().flat_map(|case| seeds.clone().map(move |seed| (case, seed))).collect();
    let mut runs = each(jobs, |(case, seed)| run(case, seed)).into_iter();
    cases.iter().map(|_| runs.by_ref().take(seeds.clone().count()).collect()).collect()
}

fn left(state: &ProgressState, to: &mut dyn Write) {
    if state.pos() > 0 {
        // Writing to the bar cannot fail.
        let _ = write!(to, ", {:#} left", HumanDuration(state.eta()));
    }
}

fn started(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("left", left));
    }
    bar.tick();
    bar.enable_steady_tick(TICK);
    bar
}
