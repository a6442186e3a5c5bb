//! The results of the bench as one self-contained HTML page.

use std::fmt::Write;

use anyhow::Result;
use rayon::prelude::*;

use super::suite::{CaseResult, Plan, Row, observe};
use super::summary::{Standing, best_published};
use super::tables;
use crate::baseline::{LEARNER, ORACLE};
use crate::measure::metrics::Score;
use crate::measure::product::PRODUCT;
use crate::report::plot::{self, Curve, Ink, Panel};
use crate::report::scores;
use crate::report::words::ms;
use crate::sim::clock::TICKS_PER_MS;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:980px;margin:2em auto;padding:0 1em;color:#222}\
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;margin:1em 0}\
th,td{padding:2px 8px;text-align:right;border-bottom:1px solid #eee;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}tr.own{background:#e8f0fa;font-weight:600}\
tr.best{background:#fbeee6}tr.limit{color:#777}svg{max-width:100%;height:auto}.wide{overflow-x:auto}\
details{margin:.5em 0}summary{cursor:pointer}";

/// Range of the overview's logarithmic axis (ms).
const OVERVIEW_MS: (f64, f64) = (0.001, 1000.0);
/// Layout of the overview (px): width of the names, width of the axis, height of a row.
const OVERVIEW_PX: (f64, f64, f64) = (250.0, 640.0, 18.0);

/// Makes the page. It runs the first seed again to draw the curves.
pub(crate) fn page(plan: &Plan, results: &[CaseResult], standings: &[Standing]) -> Result<String> {
    let plots: Vec<String> = plan
        .cases
        .par_iter()
        .zip(results)
        .map(|(case, result)| {
            let mut curves = Vec::new();
            for (clock, ink) in shown(result) {
                let mut curve = Curve::new(clock, ink);
                observe(plan, case, plan.seeds[0], clock, |read| {
                    if read.shown.is_some() {
                        curve.points.push((read.at_s, read.error.abs() / TICKS_PER_MS));
                    }
                })?;
                curves.push(curve);
            }
            plot::svg(&[Panel { title: "size of the error".into(), seconds: result.seconds, curves }])
        })
        .collect::<Result<_>>()?;
    let mut page = String::new();
    let schedule = if plan.own_schedule {
        "each clock on its own schedule".to_owned()
    } else {
        format!("the same exchanges for all: ten 30 ms apart, then one each {} s", plan.poll_s)
    };
    write!(
        page,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>NetClock bench</title>\
         <style>{STYLE}</style><h1>NetClock bench</h1><p>{} paths, {} runs each (seeds {} to {}), medians; {}. \
         Errors in ms after {} s.</p>",
        results.len(),
        plan.seeds.len(),
        plan.seeds[0],
        plan.seeds[plan.seeds.len() - 1],
        schedule,
        plan.settle_cut_s
    )?;
    write!(page, "<h2>99th percentile of the error</h2>{}", overview(results)?)?;
    write!(page, "<h2>All clocks over all paths</h2><div class=wide>")?;
    table(
        &mut page,
        &tables::SUMMARY_HEADER,
        standings,
        |s| (s.clock.as_str(), tables::summary_cells(s).to_vec()),
        None,
    )?;
    write!(page, "</div><h2>Path by path</h2>")?;
    for (result, picture) in results.iter().zip(&plots) {
        let best = best_published(&result.rows, |row| row.score.p99_ms).map(|(name, _)| name);
        write!(
            page,
            "<details id=\"{0}\"><summary><b>{0}</b>: {1} ({2} s)</summary>{picture}<div class=wide>",
            escape(&result.case),
            escape(&result.about),
            result.seconds
        )?;
        let cells = |row: &'_ Row| scores::cells(&row.clock, &row.score).to_vec();
        table(
            &mut page,
            &scores::score_header("clock"),
            &result.rows,
            |row| (row.clock.as_str(), cells(row)),
            best,
        )?;
        write!(page, "</div></details>")?;
    }
    writeln!(page, "</html>")?;
    Ok(page)
}

/// The clocks that get a curve, the one in the background first.
fn shown(result: &CaseResult) -> Vec<(&str, Ink)> {
    let best = best_published(&result.rows, |row| row.score.p99_ms).map(|(name, _)| (name, Ink::Other));
    let has = |name: &str| result.rows.iter().any(|row| row.clock == name);
    let mut clocks: Vec<(&str, Ink)> = best.into_iter().collect();
    clocks.extend([(ORACLE, Ink::Quiet), (PRODUCT, Ink::Main)].into_iter().filter(|(name, _)| has(name)));
    clocks
}

fn table<T>(
    page: &mut String,
    header: &[&str],
    rows: &[T],
    cells: impl for<'r> Fn(&'r T) -> (&'r str, Vec<String>),
    best: Option<&str>,
) -> Result<()> {
    write!(page, "<table><tr>")?;
    for text in header {
        write!(page, "<th>{}", escape(text))?;
    }
    for row in rows {
        let (clock, cells) = cells(row);
        let class = match clock {
            PRODUCT => "own",
            LEARNER | ORACLE => "limit",
            _ if Some(clock) == best => "best",
            _ => "",
        };
        write!(page, "<tr class=\"{class}\">")?;
        for text in cells {
            write!(page, "<td>{}", escape(&text))?;
        }
    }
    write!(page, "</table>")?;
    Ok(())
}

/// A line for each path, with a dot for each clock.
fn overview(results: &[CaseResult]) -> Result<String> {
    let (names, axis, row_px) = OVERVIEW_PX;
    let x = |ms: f64| {
        let within = ms.clamp(OVERVIEW_MS.0, OVERVIEW_MS.1);
        names + axis * (within / OVERVIEW_MS.0).ln() / (OVERVIEW_MS.1 / OVERVIEW_MS.0).ln()
    };
    let height = row_px * (results.len() as f64 + 2.0);
    let mut picture = format!(
        "<svg viewBox=\"0 0 {:.0} {height:.0}\" width=\"{:.0}\" font-family=\"sans-serif\" font-size=\"12\">",
        names + axis + 30.0,
        names + axis + 30.0
    );
    for power in -3..=3 {
        let ms = 10f64.powi(power);
        write!(
            picture,
            "<path d=\"M{0:.1} {row_px}V{height:.0}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{0:.1}\" y=\"12\" text-anchor=\"middle\" fill=\"#666\">{ms} ms</text>",
            x(ms)
        )?;
    }
    for (line, result) in results.iter().enumerate() {
        let y = row_px * (line as f64 + 1.7);
        write!(picture, "<text x=\"0\" y=\"{:.1}\">{}</text>", y + 4.0, escape(&result.case))?;
        let best = best_published(&result.rows, |row| row.score.p99_ms).map(|(name, _)| name);
        let dot = |row: &Row, colour: &str, radius: f64| {
            let Score { p99_ms, .. } = row.score;
            let (clock, size) = (escape(&row.clock), ms(p99_ms));
            format!(
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"><title>{clock} {size} ms</title></circle>",
                x(p99_ms)
            )
        };
        for row in result.rows.iter().rev() {
            picture += &match row.clock.as_str() {
                PRODUCT => dot(row, "#1a5fb4", 5.0),
                ORACLE => dot(row, "#8a8a8a", 4.0),
                LEARNER => dot(row, "#3d3d3d", 4.0),
                clock if Some(clock) == best => dot(row, "#c64a1b", 4.0),
                _ => dot(row, "#e3c7b8", 2.5),
            };
        }
    }
    write!(picture, "</svg><p>")?;
    for (colour, what) in [
        ("#1a5fb4", "NetClock"),
        ("#c64a1b", "best published clock of the path"),
        ("#e3c7b8", "the others"),
        ("#8a8a8a", "oracle: the limit of any clock that knows the rate"),
        ("#3d3d3d", "learner: the limit of any clock that learns the rate, where it can be computed"),
    ] {
        write!(picture, "<span style=\"color:{colour}\">&#9679;</span> {what} &nbsp; ")?;
    }
    write!(picture, "</p>")?;
    Ok(picture)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
