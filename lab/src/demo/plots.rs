//! The plots of a demo's report, as SVG.
//!
//! Colours are placeholders. The report's style sheet replaces them, on light pages and on dark ones.

use std::ops::Range;

use anyhow::{Result, anyhow};
use netclock::Span;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::plan::Action;
use super::protocol::Read;
use super::record::Record;

/// Placeholders that the style sheet of the report replaces.
pub(crate) const INK: RGBColor = RGBColor(1, 1, 1);
pub(crate) const GRID: RGBColor = RGBColor(2, 2, 2);
pub(crate) const ERROR: RGBColor = RGBColor(3, 3, 3);
pub(crate) const EXPECTED: RGBColor = RGBColor(4, 4, 4);
pub(crate) const BOUND: RGBColor = RGBColor(5, 5, 5);
pub(crate) const MARK: RGBColor = RGBColor(6, 6, 6);
pub(crate) const PHASE: RGBColor = RGBColor(7, 7, 7);

/// Twice the shown size, because coordinates are whole pixels.
const SIZE: (u32, u32) = (1800, 440);
const FONT: i32 = 24;
/// A longer gap between reads interrupts a line (s).
const GAP_S: f64 = 0.25;
/// Least and largest reach of the fine plot (ms).
const FINE: Range<f64> = 0.5..12.0;
/// Least and largest reach of the plot of the world's time (ms).
const WORLD: Range<f64> = 45.0..400.0;
/// Standard deviations in the band of the expected error.
const SIGMAS: f64 = 2.0;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// One read: time in s, sizes in ms. Infinite: nothing was promised.
#[derive(Clone, Copy)]
struct Point {
    at: f64,
    error: f64,
    expected: f64,
    bound: f64,
}

/// The error of a client at the scale of the error, with the expected error.
pub(crate) fn fine(record: &Record, client: usize) -> Result<String> {
    let points = points(record, client);
    let late = points.iter().filter(|point| point.at >= 1.0).map(|point| point.error.abs());
    let reach = (1.2 * late.fold(0.0, f64::max)).clamp(FINE.start, FINE.end);
    draw(record, client, reach, "error, ms", |chart| {
        band(chart, &points, reach, EXPECTED, |point| SIGMAS * point.expected)?;
        line(chart, &points, reach)
    })
}

/// The error of a client at the scale of the bound.
pub(crate) fn coarse(record: &Record, client: usize) -> Result<String> {
    let points = points(record, client);
    let finite = points.iter().map(|point| point.bound).filter(|bound| bound.is_finite());
    let reach = (1.15 * finite.fold(0.0, f64::max)).max(1.0);
    draw(record, client, reach, "error and bound, ms", |chart| {
        band(chart, &points, reach, BOUND, |point| point.bound)?;
        line(chart, &points, reach)
    })
}

/// The error of the world's time with both bounds, at the scale of the smaller bound.
pub(crate) fn world(record: &Record, client: usize) -> Result<String> {
    let reads: &[Read] = record.clients.get(client).map_or(&[], |client| &client.reads);
    let points: Vec<Point> = reads
        .iter()
        .filter_map(|read| {
            let world = read.world?;
            let at = record.since_start(read.at).as_secs_f64();
            Some(Point {
                at,
                error: ms(world.error),
                expected: ms(world.if_unchanged),
                bound: ms(world.bound),
            })
        })
        .collect();
    let late = points.iter().filter(|point| point.at >= 1.0).map(|point| point.error.abs());
    let reach = (1.3 * late.fold(0.0, f64::max)).clamp(WORLD.start, WORLD.end);
    draw(record, client, reach, "world error, ms", |chart| {
        band(chart, &points, reach, BOUND, |point| point.bound)?;
        band(chart, &points, reach, EXPECTED, |point| point.expected)?;
        phases(chart, record, reach)?;
        line(chart, &points, reach)
    })
}

/// Ticks in ms; `i64::MAX` is infinite.
fn ms(ticks: i64) -> f64 {
    if ticks == i64::MAX { f64::INFINITY } else { Span::from_ticks(ticks).as_millis_f64() }
}

