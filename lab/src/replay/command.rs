//! `lab replay`: drives the product through recorded delays, or through a recorded session.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;

use super::session;
use crate::recording::Stretch;
use crate::report::exit::verdict;
use crate::report::options;
use crate::report::scores::score_table;
use crate::report::words::alarm;
use netclock_sim::case::Case;
use netclock_sim::measure::estimator::Estimator;
use netclock_sim::measure::metrics::Score;
use netclock_sim::measure::product::Product;
use netclock_sim::measure::run::Watch;
use netclock_sim::measure::session::Session;
use netclock_sim::trace::{self, Split};

/// Reads before this do not count in errors (s).
const SETTLE_CUT_S: f64 = 30.0;

/// Drives NetClock through recorded network delays, in simulated time, or through a recorded session
///
/// Files have the columns t_send_s,forward_ms,reverse_ms or t_send_s,rtt_ms. A file that is shorter than the
/// run is looped. A gap of more than 5 s counts as 1 s. A packet takes the delays of the first probe that was
/// sent at its time or later. Exits with 1 if a read was outside its bound, if the clock went backwards, or
/// if its rate deviated by more than the slew rate.
///
/// With --recording, a new client with default settings gets the exchanges that `lab sync --record` or a
/// program with a tap wrote. Exits with 1 if the result of an exchange differs from the recorded one. A
/// recording may be larger than memory. For other settings and other clocks see `lab report`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Recorded delays, or directories of such files
    #[arg(value_name = "TRACE.csv", required_unless_present = "recording")]
    traces: Vec<PathBuf>,
    /// A recorded session in place of delays
    #[arg(
        long,
        value_name = "FILE.csv",
        conflicts_with_all = ["traces", "poll", "ppm", "seconds", "split", "seed"]
    )]
    recording: Option<PathBuf>,
    /// Seconds between probes, after an opening burst of ten
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    poll: f64,
    /// Rate error of the client's clock, in ppm; positive: fast
    #[arg(long, value_name = "X", default_value_t = 20.0, allow_negative_numbers = true)]
    ppm: f64,
    /// Length of the run in seconds (1 to 1000000)
    #[arg(long, value_name = "N", default_value_t = 600.0)]
    seconds: f64,
    /// How to divide round trips between the directions
    #[arg(long, value_parser = options::splits(), default_value = "varying")]
    split: Split,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    stretch: Stretch,
}

/// The results of one recording of delays.
#[derive(Serialize)]
struct Outcome {
    trace: String,
    #[serde(flatten)]
    score: Score,
    /// The promises that were broken.
    faults: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(recording) = &args.recording {
        return session::run(recording, args.stretch, args.json);
    }
    ensure!(args.poll >= 0.01, "--poll is {}; give at least 0.01 seconds", args.poll);
    ensure!((1.0..=1e6).contains(&args.seconds), "--seconds is {}; give 1 to 1000000", args.seconds);
    ensure!(args.ppm.abs() <= 10_000.0, "--ppm is {}; give -10000 to 10000", args.ppm);
    let mut outcomes = Vec::new();
    for file in trace::find(&args.traces)? {
        let case = Case::from_file(&file, args.split, args.ppm)?;
        outcomes.push(replay(&case, args)?);
    }
    print(args, &outcomes);
    Ok(verdict(outcomes.iter().all(|outcome| outcome.faults.is_empty())))
}

fn replay(case: &Case, args: &Args) -> Result<Outcome> {
    let watch = Watch { seconds: args.seconds, settle_cut_s: SETTLE_CUT_S.min(args.seconds / 2.0) };
    let session = Session::new(case, watch, Some(args.poll), args.seed);
    let mut product = Product::new(&session.network, false, args.seed)?;
    let slew = product.slew_limit();
    let score = session.run(&mut product, |_| ());
    let faults = score.faults(slew);
    Ok(Outcome { trace: case.name.clone(), score, faults })
}

fn print(args: &Args, outcomes: &[Outcome]) {
    if args.json {
        let report = serde_json::json!({
            "seed": args.seed, "poll_s": args.poll, "ppm": args.ppm, "seconds": args.seconds,
            "split": format!("{:?}", args.split).to_lowercase(), "traces": outcomes,
        });
        println!("{report:#}");
        return;
    }
    let rows = outcomes.iter().map(|it| (it.trace.as_str(), &it.score));
    println!("{}", score_table("trace", rows, None));
    println!("errors in ms after {} s; seed {}", SETTLE_CUT_S.min(args.seconds / 2.0), args.seed);
    for outcome in outcomes {
        for fault in &outcome.faults {
            println!("{}", alarm(&format!("FAULT {}: {fault}", outcome.trace)));
        }
    }
}
