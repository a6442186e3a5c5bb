use std::process::ExitCode;

use anyhow::{Result, bail};
use serde_json::json;

use super::ours::{HINTED, Knowing, LINKED, WARM};
use super::suite::{BenchPlan, CaseResult, clocks, run as measure};
use super::summary::standings;
use super::tables;
use crate::report::{number, options, verdict};
use crate::scenario;
use crate::study::output::{Format, Study};
use netclock_sim::PRODUCT;

/// The part of a run in which errors count.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Window {
    /// From second 1 to second 30, when the runs end
    First,
    /// From second 30 to the end of the run
    #[default]
    Later,
}

/// Compares NetClock with every published clock on the same exchanges
///
/// Without --scenario and --trace, all scenarios run. With either, only the named paths run; for everything,
/// use --scenario all --trace DIR. Exits with 1 if NetClock violated a guarantee: a read outside its bound, a
/// backward step, or a rate beyond its slew rate. Paths on which NetClock guarantees nothing do not count.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    paths: options::Paths,
    /// Which errors count
    #[arg(long, value_enum, default_value_t)]
    window: Window,
    /// Length of each run in seconds; also shortens longer scenarios [default: 600]
    #[arg(long, value_name = "N", conflicts_with = "window", value_parser = number(1.0, 1e6))]
    seconds: Option<f64>,
    #[command(flatten)]
    seeds: options::Seeds,
    /// Seconds between probes, after an opening burst of ten
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = number(0.01, 1e6))]
    poll: f64,
    /// Let each clock send its own probes instead of passing all clocks the same exchanges
    #[arg(long)]
    own_schedule: bool,
    /// Run only this clock; repeat for several
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Set the limit on the client clock's rate error in NetClock, in ppm
    #[arg(long, value_name = "X", default_value_t = netclock::Config::default().client_drift_ppm)]
    client_drift_ppm: f64,
    /// Set the limit on the server clock's rate error in NetClock, in ppm
    #[arg(long, value_name = "X", default_value_t = netclock::Config::default().server_drift_ppm)]
    server_drift_ppm: f64,
    /// Change in each crystal's rate since netclock_warm's saved session, in ppm (one sigma)
    #[arg(long, value_name = "X", default_value_t = Knowing::default().moved_ppm)]
    moved_ppm: f64,
    /// Change in the client's rate due to a reboot after netclock_warm's saved session, in ppm [default: no
    /// reboot]
    #[arg(long, value_name = "X")]
    boot_ppm: Option<f64>,
    /// Error of the rate hint that netclock_hinted receives, in addition to its uncertainty of 1 ppm
    #[arg(long, value_name = "X",
          default_value_t = Knowing::default().hint_off_ppm, allow_negative_numbers = true)]
    hint_off_ppm: f64,
    /// Print only the summary of all paths
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    format: Format,
    /// Print comma-separated values, with a line for each kind of random network: crystals, joins, hints,
    /// intervals and losses
    #[arg(long, conflicts_with_all = ["json", "csv", "window", "poll", "seconds", "only"])]
    families: bool,
    /// List the scenarios
    #[arg(long)]
    list: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        for group in scenario::GROUPS.split(' ') {
            scenario::group(group)?.iter().for_each(|case| println!("{:22} {}", case.name, case.about));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let plan = plan(args)?;
    if args.families {
        return families(&plan);
    }
    let results = measure(&plan)?;
    let standings = standings(&results);
    let faults = faults(&plan, &results);
    if args.format.json {
        let report = json!({
            "seeds": plan.seeds, "poll_s": plan.poll_s, "own_schedule": plan.own_schedule,
            "settle_cut_s": plan.settle_cut_s, "cases": results, "summary": standings,
            "faults": faults,
        });
        println!("{report:#}");
        return Ok(verdict(faults.is_empty()));
    }
    let mut study = Study::new(args.format);
    for result in results.iter().filter(|_| !args.brief && !args.format.csv) {
        let title = format!("\n{}: {} ({} s)\n", result.case, result.about, result.seconds);
        study.table(&title, tables::SCORES, result.rows.iter().map(tables::score_cells));
    }
    study.table("", tables::CASES, results.iter().map(tables::case_cells));
    if !args.format.csv {
        let (count, cut_s, seeds) = (results.len(), plan.settle_cut_s, args.seeds.range());
        study.line(&format!(
            "\nall clocks over {count} cases, errors in ms after {cut_s} s, seeds {} to {}",
            seeds.start,
            seeds.end - 1
        ));
    }
    study.table("", tables::CLOCKS, standings.iter().map(tables::clock_cells));
    study.faults = faults;
    Ok(study.end())
}

fn families(plan: &BenchPlan) -> Result<ExitCode> {
    let (mut families, mut faults_of_all) = (Vec::new(), Vec::new());
    for (name, window, poll_s) in [
        ("crystals_drawn", BenchPlan::default(), 4.0),
        ("joins", BenchPlan::of_first_half_minute(), 1.0),
        ("hints", BenchPlan::of_first_half_minute(), 1.0),
        ("intervals", BenchPlan::default(), 1.0),
        ("losses", BenchPlan::default(), 1.0),
    ] {
        let BenchPlan { seconds, longest_s, settle_cut_s, .. } = window;
        let cases = vec![scenario::find(name)?];
        let plan = BenchPlan { cases, seconds, longest_s, settle_cut_s, poll_s, ..plan.clone() };
        let results = measure(&plan)?;
        faults_of_all.extend(faults(&plan, &results));
        families.push((name, results));
    }
    print!("{}", tables::families(&families));
    faults_of_all.iter().for_each(|fault| eprintln!("{fault}"));
    Ok(verdict(faults_of_all.is_empty()))
}

fn faults(plan: &BenchPlan, results: &[CaseResult]) -> Vec<String> {
    let promised = results.iter().filter(|result| result.is_promised);
    let rows = promised.flat_map(|result| result.rows.iter().map(move |row| (&result.case, row)));
    rows.filter(|(_, row)| [PRODUCT, LINKED, WARM, HINTED].contains(&row.clock.as_str()))
        .flat_map(|(case, row)| {
            let found = row.score.faults(Some(plan.settings.max_slew)).into_iter();
            found.map(move |fault| format!("FAULT {} {case}: {fault}", row.clock))
        })
        .collect()
}

fn plan(args: &Args) -> Result<BenchPlan> {
    let seeds = args.seeds.range().collect();
    for name in &args.only {
        if !clocks().any(|clock| clock == name) {
            bail!("there is no clock {name}; there are {}", clocks().collect::<Vec<_>>().join(", "));
        }
    }
    let settings = netclock::Config {
        client_drift_ppm: args.client_drift_ppm,
        server_drift_ppm: args.server_drift_ppm,
        ..netclock::Config::default()
    };
    settings.validate()?;
    let standard = match args.window {
        Window::First => BenchPlan::of_first_half_minute(),
        Window::Later => BenchPlan::default(),
    };
    let seconds = args.seconds.unwrap_or(standard.seconds);
    Ok(BenchPlan {
        cases: args.paths.or_standard("all")?,
        seconds,
        longest_s: args.seconds.unwrap_or(standard.longest_s),
        poll_s: args.poll,
        settle_cut_s: standard.settle_cut_s.min(seconds / 2.0),
        seeds,
        own_schedule: args.own_schedule,
        only: args.only.clone(),
        settings,
        knowing: Knowing {
            moved_ppm: args.moved_ppm,
            boot_ppm: args.boot_ppm,
            hint_off_ppm: args.hint_off_ppm,
        },
    })
}
