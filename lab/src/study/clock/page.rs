//! The results of the bench as a page.

use anyhow::Result;
use rayon::prelude::*;

use super::suite::{CaseResult, Plan, observe};
use super::summary::{Standing, best_published};
use super::tables;
use crate::baseline::{LEARNER, ORACLE};
use crate::report::page::chart::{Chart, Curve, Ink, Shape};
use crate::report::page::{Block, Page, Part, Table};
use crate::report::scores;
use crate::report::words::ms;
use netclock_sim::clock::TICKS_PER_MS;
use netclock_sim::measure::product::PRODUCT;

/// Makes the page. It runs the first seed again to draw the curves.
pub(crate) fn page(plan: &Plan, results: &[CaseResult], standings: &[Standing]) -> Result<Page> {
    let charts: Vec<Chart> = (0..results.len())
        .into_par_iter()
        .map(|number| chart(plan, number, &results[number]))
        .collect::<Result<_>>()?;
    let schedule = if plan.own_schedule {
        "each clock on its own schedule".to_owned()
    } else {
        format!("the same exchanges for all: ten 30 ms apart, then one each {} s", plan.poll_s)
    };
    let lead = format!(
        "{} paths, {} runs each (seeds {} to {}), medians; {schedule}. Errors in ms after {} s.",
        results.len(),
        plan.seeds.len(),
        plan.seeds[0],
        plan.seeds[plan.seeds.len() - 1],
        plan.settle_cut_s
    );
    let rows = standings.iter().map(tables::summary_cells);
    let all = vec![
        Block::Table(Table::new("All clocks over all paths", tables::SUMMARY_HEADER, rows)),
        Block::Table(overview(results)),
    ];
    let mut parts = vec![Part { title: "All paths".to_owned(), blocks: all }];
    parts.extend(results.iter().zip(charts).map(|(result, chart)| {
        let rows = result.rows.iter().map(|row| scores::cells(&row.clock, &row.score));
        let blocks = vec![
            Block::Text(format!("{} ({} s)", result.about, result.seconds)),
            Block::Chart(chart),
            Block::Table(Table::new("Errors in ms", scores::HEADER, rows)),
        ];
        Part { title: result.case.clone(), blocks }
    }));
    Ok(Page { title: "NetClock bench".to_owned(), lead, overview: None, parts })
}

fn chart(plan: &Plan, number: usize, result: &CaseResult) -> Result<Chart> {
    let mut chart = Chart::over_time(&format!("path_{number}"), "Size of the error", "ms").logarithmic();
    chart.words =
        format!("The largest of each stretch of time, on a logarithmic scale, with seed {}.", plan.seeds[0]);
    for (clock, pen) in shown(result) {
        let mut points = Vec::new();
        observe(plan, &plan.cases[number], plan.seeds[0], clock, |read| {
            if read.shown.is_some() {
                points.push((read.at_s, read.error / TICKS_PER_MS));
            }
        })?;
        chart.add(Curve::peaks(clock, pen, result.seconds, points));
    }
    Ok(chart)
}

/// The clocks that get a curve, the one in the background first.
fn shown(result: &CaseResult) -> Vec<(&str, (Ink, Shape))> {
    let best = best_published(&result.rows, |row| row.score.p99_ms);
    let mut clocks: Vec<_> = best.map(|(name, _)| (name, (Ink::Other, Shape::Line))).into_iter().collect();
    let known = [(ORACLE, (Ink::Expected, Shape::Dashes)), (PRODUCT, (Ink::Main, Shape::Line))];
    clocks.extend(known.into_iter().filter(|(name, _)| result.rows.iter().any(|row| row.clock == *name)));
    clocks
}

/// NetClock beside the best published clock of each path, and the limits.
fn overview(results: &[CaseResult]) -> Table {
    let row = |result: &CaseResult| {
        let of = |name: &str| {
            let row = result.rows.iter().find(|row| row.clock == name);
            row.map_or_else(|| "-".to_owned(), |row| ms(row.score.p99_ms))
        };
        let best = best_published(&result.rows, |row| row.score.p99_ms);
        let (name, size) = best.map_or(("-", f64::NAN), |(name, size)| (name, size));
        let [own, learner, oracle] = [PRODUCT, LEARNER, ORACLE].map(of);
        format!("{} | {own} | {} | {learner} | {oracle} | {name}", result.case, ms(size))
    };
    let caption = "99th percentile of the error (ms). The oracle is the limit of any clock that knows the \
                   rate; the learner that of any clock that learns it, where it can be computed.";
    let header = format!("path | {PRODUCT} | best published | {LEARNER} | {ORACLE} | which is");
    Table::new(caption, &header, results.iter().map(row)).with_words()
}
