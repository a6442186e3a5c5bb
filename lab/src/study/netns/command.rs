use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};

use super::clocks::CLOCKS;
use super::load;
use super::plan::{ROWS, Row, find};
use super::run::{Ran, run as run_row};
use crate::net::chronyd::Installed;
use crate::net::judge::Judged;
use crate::net::lifetime::Stop;
use crate::recorded::codec::encode;
use crate::report::{each, ms, program};
use crate::study::output::{Format, Study};
use netclock_sim::{Account, nearest_rank, sorted};

/// Measures clocks over kernel queues filled by real TCP
///
/// Needs Linux, root, /dev/net/tun and chrony. A client and a server run in separate network namespaces. The
/// path between them has 25 ms each way, bottlenecks of 5 Mbit/s up and 20 Mbit/s down with 250 ms buffers,
/// and the load of the row. Nothing outside these namespaces changes, and nothing is left behind. Exits with
/// 1 if NetClock was outside its bound or ran backward.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Row to run; repeat for several [default: all]
    #[arg(long, value_name = "NAME")]
    row: Vec<String>,
    /// Duration of each run in seconds; errors in the first 30 s are ignored
    #[arg(long, value_name = "N", default_value_t = 240,
          value_parser = clap::value_parser!(u32).range(5..=3_600))]
    seconds: u32,
    /// Number of runs of each row
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// Number of simultaneous runs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=50))]
    jobs: u32,
    /// Write the delays of each row's first run to this directory
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// List the rows
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        ROWS.iter().for_each(|row| println!("{:16} {}", row.name, row.about));
        return Ok(ExitCode::SUCCESS);
    }
    let rows = rows(&args.row)?;
    let installed = Installed::find()?;
    let stop = Stop::on_ctrl_c()?;
    let jobs: Vec<&Row> = (0..args.runs).flat_map(|_| rows.iter().copied()).collect();
    let results = run_all(jobs, args, &stop)?;
    if let Some(place) = &args.record {
        for (row, ran) in rows.iter().zip(&results) {
            let file = place.join(format!("{}.delays", row.name));
            let written = std::fs::write(&file, encode(&ran.outcome.delays));
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    let mut study = Study::new(args.format);
    for (place, row) in rows.iter().enumerate() {
        let runs: Vec<&Ran> = results.iter().skip(place).step_by(rows.len()).collect();
        print(&mut study, row, &runs, i64::from(args.seconds));
    }
    study.line(&format!("chronyd {}", installed.version));
    Ok(study.end())
}

fn rows(names: &[String]) -> Result<Vec<&'static Row>> {
    if let Some(name) = names.iter().find(|name| find(name).is_none()) {
        bail!("there is no row {name}; `{} study netns --list` shows all", program());
    }
    let named = ROWS.iter().filter(|row| names.is_empty() || names.iter().any(|name| name == row.name));
    let mut rows: Vec<&Row> = named.collect();
    rows.retain(|row| {
        let missing = row.loads.iter().find(|load| !load::is_available(load.control));
        if let Some(missing) = missing {
            eprintln!(
                "lab: skipping {}: this kernel has no {} (modprobe tcp_{0})",
                row.name, missing.control
            );
        }
        missing.is_none()
    });
    Ok(rows)
}

/// Returns the results in the order of the rows. An error stops all runs.
fn run_all(rows: Vec<&Row>, args: &Args, stop: &Stop) -> Result<Vec<Ran>> {
    let failed = OnceLock::new();
    let one = |row: &Row| {
        if stop.is_set() {
            return None;
        }
        let ran = run_row(row, args.seconds.into(), stop).with_context(|| format!("row {}", row.name));
        // Later failures only result from stopping the other runs.
        ran.map_err(|error| failed.set(error).map(|()| stop.set())).ok()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs as usize).build()?;
    let results: Option<Vec<Ran>> = pool.install(|| each(rows, one)).into_iter().collect();
    failed.into_inner().map_or(Ok(()), Err)?;
    results.context("stopped before the end")
}

/// The number of NetClock's clocks, which come first in the list. Only NetClock's guarantees are checked.
const OURS: usize = 3;

fn print(study: &mut Study, row: &Row, runs: &[&Ran], seconds: i64) {
    let mut lines = Vec::new();
    for (place, (clock, _)) in CLOCKS.iter().enumerate() {
        let of = |run: &Ran| run.outcome.judged[place].clone();
        let judged: Vec<Judged> = runs.iter().map(|run| of(run)).collect();
        let all = |figure: fn(&Judged) -> Option<f64>| sorted(judged.iter().filter_map(figure));
        let middle = |figure| nearest_rank(&all(figure), 0.5).map_or_else(|| "-".into(), ms);
        let p99s: Vec<String> = judged.iter().filter_map(|run| run.p99_ms).map(ms).collect();
        let passed = sorted(runs.iter().map(|run| run.passed[place].first_bytes as f64 / 1e3));
        let rest = sorted(runs.iter().filter_map(|run| run.passed[place].rest_rate(seconds)));
        let back = sorted(runs.iter().filter_map(|run| run.passed[place].back_s));
        let last = |values: &[f64]| values.last().map_or_else(|| "-".into(), |value| format!("{value:.1}"));
        let (p50, p99s) = (middle(|run| run.p50_ms), p99s.join(" "));
        let max = all(|run| run.max_ms).last().copied().map_or_else(|| "-".into(), ms);
        let Account { reads, outside, backwards, .. } = judged.iter().map(|run| run.account).sum();
        let (above, within) = (judged.iter().map(|run| run.above_bound).sum::<usize>(), within(&judged));
        let [passed, rest, back] = [passed, rest, back].map(|values| last(&values));
        lines.push(format!(
            "{clock} | {p50} | {p99s} | {max} | {reads} | {outside} | {backwards} | {above} | {within} | \
             {passed} | {rest} | {back}"
        ));
    }
    let header = "clock | p50 ms | p99 of each run | max | reads | outside | back | sigma > bound | \
                  within 1 2 3 | KB first 30 s | B/s at rest | back after s";
    study.table(&format!("\n{}: {}\n", row.name, row.about), header, lines);
    let unmarked = sorted(runs.iter().filter_map(|run| run.outcome.unmarked_s));
    if let Some(last) = unmarked.last() {
        study.line(&format!("marked datagrams were dropped; the link removed its mark by second {last:.1}"));
    }
    let ours = |run: &&Ran| run.outcome.judged[..OURS].iter().all(Judged::is_kept);
    study.check(runs.iter().all(ours), || format!("{}: a read broke a guarantee", row.name));
}

fn within(judged: &[Judged]) -> String {
    let shares: Vec<[f64; 3]> = judged.iter().filter_map(|run| run.within).collect();
    if shares.is_empty() {
        return "-".into();
    }
    let mean = |place: usize| shares.iter().map(|share| share[place]).sum::<f64>() / shares.len() as f64;
    format!("{:.0} {:.0} {:.0}", mean(0), mean(1), mean(2))
}
