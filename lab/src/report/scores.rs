//! Scores in tables.

use comfy_table::{Cell, Color, Table};

use super::table::{align, empty};
use super::words::{colours, ms, optional};
use crate::baseline::{LEARNER, ORACLE};
use netclock_sim::measure::metrics::Score;

/// Column headings of [`cells`]; the first is `what`.
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

/// A table of scores with `what` as its first heading. The row called `best` stands out.
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

/// The colour of the limits of any clock, which do not compete.
pub(crate) fn shade(clock: &str) -> Option<Color> {
    [LEARNER, ORACLE].contains(&clock).then_some(Color::DarkGrey)
}

/// A cell in a colour, if the terminal has colours.
pub(crate) fn paint(text: String, colour: Option<Color>) -> Cell {
    let cell = Cell::new(text);
    match colour {
        Some(colour) if colours() => cell.fg(colour),
        _ => cell,
    }
}
