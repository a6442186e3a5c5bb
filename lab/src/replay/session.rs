//! `lab replay --recording`: gives the exchanges of a recorded session to a new client.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::{Client, Config, LocalTime, Reading, Refusal, Span, State};
use serde::Serialize;

use crate::recording::{self, Recorded};
use crate::report::exit::verdict;
use crate::report::file;
use crate::report::plot::{self, Curve, Ink, Panel};
use crate::report::words::{alarm, optional};

/// Time between calls of the client. A game calls it every frame, which a recording does not show. Without these calls,
/// a wait for a reply would look like a pause of the program.
const CALLS_APART: Span = Span::from_secs(1);
/// A longer gap in the recording is a pause of the program.
const PAUSE: Span = Span::from_secs(3600);
/// The seed of the new client, whose request ids do not matter.
const SEED: u128 = 1;
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

/// An exchange whose result differs from the recorded one.
#[derive(Debug, Serialize)]
struct Difference {
    line: usize,
    recorded: &'static str,
    now: &'static str,
}

/// The results of a session.
#[derive(Debug, Default, Serialize)]
struct Rerun {
    recording: String,
    exchanges: usize,
    accepted: usize,
    /// Answers to unknown requests. They say nothing about the clocks and cannot be repeated.
    left_out: usize,
    differing: Vec<Difference>,
    points: Vec<Point>,
}

/// Runs the command.
pub(super) fn run(path: &Path, json: bool, plot: Option<&Path>) -> Result<ExitCode> {
    let recorded = recording::read(path)?;
    let rerun = rerun(path.display().to_string(), &recorded)?;
    if let Some(picture) = plot {
        file::write(picture, &plot::svg(&[panel(&rerun)])?)?;
    }
    if json {
        let printed = serde_json::to_string_pretty(&rerun).context("a report is plain numbers and texts")?;
        println!("{printed}");
    } else {
        print(&rerun);
    }
    Ok(verdict(rerun.differing.is_empty()))
}

fn rerun(recording: String, recorded: &[Recorded]) -> Result<Rerun> {
    let mut client = Client::new(Config::default(), SEED)?;
    if recorded.iter().any(|recorded| recorded.sample.path == netclock::Path::Link) {
        client.open_link()?;
    }
    let mut rerun = Rerun { recording, exchanges: recorded.len(), ..Rerun::default() };
    let start = recorded.first().map_or(LocalTime::from_ticks(0), |first| first.sample.client_received);
    let mut now: Option<LocalTime> = None;
    for Recorded { line, sample } in recorded {
        let Some(exchange) = sample.exchange() else {
            rerun.left_out += 1;
            continue;
        };
        // Only a usable exchange says what time it was.
        if matches!(sample.outcome, Ok(()) | Err(Refusal::Contradiction)) {
            let arrived = exchange.client_received;
            pass(&mut client, now, arrived);
            now =
                Some(now.map_or(arrived, |now| {
                    if now - arrived < CALLS_APART { now.max(arrived) } else { arrived }
                }));
        }
        let outcome = client.handle_exchange_by(sample.path, &exchange, sample.server_epoch);
        rerun.accepted += usize::from(outcome.is_ok());
        if outcome != sample.outcome {
            let (recorded, now) = (recording::name(sample.outcome), recording::name(outcome));
            rerun.differing.push(Difference { line: *line, recorded, now });
        }
        if let (Ok(()), Some(now)) = (outcome, now) {
            rerun.points.push(point(&client.read(now), now, now - start));
        }
    }
    Ok(rerun)
}

/// Lets time pass for the client, from `last` to `arrived`.
fn pass(client: &mut Client, last: Option<LocalTime>, arrived: LocalTime) {
    let Some(mut now) = last else { return };
    // A reply may be handled late, so the client may refuse a time that is slightly too early.
    if arrived - now < PAUSE {
        while arrived - now > CALLS_APART {
            now += CALLS_APART;
            let _request = client.tick(now);
        }
    }
    let _request = client.tick(arrived);
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

/// Distance of the offset from the line that the end of its epoch gives in hindsight (ms).
fn hindsight_ms(points: &[Point], point: &Point) -> f64 {
    let end = points.iter().rfind(|other| other.epoch == point.epoch).unwrap_or(point);
    let drift_ms = (end.seconds - point.seconds) * end.rate_ppm * 1e-3;
    (point.offset_ms - (end.offset_ms - drift_ms)).abs()
}

fn panel(rerun: &Rerun) -> Panel {
    let mut curves = [
        Curve::new("bound", Ink::Bound),
        Curve::new("expected error", Ink::Quiet),
        Curve::new("distance from hindsight", Ink::Main),
    ];
    for point in &rerun.points {
        let sizes = [point.bound_ms, point.expected_ms, Some(hindsight_ms(&rerun.points, point))];
        for (curve, size) in curves.iter_mut().zip(sizes) {
            curve.points.extend(size.map(|ms| (point.seconds, ms)));
        }
    }
    let seconds = rerun.points.last().map_or(1.0, |last| last.seconds.max(1.0));
    Panel { title: rerun.recording.clone(), seconds, curves: curves.into() }
}

fn print(rerun: &Rerun) {
    println!(
        "{:>9}  {:>16}  {:>10}  {:>11}  {:>10}  {:>8}  epoch",
        "s", "offset ms", "bound ms", "expected ms", "round trip", "ppm"
    );
    let shown = |ms: Option<f64>| optional(ms, |ms| format!("{ms:.3}"));
    let every = rerun.points.len().div_ceil(ROWS).max(1);
    let last = rerun.points.len().saturating_sub(1);
    let rows = rerun.points.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
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
        rerun.exchanges,
        rerun.accepted,
        rerun.left_out,
        rerun.differing.len()
    );
    for Difference { line, recorded, now } in &rerun.differing {
        println!("{}", alarm(&format!("line {line}: recorded {recorded}, now {now}")));
    }
}
