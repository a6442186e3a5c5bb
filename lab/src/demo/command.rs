use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::broadcast::Broadcast;
use super::plan::{DemoPlan, PROGRAMME_S};
use super::run::Outputs;
use super::runs;
use super::screen::{self, Screen};
use super::summary::{Summary, Verdict};
use crate::baseline;
use crate::demo::{report, run as conduct};
use crate::live::address;
use crate::net::lifetime::Stop;
use crate::report::exit::{FAULT, NO_SERVER};
use crate::report::file;
use crate::report::options::{seed, seed_or_random};

const LIVE_S: u32 = 600;

/// Runs a server and clients on this machine, over bad networks, and checks every read
///
/// Each client has its own clock, with its own origin and rate error, and its own path, with delay, jitter,
/// loss, duplicates and reordering. During the run, one client stalls for 2.5 s, the server restarts, and
/// another client's route becomes 40 ms longer in one direction. The machine's monotonic clock is the
/// reference. At the end, the demo prints statistics and writes an HTML report.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Length of the run in seconds, from 6 to 3600 [default: 60; with --live 600, of which the first 60 have
    /// scripted incidents]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=3600))]
    seconds: Option<u32>,
    /// Number of clients, from 1 to 32
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=32))]
    clients: u16,
    /// Seed of the networks and of the clocks' origins [default: random and printed]
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Path of the report [default: in the system's temporary directory]
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Serve a page for browsers that shows the run live, with buttons for stalls, routes, loss and restarts
    ///
    /// With PORT, the page is accessible from this machine only. With ADDR:PORT, anyone who can reach the
    /// address can watch and use the buttons.
    #[arg(long, value_name = "PORT|ADDR:PORT", num_args = 0..=1, default_missing_value = address::DEFAULT,
          value_parser = address::serving)]
    live: Option<SocketAddr>,
    /// Published clock to compare with, by its name in `lab study bench` [default: the best in this demo]
    #[arg(long, value_name = "CLOCK", value_parser = published)]
    against: Option<String>,
    /// Run the demo N times, from 2 to 1000, with consecutive seeds, and print the headline's medians and
    /// ranges
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1_000),
          conflicts_with_all = ["live", "report"])]
    runs: Option<u16>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let seed = seed_or_random(args.seed)?;
    let seconds = args.seconds.unwrap_or(if args.live.is_some() { LIVE_S } else { PROGRAMME_S });
    let plan = |seed| {
        let plan = DemoPlan::new(seconds, args.seconds.unwrap_or(PROGRAMME_S), args.clients.into(), seed)?;
        Ok(DemoPlan { rival: args.against.clone().unwrap_or(plan.rival), ..plan })
    };
    if let Some(runs) = args.runs {
        return runs::run((0..runs).map(|number| plan(seed.wrapping_add(number.into()))), args.json);
    }
    let usual = || std::env::temp_dir().join(format!("netclock-demo-{seed}.html"));
    let path = args.report.clone().unwrap_or_else(usual);
    let stop = Stop::on_ctrl_c()?;
    let plan = plan(seed)?;
    let live = args.live.map(|address| Broadcast::start(address, &plan)).transpose()?;
    // Fails now rather than at the end if the path is not writable.
    let writable = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    writable.with_context(|| format!("cannot write the report to {}; use --report FILE", path.display()))?;
    let Outputs { live, record, .. } = conduct::run(plan, Screen { is_silent: false }, live, &stop)?;
    let summary = Summary::new(&record);
    if let Some(live) = live {
        live.end(&summary);
    }
    file::write(&path, report::page(&record, &summary).html()?)?;
    if args.json {
        println!("{:#}", summary.json(&record, &path.display().to_string()));
    } else {
        if !record.is_complete() {
            println!("\nInterrupted after {:.1} of {seconds} s.", record.length.as_secs_f64());
        }
        println!("\n{}\n\nReport: {}", screen::figures(&summary, &record), path.display());
    }
    Ok(ended(summary.verdict()))
}

fn published(name: &str) -> Result<String> {
    baseline::maker(name)
        .map(|_| name.to_owned())
        .with_context(|| format!("the clocks are {}", baseline::PUBLISHED.map(|(name, _)| name).join(", ")))
}

pub(super) fn ended(verdict: Verdict) -> ExitCode {
    match verdict {
        Verdict::Kept => ExitCode::SUCCESS,
        Verdict::Broken => ExitCode::from(FAULT),
        Verdict::NeverSynced => ExitCode::from(NO_SERVER),
    }
}
