//! `lab report`: a page about recorded or simulated sessions.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use netclock::Config;
use serde_json::json;

use super::charts;
use super::look::Look;
use super::simulate::{Incident, simulate};
use super::verdict::{Kind, Verdict, verdicts};
use crate::recording;
use crate::report::exit::verdict;
use crate::report::file;
use crate::report::page::Page;
use crate::sim::case::Case;
use crate::sim::scenario::Scenario;

/// Length of a simulated session (s), if neither the scenario nor the user says it.
const SECONDS: f64 = 600.0;

/// Writes a page about recorded sessions: what happened in plain words, and charts to look closer
///
/// The page is one file and needs no network. Its errors are against the best estimate in hindsight, because nobody knows the
/// true time of a recording. With --scenario the sessions are simulated, and the true time is known. Exits with 1 if a
/// simulated read was further from the truth than its bound.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Recorded sessions, as `lab sync --record` or a tap writes them
    #[arg(value_name = "FILE.csv", required_unless_present = "scenario")]
    recordings: Vec<PathBuf>,
    /// Where to write the page
    #[arg(short, long, value_name = "OUT.html", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Simulate a session on this path; `lab bench --list` shows all; repeat for several
    #[arg(long, value_name = "NAME")]
    scenario: Vec<String>,
    /// Something that happens in simulated sessions: restart@S, step@S:MS, pause@S:SECONDS or several@S; repeat for several
    #[arg(long, value_name = "INCIDENT", requires = "scenario")]
    with: Vec<Incident>,
    /// Length of simulated sessions in seconds [default: the scenario's, or 600]
    #[arg(long, value_name = "N", requires = "scenario")]
    seconds: Option<f64>,
    /// Seed of everything random in simulated sessions
    #[arg(long, value_name = "N", default_value_t = 1, requires = "scenario")]
    seed: u64,
    /// Print the verdicts and the data of the charts as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(seconds) = args.seconds {
        ensure!((10.0..=1e6).contains(&seconds), "--seconds is {seconds}; give 10 to 1000000");
    }
    let config = Config::default();
    let mut looks = Vec::new();
    for path in &args.recordings {
        let recorded = recording::read(path)?;
        looks.push(Look::new(path.display().to_string(), &config, &recorded, None)?);
    }
    for name in &args.scenario {
        let case = Case::from(Scenario::find(name)?);
        looks.push(simulated(&case, args.seconds, args.seed, &args.with)?);
    }
    let judged: Vec<Vec<Verdict>> = looks.iter().map(|look| verdicts(look, &config)).collect();
    let page = page(&looks, &judged);
    if let Some(output) = &args.output {
        file::write(output, &page.html()?)?;
    }
    if args.json {
        let sessions =
            looks.iter().zip(&judged).map(|(look, judged)| json!({"name": look.name, "verdicts": judged}));
        let printed = json!({"sessions": sessions.collect::<Vec<_>>(), "page": page});
        println!("{}", serde_json::to_string(&printed).context("a report is plain numbers and texts")?);
    } else {
        print(&looks, &judged);
    }
    Ok(verdict(judged.iter().flatten().all(|it| it.kind != Kind::OutsideBound)))
}

/// The verdicts about a simulated session: what the page of `lab report --scenario` says.
///
/// # Errors
/// The scenario's path answers nothing.
pub fn judge(case: &Case, seconds: Option<f64>, seed: u64, incidents: &[Incident]) -> Result<Vec<Verdict>> {
    Ok(verdicts(&simulated(case, seconds, seed, incidents)?, &Config::default()))
}

fn simulated(case: &Case, seconds: Option<f64>, seed: u64, incidents: &[Incident]) -> Result<Look> {
    let seconds = seconds.or(case.seconds).unwrap_or(SECONDS);
    let session = simulate(case, seconds, seed, incidents)?;
    let name = format!("{}: {}", case.name, case.about);
    Look::new(name, &Config::default(), &session.recorded, Some((session.truth, session.ended)))
}

fn page(looks: &[Look], judged: &[Vec<Verdict>]) -> Page {
    let names: Vec<&str> = looks.iter().map(|look| look.name.as_str()).collect();
    let title = match names[..] {
        [one] => format!("Session report: {one}"),
        _ => format!("Session report: {} sessions", names.len()),
    };
    let lead =
        "What NetClock's clock made of each session, what happened on its path, and what the clock showed.";
    let parts = looks.iter().zip(judged).map(|(look, judged)| charts::part(look, judged)).collect();
    Page { title, lead: lead.to_owned(), parts }
}

fn print(looks: &[Look], judged: &[Vec<Verdict>]) {
    for (look, judged) in looks.iter().zip(judged) {
        println!("{}", look.name);
        for verdict in judged {
            println!("  {}", verdict.words);
        }
    }
}
