//! `lab study lead`: do messages arrive within the prediction lead, and how large is it?

use std::process::ExitCode;

use anyhow::{Result, ensure};

use super::lead::{LeadPlan, LeadScore, measure};
use crate::report::progress::each_case;
use crate::report::words::ms;
use crate::report::{options, table};

/// The scenarios that run by default.
const STANDARD: &str = "wifi bad satellite uplink_bloat burst_loss stalls route_up frames_60_30 asymmetry";

/// Measures how many messages arrive within the prediction lead, and within half of the round trip
///
/// Client and server send each other 30 messages a second, of which 95 % should be in time. The clock has an
/// exchange each second.
/// "constant" is the smallest constant lead that the asked share would have met; nobody knows it beforehand.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    paths: options::Paths,
    /// Report only every Nth message to the lead
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,
    /// Length of each run in seconds (60 to 100000); the first 30 s do not count
    #[arg(long, value_name = "N", default_value_t = 600.0)]
    seconds: f64,
    #[command(flatten)]
    seeds: options::Seeds,
    /// Print a table in Markdown
    #[arg(long)]
    markdown: bool,
}

const HEADER: &str =
    "path | direction | in time % | lead ms | constant ms | rises/min | half trip: in time % | ms | messages";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    ensure!(args.every >= 1, "--every is 0; give at least 1");
    ensure!((60.0..=1e5).contains(&args.seconds), "--seconds is {}; give 60 to 100000", args.seconds);
    let cases = args.paths.or_standard(STANDARD)?;
    let plan = LeadPlan { seconds: args.seconds, every: args.every, ..LeadPlan::default() };
    let runs = each_case(&cases, &args.seeds, |case, seed| measure(&plan, case, seed))?;
    let rows = cases.iter().zip(runs).flat_map(|(case, runs)| {
        let of = |way: usize| LeadScore::mean(&runs.iter().map(|run| run[way].clone()).collect::<Vec<_>>());
        [cells(&case.name, "to server", &of(0)), cells("", "to client", &of(1))]
    });
    println!("{}", table::plain(HEADER, rows, args.markdown));
    Ok(ExitCode::SUCCESS)
}

fn cells(path: &str, way: &str, score: &LeadScore) -> String {
    let LeadScore { in_time, rises, half_in_time, messages, .. } = score;
    let [lead, constant, half] = [score.mean_ms, score.constant_ms, score.half_ms].map(ms);
    format!(
        "{path} | {way} | {in_time:.1} | {lead} | {constant} | {rises:.1} | {half_in_time:.1} | {half} | \
         {messages}"
    )
}
