//! Tables on the terminal.

use std::io::IsTerminal;

use comfy_table::{Attribute, Cell, CellAlignment, Color, Table, presets};

use crate::baseline::{LEARNER, ORACLE};
use crate::measure::metrics::Score;
use crate::study::clock::suite::CaseResult;
use crate::study::clock::summary::{Standing, best_published};

/// Colours only for people: on a terminal, and unless `NO_COLOR` asks for none.
pub(crate) fn colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// An error in ms with the digits that mean something.
pub(crate) fn ms(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".into(),
        size if size < 0.9995 => format!("{value:.3}"),
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

pub(crate) fn optional(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".into(), format)
}

/// The table of one case.
pub(crate) fn case_table(result: &CaseResult) -> Table {
    let best = best_published(&result.rows, |row| row.score.p99_ms).map(|(name, _)| name);
    let rows: Vec<(&str, &Score)> = result.rows.iter().map(|row| (row.clock.as_str(), &row.score)).collect();
    score_table("clock", &rows, best)
}

/// Column headings of [`cells`], the first being `what`.
pub(crate) fn score_header(what: &str) -> [&str; 14] {
    [
        what,
        "bias",
        "p50",
        "p95",
        "p99",
        "max",
        "settled s",
        "back",
        "rate ppm",
        "bound ms",
        "covered",
        "1/2/3 sigma",
        "bytes",
        "bytes/s",
    ]
}

/// A table of scores under the heading `what`; the row called `best` stands out.
pub(crate) fn score_table(what: &str, rows: &[(&str, &Score)], best: Option<&str>) -> Table {
    let header = score_header(what);
    let mut table = empty(&header);
    for &(name, score) in rows {
        let mark = if Some(name) == best { Some(Color::Green) } else { shade(name) };
        table.add_row(cells(name, score).into_iter().map(|text| paint(text, mark)));
    }
    align(&mut table);
    table
}

/// A line that must not be overlooked.
pub(crate) fn alarm(text: &str) -> String {
    if colours() { format!("\x1b[1;31m{text}\x1b[0m") } else { text.to_owned() }
}

/// A score in the columns of [`score_header`].
pub(crate) fn cells(clock: &str, score: &Score) -> [String; 14] {
    let percent = |share: f64| if share >= 100.0 { "100 %".into() } else { format!("{share:.2} %") };
    [
        clock.to_owned(),
        ms(score.bias_ms),
        ms(score.p50_ms),
        ms(score.p95_ms),
        ms(score.p99_ms),
        ms(score.max_ms),
        optional(score.settle_s, |s| format!("{s:.1}")),
        score.backward_steps.to_string(),
        format!("{:.0}", score.rate_deviation * 1e6),
        optional(score.bound_ms, ms),
        optional(score.bound_coverage, percent),
        score
            .expected_coverage
            .map_or_else(|| "-".into(), |c| format!("{:.0}/{:.0}/{:.0}", c[0], c[1], c[2])),
        score.bytes.to_string(),
        format!("{:.1}", score.steady_bytes_per_s),
    ]
}

/// A ratio of two errors.
pub(crate) fn ratio(value: f64) -> String {
    if value.is_finite() && value > 0.0 { format!("{value:.2}") } else { "-".into() }
}

/// Column headings of [`summary_cells`].
pub(crate) const SUMMARY_HEADER: [&str; 9] =
    ["clock", "p50 ms", "p99 ms", "p50 / best", "p99 / best", "worst", "in", "p99 / oracle", "/ learner"];

/// A clock's standing in the columns of [`SUMMARY_HEADER`].
pub(crate) fn summary_cells(standing: &Standing) -> [String; 9] {
    [
        standing.clock.clone(),
        ms(standing.p50_ms),
        ms(standing.p99_ms),
        ratio(standing.p50_to_best),
        ratio(standing.p99_to_best),
        ratio(standing.worst.0),
        standing.worst.1.clone(),
        optional(standing.p99_to_oracle_median, ratio),
        optional(standing.p99_to_learner_median, ratio),
    ]
}

/// All clocks over all cases.
pub(crate) fn summary_table(standings: &[Standing]) -> Table {
    let mut table = empty(&SUMMARY_HEADER);
    for standing in standings {
        table.add_row(summary_cells(standing).into_iter().map(|text| paint(text, shade(&standing.clock))));
    }
    align(&mut table);
    table
}

/// A table without highlights, the first column being text.
pub(crate) fn plain_table<const N: usize>(
    header: &[&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Table {
    let mut table = empty(header);
    for row in rows {
        table.add_row(row);
    }
    align(&mut table);
    table
}

pub(crate) fn empty(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let bold = |text: &&str| {
        let cell = Cell::new(text);
        if colours() { cell.add_attribute(Attribute::Bold) } else { cell }
    };
    table.set_header(header.iter().map(bold));
    table
}

fn shade(clock: &str) -> Option<Color> {
    [LEARNER, ORACLE].contains(&clock).then_some(Color::DarkGrey)
}

fn paint(text: String, colour: Option<Color>) -> Cell {
    let cell = Cell::new(text);
    match colour {
        Some(colour) if colours() => cell.fg(colour),
        _ => cell,
    }
}

pub(crate) fn align(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
