use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::{Config, Span};
use serde_json::json;

use super::session::charts;
use super::session::evaluation::Evaluation;
use super::session::simulate::{Incident, simulate};
use super::session::verdict::{Kind, Verdict, verdicts};
use super::session::what_if::{self, Clock};
use crate::import::{self, Reading};
use crate::recording::{Recording, Stretch};
use crate::report::file;
use crate::report::{Page, Part, number, seed, verdict};
use crate::scenario;
use netclock_sim::Case;

const SECONDS: f64 = 600.0;

/// Describes what happened in recorded sessions, and writes a page with charts for details
///
/// A new client with default settings processes the exchanges again, and the report lists those with a
/// different result. The page is a single file that works offline. Errors are relative to the best estimate
/// in hindsight, because a recording does not contain the true time. With --scenario, the sessions are
/// simulated, and the true time is known. Exits with 1 if a simulated read was outside its bound.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Recorded sessions from `lab sync --record` or a tap, or files supported by `lab import`
    #[arg(value_name = "FILE", required_unless_present = "scenario")]
    recordings: Vec<PathBuf>,
    /// Write a page to this file [default: only print the verdicts]
    #[arg(short, long, value_name = "OUT.html")]
    output: Option<PathBuf>,
    /// Simulate a session on this path (`lab study bench --list` shows all); repeat for several
    #[arg(long, value_name = "NAME")]
    scenario: Vec<String>,
    /// Add an incident to simulated sessions: restart@S, step@S:MS, pause@S:SECONDS or several@S; repeat for
    /// several
    #[arg(long, value_name = "INCIDENT", requires = "scenario")]
    with: Vec<Incident>,
    /// Length of simulated sessions in seconds [default: the scenario's, or 600]
    #[arg(long, value_name = "N", requires = "scenario", value_parser = number(10.0, 1e6))]
    seconds: Option<f64>,
    /// Random seed of simulated sessions
    #[arg(long, value_name = "N", default_value_t = 1, requires = "scenario",
          value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Interval between requests in simulated sessions after the clock has settled, in seconds [default: 4]
    #[arg(long, value_name = "N", requires = "scenario")]
    poll: Option<f64>,
    #[command(flatten)]
    stretch: Stretch,
    #[command(flatten)]
    how: Reading,
    #[command(flatten)]
    what_if: what_if::Options,
    /// Print the verdicts and the data of the charts as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut sessions = Vec::new();
    for path in &args.recordings {
        let (recording, notes) = import::read(path, args.stretch, &args.how)?;
        notes.iter().for_each(|note| eprintln!("{note}"));
        let session = Evaluation::of(path.display().to_string(), recording)?;
        sessions.push(SessionReport::of(&session, &args.what_if));
    }
    for name in &args.scenario {
        let case = scenario::find(name)?;
        let session = simulated(&case, args.seconds, args.seed, &args.with, args.poll)?;
        sessions.push(SessionReport::of(&session, &args.what_if));
    }
    if let Some(output) = &args.output {
        file::write(output, &page(&sessions).html()?)?;
    }
    if args.json {
        let listed = sessions
            .iter()
            .map(|it| json!({"name": it.part.title, "verdicts": it.verdicts, "side_by_side": it.clocks}));
        let printed = json!({"sessions": listed.collect::<Vec<_>>(), "page": page(&sessions)});
        println!("{}", serde_json::to_string(&printed).context("a report is plain numbers and texts")?);
    } else {
        for session in &sessions {
            println!("{}", session.part.title);
            session.verdicts.iter().for_each(|verdict| println!("  {}", verdict.words));
            what_if::conclusion(&session.clocks).iter().for_each(|words| println!("  What if: {words}"));
        }
        if let Some(output) = &args.output {
            println!("\nPage: {}", output.display());
        } else {
            println!("\nUse -o OUT.html to write a page with charts.");
        }
    }
    let kinds = sessions.iter().flat_map(|session| &session.verdicts).map(|verdict| verdict.kind);
    Ok(verdict(!kinds.into_iter().any(|kind| kind == Kind::OutsideBound)))
}

struct SessionReport {
    verdicts: Vec<Verdict>,
    clocks: Vec<Clock>,
    part: Part,
    row: String,
}

impl SessionReport {
    fn of(session: &Evaluation, what_if: &what_if::Options) -> Self {
        let verdicts = verdicts(session);
        let clocks = what_if.clocks(session);
        let (part, row) = (charts::part(session, &verdicts, &clocks), charts::row(session, &verdicts));
        SessionReport { verdicts, clocks, part, row }
    }
}

pub fn judge_recording(recording: Recording) -> Result<Vec<Verdict>> {
    let session = Evaluation::of("recording", recording)?;
    let report = SessionReport::of(&session, &what_if::Options::default());
    page(std::slice::from_ref(&report)).html()?;
    Ok(report.verdicts)
}

pub fn judge(case: &Case, seconds: Option<f64>, seed: u64, incidents: &[Incident]) -> Result<Vec<Verdict>> {
    Ok(verdicts(&simulated(case, seconds, seed, incidents, None)?))
}

fn simulated(
    case: &Case,
    seconds: Option<f64>,
    seed: u64,
    incidents: &[Incident],
    poll: Option<f64>,
) -> Result<Evaluation> {
    let seconds = seconds.or(case.seconds).unwrap_or(SECONDS);
    let mut config = Config::default();
    config.steady_interval = poll.map_or(config.steady_interval, Span::from_secs_f64);
    let session = simulate(case, &config, seconds, seed, incidents)?;
    Evaluation::of_simulated(format!("{}: {}", case.name, case.about), session)
}

fn page(sessions: &[SessionReport]) -> Page {
    let mut parts: Vec<Part> = sessions.iter().map(|session| session.part.clone()).collect();
    let (what, overview) = if let [only] = parts.as_mut_slice() {
        // The title of the page already contains the name of a single session.
        (std::mem::take(&mut only.title), None)
    } else {
        let rows = sessions.iter().map(|session| session.row.clone());
        (format!("{} sessions", sessions.len()), Some(charts::overview(rows)))
    };
    let lead =
        "The clock's accuracy in each session, the events on its path, and their effects on the shown time.";
    Page { title: format!("Session report: {what}"), lead: lead.to_owned(), overview, parts }
}
