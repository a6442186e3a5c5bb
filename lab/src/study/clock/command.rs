//! `lab bench`: the product beside every published clock, on made-up and recorded paths.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::markdown::markdown;
use super::page::page;
use super::suite::{Case, CaseResult, Plan, clocks, run as measure};
use super::summary::{best_published, standings};
use crate::measure::product::PRODUCT;
use crate::report::exit::FAULT;
use crate::report::table;
use crate::sim::scenario::Scenario;
use crate::sim::trace::{self, Split};

/// Measures the product beside every published clock, on the same exchanges
///
/// Without --scenario and --trace all scenarios are run; with either, only what is named
/// (--scenario all --trace DIR runs everything). Exits with 1 if the product broke a promise on a path where
/// it makes one: a read outside its bound, a step backwards, a rate beyond its slew rate.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Scenario to run, or "all"; may be given more than once
    #[arg(long, value_name = "NAME")]
    scenario: Vec<String>,
    /// Recorded delays to run, or a directory of such files; may be given more than once
    #[arg(long, value_name = "FILE|DIR")]
    trace: Vec<PathBuf>,
    /// Length of each run in seconds; scenarios with a longer time of their own are cut to it [default: 600]
    #[arg(long, value_name = "N")]
    seconds: Option<f64>,
    /// Number of runs of each, each with another seed; figures are their medians
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    /// First seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Seconds between probes, after an opening burst of ten
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    poll: f64,
    /// Rate error of the client's clock on recorded paths, in ppm
    #[arg(long, value_name = "X", default_value_t = 20.0, allow_negative_numbers = true)]
    ppm: f64,
    /// How round trips of recordings are divided between the directions
    #[arg(long, value_enum, default_value_t)]
    split: Split,
    /// Let each clock probe when it wants, instead of giving all the same exchanges
    #[arg(long)]
    own_schedule: bool,
    /// Only this clock; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Print only the summary
    #[arg(long)]
    brief: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the tables of docs/theory.md: the cases, then all clocks, in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Write a self-contained page with tables and plots
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// List the scenarios and end
    #[arg(long)]
    list: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        for scenario in Scenario::all()? {
            println!("{:22} {}", scenario.name, scenario.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let plan = plan(args)?;
    let bar = progress(plan.cases.len() * plan.seeds.len());
    let results = measure(&plan, || bar.inc(1))?;
    bar.finish_and_clear();
    let standings = standings(&results);
    if let Some(path) = &args.html {
        std::fs::write(path, page(&plan, &results, &standings)?).with_context(|| {
            format!("cannot write {}; give a file in a directory that exists", path.display())
        })?;
    }
    let faults = faults(&plan, &results);
    let end = if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FAULT) };
    if args.json {
        let report = json!({
            "seeds": plan.seeds, "poll_s": plan.poll_s, "own_schedule": plan.own_schedule,
            "settle_cut_s": plan.settle_cut_s, "cases": results, "summary": standings,
            "faults": faults,
        });
        println!("{report:#}");
        return Ok(end);
    }
    if args.markdown {
        print!("{}", markdown(&results, &standings));
        for fault in &faults {
            eprintln!("{fault}");
        }
        return Ok(end);
    }
    for result in results.iter().filter(|_| !args.brief) {
        println!("\n{}: {} ({} s)", result.case, result.about, result.seconds);
        println!("{}", table::case_table(result));
    }
    for (number, result) in results.iter().enumerate() {
        if let Some((best, p99)) = best_published(&result.rows, |row| row.score.p99_ms) {
            if number == 0 {
                println!("\nbest published clock of each");
            }
            println!("  {:32} {:16} p99 {} ms", result.case, best, table::ms(p99));
        }
    }
    println!("\nall clocks over {} cases, errors in ms after {} s", results.len(), plan.settle_cut_s);
    println!("{}", table::summary_table(&standings));
    println!("seeds {} to {}", args.seed, args.seed + args.seeds - 1);
    for fault in &faults {
        println!("{}", table::alarm(fault));
    }
    Ok(end)
}

/// What the product did not keep of its promises, on paths where it makes them.
fn faults(plan: &Plan, results: &[CaseResult]) -> Vec<String> {
    let promised = netclock::Config::default();
    let mut faults = Vec::new();
    for (case, result) in plan.cases.iter().zip(results) {
        if !case.drifts_within(promised.max_drift_ppm) {
            continue;
        }
        for row in result.rows.iter().filter(|row| row.clock == PRODUCT) {
            let found = row.score.faults(Some(promised.max_slew));
            faults.extend(found.into_iter().map(|fault| format!("FAULT {}: {fault}", case.name)));
        }
    }
    faults
}

fn plan(args: &Args) -> Result<Plan> {
    ensure!((1..=1000).contains(&args.seeds), "--seeds is {}; give 1 to 1000", args.seeds);
    ensure!(args.poll >= 0.01, "--poll is {}; give at least 0.01 seconds", args.poll);
    if let Some(seconds) = args.seconds {
        ensure!((1.0..=1e6).contains(&seconds), "--seconds is {seconds}; give 1 to 1000000");
    }
    for name in &args.only {
        if !clocks().any(|clock| clock == name) {
            bail!("there is no clock {name}; there are {}", clocks().collect::<Vec<_>>().join(", "));
        }
    }
    let all = args.scenario.is_empty() && args.trace.is_empty();
    let scenarios = if all { &["all".to_owned()] } else { &args.scenario[..] };
    let cases = cases(scenarios, &args.trace, args.split, args.ppm)?;
    let standard = Plan::default();
    let seconds = args.seconds.unwrap_or(standard.seconds);
    Ok(Plan {
        cases,
        seconds,
        longest_s: args.seconds.unwrap_or(f64::INFINITY),
        poll_s: args.poll,
        settle_cut_s: standard.settle_cut_s.min(seconds / 2.0),
        seeds: (args.seed..args.seed.saturating_add(args.seeds)).collect(),
        own_schedule: args.own_schedule,
        only: args.only.clone(),
    })
}

/// The scenarios of these names ("all": every one), then the recordings of these files and directories.
pub(crate) fn cases(names: &[String], traces: &[PathBuf], split: Split, ppm: f64) -> Result<Vec<Case>> {
    let all = Scenario::all()?;
    let everything = names.iter().any(|name| name == "all");
    for name in names.iter().filter(|name| *name != "all") {
        if !all.iter().any(|scenario| scenario.name == *name) {
            bail!("there is no scenario {name}; lab bench --list shows all");
        }
    }
    let wanted = |scenario: &Scenario| everything || names.contains(&scenario.name);
    let mut cases: Vec<Case> = all.into_iter().filter(wanted).map(Case::from).collect();
    for file in trace::find(traces)? {
        cases.push(Case::from_file(&file, split, ppm)?);
    }
    Ok(cases)
}

fn progress(runs: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left");
    let bar = ProgressBar::new(runs as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}
