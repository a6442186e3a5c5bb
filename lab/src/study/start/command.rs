use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::value_parser;
use netclock::Span;
use netclock::start::StartConfig;

use super::plan::{Round, RoundPlan};
use super::simulation::{FPS, SETTLE_S, play};
use crate::report::{each, ms, seed};
use crate::scenario;
use crate::study::output::{Format, Study};
use netclock_sim::leg::BurstLoss;
use netclock_sim::measure::figures::quantile;

/// The spread may exceed one frame by this much in 99 of 100 rounds.
pub const TARGET_MS: f64 = 1.0;
/// Schedules starts for many simulated clients and measures their spread
///
/// Each round has a server and 64 clients, each with its own path, crystal and frame loop. With --outages,
/// also reports the number of rounds in which a client received the start too late. Exits with 1 if the
/// spread exceeds a frame plus 1 ms in more than one round of 100, or if a client started twice, never, or
/// after a cancellation, or reported a lateness outside its bound.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Scenario of `lab study bench` that serves as the path of every client
    #[arg(long, value_name = "NAME", default_value = "wifi")]
    scenario: String,
    /// Number of rounds, each with a different seed
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = value_parser!(u64).range(1..=100_000))]
    rounds: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Loss in both directions, instead of the scenario's loss (0 to 0.9)
    #[arg(long, value_name = "SHARE")]
    loss: Option<f64>,
    /// Mean interval and length of outages in both directions, in seconds, and the loss during them (0 to 1)
    #[arg(long, value_names = ["DISTANCE", "LENGTH", "SHARE"], num_args = 3)]
    outages: Option<Vec<f64>>,
    /// Number of clients
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u32).range(1..=1024))]
    clients: u32,
    /// Seconds from the time the first client joins to the first proposal, while the organiser measures
    /// losses
    #[arg(long, value_name = "SECONDS", default_value_t = SETTLE_S)]
    settle: f64,
    /// The organiser's patience in seconds; the time added for outages is at most a quarter of it
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    patience: f64,
    /// Make one client silent, cancel the first start, and let a client join after the start
    #[arg(long)]
    rough: bool,
    #[command(flatten)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = plan(args)?;
    let seeds = (args.seed..args.seed.saturating_add(args.rounds)).collect();
    let rounds: Vec<Round> = each(seeds, |seed| play(&plan, seed));
    let mut study = Study::new(args.format);
    let title = format!(
        "{} clients, {}, {} rounds from seed {}, in ms\n\n",
        args.clients, args.scenario, args.rounds, args.seed
    );
    let spread = figures(&rounds, |round| round.spread_ms);
    let others: [Figure; 4] = [
        ("spread due to the clocks, without frames", |round| round.clocks_ms),
        ("spread computed by the server from the reports", |round| round.reported_ms),
        ("time from the announcement to the start", |round| round.lead_ms),
        ("time for which the start was delayed", |round| round.held_up_ms),
    ];
    let others = others.map(|(what, of)| (what, figures(&rounds, of)));
    let mut utc_ms: Vec<f32> = rounds.iter().flat_map(|round| round.utc_ms.iter().copied()).collect();
    let utc = [0.5, 0.99, 1.0].map(|share| quantile(&mut utc_ms, share));
    let all = [("true spread of the starts", spread)].into_iter().chain(others);
    let all = all.chain([("time until a client uses changed UTC", utc)]);
    let rows = all.map(|(what, figures)| format!("{what} | {}", figures.map(ms).join(" | ")));
    study.table(&title, "of a round | p50 | p99 | max", rows);
    let counted: u32 = rounds.iter().map(|round| round.counted).sum();
    let late: u32 = rounds.iter().map(|round| round.heard_late).sum();
    let rounds_late = rounds.iter().filter(|round| round.heard_late > 0).count();
    study.line(&format!(
        "{counted} starts; {late} clients received the start too late, in {rounds_late} rounds ({:.1} %)",
        100.0 * rounds_late as f64 / rounds.len().max(1) as f64
    ));
    let allowed_ms = TARGET_MS + 1e3 / FPS;
    study.line(&format!("guaranteed: the p99 of the spread is at most {} ms", ms(allowed_ms)));
    if let Some((who, why)) = rounds.iter().find_map(|round| round.held_up_by.as_ref()) {
        study.line(&format!(
            "in the first delayed round, the last client to delay the start was {who}: {why}"
        ));
    }
    if let Some(late) = rounds.iter().find_map(|round| round.joined_ms) {
        study.line(&format!("the first round's late joiner received the start {} ms late", ms(late)));
    }
    for Round { seed, faults, .. } in &rounds {
        study.faults.extend(faults.iter().map(|fault| format!("FAULT seed {seed}: {fault}")));
    }
    study.check(spread[1] <= allowed_ms, || {
        format!("FAULT: the spread's p99 is {} ms, not {}", ms(spread[1]), ms(allowed_ms))
    });
    Ok(study.end())
}

fn plan(args: &Args) -> Result<RoundPlan> {
    let mut network = scenario::find(&args.scenario)?.network;
    if let Some(loss) = args.loss {
        ensure!((0.0..=0.9).contains(&loss), "--loss is {loss}; the range is 0 to 0.9");
        (network.forward.loss, network.reverse.loss) = (loss, loss);
    }
    if let Some(&[good_s, bad_s, loss]) = args.outages.as_deref() {
        let is_good = good_s > 0.0 && bad_s > 0.0 && (0.0..=1.0).contains(&loss);
        ensure!(is_good, "--outages is {good_s} {bad_s} {loss}; give two times above 0, and 0 to 1");
        let outages = Some(BurstLoss { good_s, bad_s, loss });
        (network.forward.burst_loss, network.reverse.burst_loss) = (outages.clone(), outages);
    }
    ensure!((4.0..=3600.0).contains(&args.settle), "--settle is {}; the range is 4 to 3600", args.settle);
    ensure!(
        (0.1..=600.0).contains(&args.patience),
        "--patience is {}; the range is 0.1 to 600",
        args.patience
    );
    let organiser = StartConfig { patience: Span::from_secs_f64(args.patience), ..StartConfig::default() };
    let clients = args.clients as usize;
    Ok(RoundPlan { network, clients, organiser, settle_s: args.settle, rough: args.rough })
}

type Figure = (&'static str, fn(&Round) -> f64);

fn figures(rounds: &[Round], of: impl Fn(&Round) -> f64) -> [f64; 3] {
    let mut values: Vec<f32> = rounds.iter().map(|round| of(round) as f32).collect();
    [0.5, 0.99, 1.0].map(|share| quantile(&mut values, share))
}
