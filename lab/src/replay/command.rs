//! `lab replay`: what a new client makes of the exchanges of a recorded session.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::{Config, LocalTime, Reading, Span, State};
use serde::Serialize;

use crate::inspect::rerun::Replay;
use crate::inspect::results::{Difference, Rerun};
use crate::recording::{Entry, Reader, Stretch};
use crate::report::exit::verdict;
use crate::report::words::{alarm, finite_ms, optional};

/// Most rows of the table.
const ROWS: usize = 20;
/// Most points of a report.
const MOST_POINTS: usize = 20_000;

/// The clock after an exchange.
#[derive(Clone, Copy, Debug, Serialize)]
struct Point {
    /// Time since the first exchange.
    seconds: f64,
    /// Server time minus local time.
    offset_ms: f64,
    bound_ms: Option<f64>,
    expected_ms: Option<f64>,
    round_trip_ms: Option<f64>,
    rate_ppm: f64,
    epoch: u32,
}

/// The results of a session.
#[derive(Debug, Default, Serialize)]
struct Report {
    recording: String,
    exchanges: usize,
    accepted: usize,
    /// Answers to unknown requests. They say nothing about the clocks and cannot be repeated.
    left_out: usize,
    /// Exchanges that end otherwise than recorded, and the first of them.
    differences: usize,
    differing: Vec<Difference>,
    /// The clock after accepted exchanges; after every one, unless there are many.
    points: Vec<Point>,
}

/// Gives the exchanges of a recorded session to a new client with default settings
///
/// `lab sync --record` or a program with a tap wrote the recording, which may be larger than memory. Exits
/// with 1 if the result of an exchange differs from the recorded one. For other settings and other clocks see
/// `lab report`, for recorded delays `lab study bench --trace`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The recorded session
    #[arg(long, value_name = "FILE.csv")]
    recording: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    stretch: Stretch,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let report = replayed(&args.recording, args.stretch)?;
    if args.json {
        let printed = serde_json::to_string_pretty(&report).context("a report is plain numbers and texts")?;
        println!("{printed}");
    } else {
        print(&report);
    }
    Ok(verdict(report.differences == 0))
}

/// Replays a recording of any size in little memory.
fn replayed(path: &Path, stretch: Stretch) -> Result<Report> {
    let mut reader = Reader::open(path, stretch)?;
    let mut replay = Replay::new(&Config::default())?;
    let mut report = Report { recording: path.display().to_string(), ..Report::default() };
    let mut points = Points { every: 1, seen: 0, kept: Vec::new() };
    let mut start = None;
    while let Some(entry) = reader.next_entry()? {
        if let Entry::Exchange(recorded) = &entry {
            report.exchanges += 1;
            start = start.or(Some(recorded.sample.client_received));
        }
        replay.push(entry);
        drain(replay.results(), start, &mut points);
    }
    let mut end = replay.finish(None);
    drain(&mut end, start, &mut points);
    (report.accepted, report.left_out, report.points) = (end.accepted, end.left_out, points.kept);
    (report.differences, report.differing) = (end.differing, end.differences);
    Ok(report)
}

/// Takes what is new out of the results.
fn drain(results: &mut Rerun, start: Option<LocalTime>, points: &mut Points) {
    for moment in results.moments.drain(..).filter(|moment| moment.is_exchange) {
        let age = moment.local - start.unwrap_or(moment.local);
        points.add(|| point(&moment.reading, moment.local, age));
    }
    results.events.clear();
    results.changes.clear();
    results.pauses.clear();
}

/// Points at equal distances. Every second one goes when there are too many.
struct Points {
    every: usize,
    seen: usize,
    kept: Vec<Point>,
}

impl Points {
    fn add(&mut self, point: impl FnOnce() -> Point) {
        if self.seen % self.every == 0 {
            self.kept.push(point());
        }
        self.seen += 1;
        if self.kept.len() > MOST_POINTS {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
    }
}

fn point(reading: &Reading, now: LocalTime, age: Span) -> Point {
    Point {
        seconds: age.as_secs_f64(),
        offset_ms: Span::from_ticks(reading.server_time.ticks().saturating_sub(now.ticks())).as_millis_f64(),
        bound_ms: finite_ms(reading.error_bound),
        expected_ms: finite_ms(reading.expected_error),
        round_trip_ms: finite_ms(reading.round_trip),
        rate_ppm: reading.frequency_ppm,
        epoch: if reading.state == State::Unsynced { 0 } else { reading.epoch },
    }
}

fn print(report: &Report) {
    println!(
        "{:>9}  {:>16}  {:>10}  {:>11}  {:>10}  {:>8}  epoch",
        "s", "offset ms", "bound ms", "expected ms", "round trip", "ppm"
    );
    let shown = |ms: Option<f64>| optional(ms, |ms| format!("{ms:.3}"));
    let every = report.points.len().div_ceil(ROWS).max(1);
    let last = report.points.len().saturating_sub(1);
    let rows = report.points.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
    for (_, point) in rows {
        println!(
            "{:9.2}  {:16.4}  {:>10}  {:>11}  {:>10}  {:+8.2}  {}",
            point.seconds,
            point.offset_ms,
            shown(point.bound_ms),
            shown(point.expected_ms),
            shown(point.round_trip_ms),
            point.rate_ppm,
            point.epoch
        );
    }
    println!(
        "{} exchanges, {} accepted, {} left out (no known request), {} with another outcome than recorded",
        report.exchanges, report.accepted, report.left_out, report.differences
    );
    for Difference { line, recorded, now } in &report.differing {
        println!("{}", alarm(&format!("line {line}: recorded {recorded}, now {now}")));
    }
}
