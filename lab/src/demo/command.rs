use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, ensure};
use netclock_sim::{sorted, upper_median};

use super::live::{Live, address};
use super::plan::{DemoPlan, PROGRAMME_S};
use super::record::{CLOCKS, Record, Verdict};
use super::run::run as conduct;
use super::{page, words};
use crate::baseline;
use crate::net::clock;
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
    /// Number of clients, from 1 to 26
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=26))]
    clients: u16,
    /// Seed for the networks and the clocks' origins [default: random and printed]
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
          conflicts_with_all = ["live", "report", "json"])]
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
    let stop = Stop::on_ctrl_c()?;
    if let Some(runs) = args.runs {
        let plans = (0..runs).map(|number| plan(seed.wrapping_add(number.into())));
        return many(plans, &stop);
    }
    let usual = || std::env::temp_dir().join(format!("netclock-demo-{seed}.html"));
    let path = args.report.clone().unwrap_or_else(usual);
    let record = shared(plan(seed)?);
    let live = args.live.map(|address| Live::start(address, &record)).transpose()?;
    // Fail now if the path is not writable, rather than at the end of the run.
    let writable = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    writable.with_context(|| format!("cannot write the report to {}; use --report FILE", path.display()))?;
    let record = conduct(&record, false, live.as_ref(), &stop)?;
    drop(live);
    file::write(&path, page::report(&record).html()?)?;
    if args.json {
        println!("{:#}", record.json(&path.display().to_string()));
    } else {
        if !record.is_complete() {
            println!("\nInterrupted after {:.1} of {seconds} s.", record.length.as_secs_f64());
        }
        println!("\n{}\n\nReport: {}", words::figures(&record), path.display());
    }
    Ok(ended(record.verdict()))
}

fn shared(plan: DemoPlan) -> Arc<Mutex<Record>> {
    Arc::new(Mutex::new(Record::new(plan, clock::now())))
}

/// Runs several demos, because a single good result may be due to luck.
fn many(plans: impl Iterator<Item = Result<DemoPlan>>, stop: &Stop) -> Result<ExitCode> {
    let (mut headlines, mut worst) = (Vec::new(), Verdict::Kept);
    let (mut clients, mut beaten) = (0, 0);
    for plan in plans {
        let record = conduct(&shared(plan?), true, None, stop)?;
        ensure!(record.is_complete(), "interrupted after {} runs", headlines.len());
        let (headline, verdict) = (record.headline(), record.verdict());
        clients += record.clients.len();
        beaten += record.compared().filter(|(_, compared)| compared.is_beaten()).count();
        worst = if worst == Verdict::Kept { verdict } else { worst };
        let figures = headline.figures().map(|(name, ms)| format!("{name}: {}", words::large(ms)));
        println!("seed {}: {}. {}", record.plan.seed, figures.join(", "), verdict.word());
        headlines.push(headline);
    }
    println!("\nMedian (range) of {} runs, for each clock's worst client:", headlines.len());
    for (at, name) in CLOCKS.into_iter().enumerate() {
        let all = sorted(headlines.iter().filter_map(|it| it.figures()[at].1));
        let ends = [upper_median(&all), all.first().copied(), all.last().copied()];
        let [median, least, most] = ends.map(words::large);
        println!("{name}: {median} ({least} to {most})");
    }
    println!("The best rival was more accurate than NetClock on {beaten} of {clients} clients.");
    Ok(ended(worst))
}

fn published(name: &str) -> Result<String> {
    baseline::maker(name)
        .map(|_| name.to_owned())
        .with_context(|| format!("the clocks are {}", baseline::PUBLISHED.map(|(name, _)| name).join(", ")))
}

fn ended(verdict: Verdict) -> ExitCode {
    match verdict {
        Verdict::Kept => ExitCode::SUCCESS,
        Verdict::Broken => ExitCode::from(FAULT),
        Verdict::NeverSynced => ExitCode::from(NO_SERVER),
    }
}
