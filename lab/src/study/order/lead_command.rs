//! `lab study lead`: do messages arrive within the prediction lead, and how large is it?

use std::process::ExitCode;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::lead::{LeadPlan, LeadScore, measure};
use crate::report::progress::progress;
use crate::report::words::ms;
use crate::report::{options, table};

/// The scenarios that run by default.
const STANDARD: &str = "wifi bad satellite uplink_bloat burst_loss stalls route_up frames_60_30 asymmetry";

/// Measures how many messages arrive within the prediction lead, and within half of the round trip
///
/// Client and server send each other messages at a steady rate, and the clock has an exchange each second.
/// "constant" is the smallest constant lead that the asked share would have met; nobody knows it beforehand.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    paths: options::Paths,
    /// Share of messages that should be in time (0.5 to 0.999)
    #[arg(long, value_name = "X", default_value_t = 0.95)]
    quantile: f64,
    /// Messages per second in each direction (1 to 1000)
    #[arg(long, value_name = "N", default_value_t = 30.0)]
    rate: f64,
    /// Report only every Nth message to the lead
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,
    /// Length of each run in seconds (60 to 100000); the first 30 s do not count
    #[arg(long, value_name = "N", default_value_t = 600.0)]
    seconds: f64,
    /// Number of runs of each path, each with another seed; figures are means
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print a table in Markdown
    #[arg(long)]
    markdown: bool,
}

const HEADER: &str =
    "path | direction | in time % | lead ms | constant ms | rises/min | half trip: in time % | ms | messages";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let seeds = options::seeds(args.seed, args.seeds)?;
    ensure!((0.5..=0.999).contains(&args.quantile), "--quantile is {}; give 0.5 to 0.999", args.quantile);
    ensure!((1.0..=1000.0).contains(&args.rate), "--rate is {}; give 1 to 1000 per second", args.rate);
    ensure!(args.every >= 1, "--every is 0; give at least 1");
    ensure!((60.0..=1e5).contains(&args.seconds), "--seconds is {}; give 60 to 100000", args.seconds);
    let cases = args.paths.or_standard(STANDARD)?;
    let plan = LeadPlan {
        seconds: args.seconds,
        settle_s: 30.0,
        rate: args.rate,
        every: args.every,
        quantile: args.quantile,
    };
    let bar = progress(cases.len() * seeds.clone().count());
    let results: Vec<(String, [LeadScore; 2])> = cases
        .par_iter()
        .map(|case| {
            let runs = seeds
                .clone()
                .into_par_iter()
                .map(|seed| measure(&plan, case, seed))
                .inspect(|_| bar.inc(1))
                .collect::<Result<Vec<_>>>()?;
            let of =
                |way: usize| LeadScore::mean(&runs.iter().map(|run| run[way].clone()).collect::<Vec<_>>());
            Ok((case.name.clone(), [of(0), of(1)]))
        })
        .collect::<Result<_>>()?;
    bar.finish_and_clear();
    let rows = results
        .iter()
        .flat_map(|(path, [up, down])| [cells(path, "to server", up), cells("", "to client", down)]);
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