/// Marks the events of the server's world.
fn phases(chart: &mut Chart<'_, '_>, record: &Record, reach: f64) -> Result<()> {
    let font = ("sans-serif", FONT).into_font().color(&PHASE);
    let end = record.length.as_secs_f64();
    for phase in record.phases.iter().filter(|phase| phase.from < record.length) {
        let (from, to) = (phase.from.as_secs_f64(), phase.to.as_secs_f64().min(end));
        for at in [from, to] {
            let edge = PathElement::new(vec![(at, -reach), (at, reach)], PHASE.stroke_width(2));
            chart.draw_series([edge]).map_err(failed)?;
        }
        let place = (from + end * 0.004, -reach * 0.86);
        chart.draw_series([Text::new(phase.kind.name(), place, font.clone())]).map_err(failed)?;
    }
    Ok(())
}

fn points(record: &Record, client: usize) -> Vec<Point> {
    let reads: &[Read] = record.clients.get(client).map_or(&[], |client| &client.reads);
    let point = |read: &Read| Point {
        at: record.since_start(read.at).as_secs_f64(),
        error: ms(read.error),
        expected: ms(read.expected),
        bound: ms(read.bound),
    };
    reads.iter().map(point).collect()
}

fn draw(
    record: &Record,
    client: usize,
    reach: f64,
    axis: &str,
    contents: impl FnOnce(&mut Chart<'_, '_>) -> Result<()>,
) -> Result<String> {
    let mut svg = String::new();
    {
        let area: Area<'_> = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let seconds = record.length.as_secs_f64().max(1.0);
        let mut chart = ChartBuilder::on(&area)
            .margin_top(8)
            .margin_right(24)
            .x_label_area_size(44)
            .y_label_area_size(110)
            .build_cartesian_2d(0.0..seconds, -reach..reach)
            .map_err(failed)?;
        let font = ("sans-serif", FONT).into_font().color(&INK);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .label_style(font.clone())
            .axis_desc_style(font)
            .x_labels(12)
            .y_labels(6)
            .x_label_formatter(&|at| format!("{at:.0} s"))
            .y_label_formatter(&|ms| if reach < 3.0 { format!("{ms:+.1}") } else { format!("{ms:+.0}") })
            .y_desc(axis)
            .draw()
            .map_err(failed)?;
        contents(&mut chart)?;
        marks(&mut chart, record, client, reach)?;
        area.present().map_err(failed)?;
    }
    Ok(svg)
}

fn line(chart: &mut Chart<'_, '_>, points: &[Point], reach: f64) -> Result<()> {
    for run in runs(points) {
        let path: Vec<(f64, f64)> =
            run.iter().map(|point| (point.at, point.error.clamp(-reach, reach))).collect();
        chart.draw_series([PathElement::new(path, ERROR.stroke_width(3))]).map_err(failed)?;
    }
    Ok(())
}

fn band(
    chart: &mut Chart<'_, '_>,
    points: &[Point],
    reach: f64,
    colour: RGBColor,
    half: impl Fn(&Point) -> f64,
) -> Result<()> {
    for run in runs(points) {
        let edge = |sign: f64| {
            let half = &half;
            move |point: &Point| (point.at, (sign * half(point)).clamp(-reach, reach))
        };
        let mut outline: Vec<(f64, f64)> = run.iter().map(edge(1.0)).collect();
        outline.extend(run.iter().rev().map(edge(-1.0)));
        chart.draw_series([Polygon::new(outline, colour.filled())]).map_err(failed)?;
    }
    Ok(())
}

/// Runs of reads without a gap.
fn runs(points: &[Point]) -> impl Iterator<Item = &[Point]> {
    points.chunk_by(|before, after| after.at - before.at < GAP_S)
}

/// Marks the actions of the demo that concern this client.
fn marks(chart: &mut Chart<'_, '_>, record: &Record, client: usize, reach: f64) -> Result<()> {
    let font = ("sans-serif", FONT).into_font().color(&MARK);
    for (at, action) in &record.plan.actions {
        let label = match action {
            Action::Stop(index) if *index == client => "stopped",

            Action::Shift(index) if *index == client => "route +40 ms",
            Action::Restart => "server restarted",
            _ => continue,
        };
        let at = at.as_secs_f64();
        if at > record.length.as_secs_f64() {
            continue;
        }
        let mark = PathElement::new(vec![(at, -reach), (at, reach)], MARK.stroke_width(2));
        chart.draw_series([mark]).map_err(failed)?;
        let place = (at + record.length.as_secs_f64() * 0.004, reach * 0.97);
        chart.draw_series([Text::new(label, place, font.clone())]).map_err(failed)?;
    }
    Ok(())
}

fn failed(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw a plot: {error}")
}
