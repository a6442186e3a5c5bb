//! `lab replay --recording`: what a new client makes of the exchanges of a recorded session.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::{Config, LocalTime, Reading, Span, State};
use serde::Serialize;

use crate::inspect::charts;
use crate::inspect::look::Look;
use crate::inspect::rerun::{Difference, Rerun};
use crate::inspect::verdict::verdicts;
use crate::inspect::what_if::{self, Clock};
use crate::recording::{self, Recorded};
use crate::report::exit::verdict;
use crate::report::file;
use crate::report::table::plain;
use crate::report::words::{alarm, ms, optional};

/// Most rows of the table.
const ROWS: usize = 20;

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
    differing: Vec<Difference>,
    points: Vec<Point>,
    /// This clock and others on the same exchanges, if asked for. Errors are against the best estimate in hindsight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    side_by_side: Vec<Clock>,
}

/// Runs the command.
pub(super) fn run(
    path: &Path,
    what_if: &what_if::Options,
    json: bool,
    plot: Option<&Path>,
) -> Result<ExitCode> {
    let recorded = recording::read(path)?;
    let look = Look::new(path.display().to_string(), &Config::default(), &recorded, None)?;
    let clocks = what_if.clocks(&look, &recorded)?;
    if let Some(path) = plot {
        file::write(
            path,
            &charts::page(
                &look.name,
                vec![charts::part(&look, &verdicts(&look, &Config::default()), &clocks)],
            )
            .html()?,
        )?;
    }
    let report = report(look, clocks, &recorded);
    if json {
        let printed = serde_json::to_string_pretty(&report).context("a report is plain numbers and texts")?;
        println!("{printed}");
    } else {
        print(&report);
    }
    Ok(verdict(report.differing.is_empty()))
}

fn report(look: Look, side_by_side: Vec<Clock>, recorded: &[Recorded]) -> Report {
    let Look { name: recording, rerun: Rerun { accepted, left_out, differing, moments, .. }, .. } = look;
    let start = recorded.first().map_or(LocalTime::from_ticks(0), |first| first.sample.client_received);
    let accepting = moments.iter().filter(|moment| moment.is_exchange);
    let points = accepting.map(|it| point(&it.reading, it.local, it.local - start)).collect();
    Report { recording, exchanges: recorded.len(), accepted, left_out, differing, points, side_by_side }
}

fn point(reading: &Reading, now: LocalTime, age: Span) -> Point {
    let finite = |span: Span| (span != Span::MAX).then(|| span.as_millis_f64());
    Point {
        seconds: age.as_secs_f64(),
        offset_ms: Span::from_ticks(reading.server_time.ticks().saturating_sub(now.ticks())).as_millis_f64(),
        bound_ms: finite(reading.error_bound),
        expected_ms: finite(reading.expected_error),
        round_trip_ms: finite(reading.round_trip),
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
        report.exchanges,
        report.accepted,
        report.left_out,
        report.differing.len()
    );
    if !report.side_by_side.is_empty() {
        let header = ["error in ms, by hindsight", "median", "95 %", "99 %", "largest", "times back"];
        let rows = report.side_by_side.iter().map(|clock| {
            let [median, high, higher, largest] = clock.sizes_ms.map(|size| optional(size, ms));
            [clock.name.clone(), median, high, higher, largest, clock.backwards.to_string()]
        });
        println!("{}", plain(&header, rows, false));
    }
    for Difference { line, recorded, now } in &report.differing {
        println!("{}", alarm(&format!("line {line}: recorded {recorded}, now {now}")));
    }
}
