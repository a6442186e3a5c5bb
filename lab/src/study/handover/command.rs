//! `lab study handover`: the clock when the host dies and another one takes over.

use std::process::ExitCode;

use anyhow::Result;
use clap::value_parser;

use super::simulation::{Round, RoundConfig, play};
use crate::report::options::seed;
use crate::report::progress::each_case;
use crate::report::words::ms;
use crate::scenario;
use crate::study::output::{Format, Study};
use netclock_sim::measure::account::Account;
use netclock_sim::measure::figures::quantile;

/// Number of clients in a round.
const CLIENTS: usize = 8;
/// Number of liars among them, in the cases with liars. In these cases, one more client is silent.
const LIARS: usize = 3;
/// What every liar adds to the time (ms).
const LIE_MS: f64 = 40.0;

/// Hands the clock of simulated games over to a new host, with liars among the clients
///
/// The host dies after 30 s. A second later, all clients switch to a new host, which adopts the timescale
/// from their answers. The new host was a client itself, or not. Exits with 1 if a read was outside its
/// bound, a clock ran backwards, a client started over, or the error of the new clock exceeded its
/// dispersion. For a fleet of servers see `lab serve --time-source chrony`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Paths of the clients: scenarios of `lab study bench`
    #[arg(long, value_name = "NAME", num_args = 1.., default_values = ["lan", "wifi", "bad"])]
    scenario: Vec<String>,
    /// Number of rounds of each case, each with another seed
    #[arg(long, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = value_parser!(u64).range(1..=100_000))]
    rounds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut plans = Vec::new();
    for name in &args.scenario {
        let network = scenario::find(name)?.network;
        for (is_player, liars) in [(true, 0), (true, LIARS), (false, 0), (false, LIARS)] {
            let network = network.clone();
            let is_one_silent = liars > 0;
            let plan =
                RoundConfig { network, clients: CLIENTS, liars, lie_ms: LIE_MS, is_player, is_one_silent };
            plans.push((name, plan));
        }
    }
    let seeds = args.seed..args.seed.saturating_add(args.rounds);
    let rounds = each_case(&plans, seeds, |(_, plan), seed| Ok(play(plan, seed)))?;
    let all = || plans.iter().zip(&rounds);
    let rows = all().map(|((name, plan), rounds)| row(name, plan, rounds));
    let mut study = Study::new(args.format);
    let (count, first) = (args.rounds, args.seed);
    let title = format!("{CLIENTS} clients, {count} rounds from seed {first}, in ms (median, largest)\n\n");
    study.table(&title, HEADER, rows);
    study.faults = all()
        .flat_map(|((name, plan), rounds)| {
            let broken = rounds.iter().flat_map(|round| round.faults(plan));
            broken.map(move |it| format!("FAULT {name}, {it}"))
        })
        .collect();
    Ok(study.end())
}

const HEADER: &str = "path | new host | liars | adopted after | dispersion | off by | p99 afterwards | \
                      largest error | outside the bound | backwards";

fn row(name: &str, plan: &RoundConfig, rounds: &[Round]) -> String {
    let both = |of: fn(&Round) -> f64| {
        let mut values: Vec<f32> = rounds.iter().map(|round| of(round) as f32).collect();
        format!("{}, {}", ms(quantile(&mut values, 0.5)), ms(quantile(&mut values, 1.0)))
    };
    let Account { reads, outside, backwards, .. } = rounds.iter().map(|round| round.account).sum();
    let host = if plan.is_player { "was a client" } else { "was no client" };
    let (adopted, dispersion) = (both(|round| round.adopted_ms), both(|round| round.dispersion_ms));
    let (off, p99, worst) =
        (both(|round| round.error_ms), both(|round| round.p99_ms), both(|round| round.worst_ms));
    format!(
        "{name} | {host} | {} | {adopted} | {dispersion} | {off} | {p99} | {worst} | {outside} of {reads} | \
         {backwards}",
        plan.liars
    )
}
