//! `lab study lead`: do messages arrive within the prediction lead, and how large is it?

use std::process::ExitCode;

use anyhow::{Result, ensure};

use super::lead::{LeadPlan, LeadScore, measure};
use super::runs::Runs;
use crate::report::table;
use crate::report::words::ms;

/// The scenarios that run by default.
const STANDARD: &str = "wifi bad satellite uplink_bloat burst_loss stalls route_up frames_60_30 asymmetry";

/// Measures how many messages arrive within the prediction lead, and within half of the round trip
///
/// Client and server send each other 30 messages a second, of which 95 % should be in time. The clock has an
/// exchange each second. The first 30 s of a run do not count. "4 deviations" is the smoothed delay and four
/// of its mean deviations, as TCP waits for round trips.
/// "constant" is the smallest constant lead that the asked share would have met; nobody knows it beforehand.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    runs: Runs,
    /// Report only every Nth message to the lead
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,
    /// Share of messages that should be in time (0.5 to 0.99)
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    quantile: f64,
}

const HEADER: &str = "path | direction | in time % | lead ms | constant ms | rises/min | \
     half trip: in time % | ms | 4 deviations: in time % | ms | messages";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    ensure!(args.every >= 1, "--every is 0; give at least 1");
    ensure!((0.5..=0.99).contains(&args.quantile), "--quantile is {}; give 0.5 to 0.99", args.quantile);
    let plan = LeadPlan {
        seconds: args.runs.seconds,
        every: args.every,
        quantile: args.quantile,
        ..LeadPlan::default()
    };
    let (cases, runs) = args.runs.on(STANDARD, |case, seed| measure(&plan, case, seed))?;
    let rows = cases.iter().zip(runs).flat_map(|(case, runs)| {
        let of = |way: usize| LeadScore::mean(&runs.iter().map(|run| run[way].clone()).collect::<Vec<_>>());
        [cells(&case.name, "to server", &of(0)), cells("", "to client", &of(1))]
    });
    println!("{}", table::plain(HEADER, rows, args.runs.markdown));
    Ok(ExitCode::SUCCESS)
}

fn cells(path: &str, way: &str, score: &LeadScore) -> String {
    let LeadScore { in_time, rises, half_in_time, deviations_in_time, messages, .. } = score;
    let [lead, constant, half, deviations] =
        [score.mean_ms, score.constant_ms, score.half_ms, score.deviations_ms].map(ms);
    format!(
        "{path} | {way} | {in_time:.1} | {lead} | {constant} | {rises:.1} | {half_in_time:.1} | {half} | \
         {deviations_in_time:.1} | {deviations} | {messages}"
    )
}
