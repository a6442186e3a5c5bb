//! `lab study handover`: the clock when the host dies and another one takes over.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::plan::{Plan, Round};
use super::simulation::play;
use crate::report::exit::verdict;
use crate::report::progress::progress;
use crate::report::words::{ms, print_faults};
use crate::report::{options, table};
use crate::scenario;
use netclock_sim::measure::figures::quantile;

/// Hands the clock of simulated games over to a new host, with liars among the clients
///
/// The host dies after 30 s. A second later, all clients turn to a new host, which adopts the timescale from
/// their answers. The new host was a client itself, or it was not. Exits with 1 if a read was outside its
/// bound, if a clock went backwards, or if a client started over. It also exits with 1 if the new clock was
/// further off than its dispersion. For a fleet of servers see `lab serve --time-source chrony`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Paths of the clients: scenarios of `lab study bench`
    #[arg(long, value_name = "NAME", num_args = 1.., default_values = ["lan", "wifi", "bad"])]
    scenario: Vec<String>,
    /// Number of clients (1 to 64)
    #[arg(long, value_name = "N", default_value_t = 8)]
    clients: usize,
    /// Number of liars in the cases with liars (0 to 31)
    #[arg(long, value_name = "N", default_value_t = 3)]
    liars: usize,
    /// The lie of all liars, in ms (-100000 to 100000)
    #[arg(long, value_name = "MS", default_value_t = 40.0, allow_negative_numbers = true)]
    lie: f64,
    /// Number of rounds of each case, each with another seed
    #[arg(long, value_name = "N", default_value_t = 100)]
    rounds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    ensure!((1..=64).contains(&args.clients), "--clients is {}; give 1 to 64", args.clients);
    ensure!(args.liars <= 31, "--liars is {}; give 0 to 31", args.liars);
    ensure!(
        args.clients > 2 * args.liars + 1,
        "{} clients, one of them silent, cannot outvote {} liars: give at least {}",
        args.clients,
        args.liars,
        2 * args.liars + 2
    );
    ensure!(args.lie.abs() <= 100_000.0, "--lie is {}; give at most 100000 ms", args.lie);
    let seeds: Vec<u64> = options::rounds(args.seed, args.rounds)?.collect();
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    let mut liars = vec![0, args.liars];
    liars.dedup();
    let bar = progress(args.scenario.len() * 2 * liars.len() * seeds.len());
    for name in &args.scenario {
        let network = scenario::find(name)?.network;
        for (is_player, liars) in [true, false].into_iter().flat_map(|it| liars.iter().map(move |&f| (it, f)))
        {
            let plan = Plan {
                network: network.clone(),
                clients: args.clients,
                liars,
                lie_ms: args.lie,
                is_player,
                is_one_silent: liars > 0,
            };
            let rounds = seeds.par_iter().map(|&seed| play(&plan, seed)).inspect(|_| bar.inc(1));
            let rounds: Vec<Round> = rounds.collect();
            faults.extend(
                rounds.iter().flat_map(|round| found(&plan, round)).map(|it| format!("FAULT {name}, {it}")),
            );
            rows.push(row(name, &plan, &rounds));
        }
    }
    bar.finish_and_clear();
    let Args { clients, rounds, seed, .. } = args;
    println!("{clients} clients, {rounds} rounds from seed {seed}, in ms (median, largest)\n");
    println!("{}", table::markdown(HEADER, rows));
    print_faults(&faults);
    Ok(verdict(faults.is_empty()))
}

const HEADER: &str = "path | new host | liars | adopted after | dispersion | off by | p99 afterwards | \
                      largest error | outside the bound | backwards";

fn row(name: &str, plan: &Plan, rounds: &[Round]) -> String {
    let both = |of: fn(&Round) -> f64| {
        let mut values: Vec<f32> = rounds.iter().map(|round| of(round) as f32).collect();
        format!("{}, {}", ms(quantile(&mut values, 0.5)), ms(quantile(&mut values, 1.0)))
    };
    let sum = |of: fn(&Round) -> u64| rounds.iter().map(of).sum::<u64>();
    let host = if plan.is_player { "was a client" } else { "was no client" };
    let (adopted, dispersion) = (both(|round| round.adopted_ms), both(|round| round.dispersion_ms));
    let (off, p99, worst) =
        (both(|round| round.error_ms), both(|round| round.p99_ms), both(|round| round.worst_ms));
    let (outside, reads, backwards) =
        (sum(|round| round.outside), sum(|round| round.reads), sum(|round| round.backwards));
    format!(
        "{name} | {host} | {} | {adopted} | {dispersion} | {off} | {p99} | {worst} | {outside} of {reads} | \
         {backwards}",
        plan.liars
    )
}

/// The faults of a round.
pub fn found(plan: &Plan, round: &Round) -> Vec<String> {
    let mut found = Vec::new();
    let mut fault = |is_one: bool, words: String| {
        if is_one {
            found.push(format!("seed {}: {words}", round.seed));
        }
    };
    fault(round.outside > 0, format!("{} of {} reads outside their bound", round.outside, round.reads));
    fault(round.backwards > 0, format!("{} reads backwards", round.backwards));
    fault(round.restarts > 0, format!("{} clients started over", round.restarts));
    fault(
        round.continued as usize != plan.clients,
        format!("{} of {} clients continued", round.continued, plan.clients),
    );
    let off = format!(
        "the new clock is off by {} ms, its dispersion is {} ms",
        round.error_ms, round.dispersion_ms
    );
    fault(round.error_ms > round.dispersion_ms, off);
    if let Some(refused) = &round.refused {
        fault(true, format!("the new host could not adopt the timescale: {refused}"));
    }
    found
}
