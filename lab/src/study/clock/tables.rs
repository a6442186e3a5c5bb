//! The tables of the bench: the clocks on one case, and all clocks over all cases.

use comfy_table::Table;

use super::suite::CaseResult;
use super::summary::{Standing, best_published};
use crate::report::scores::{paint, score_table, shade};
use crate::report::table::{align, empty};
use crate::report::words::{ms, optional, ratio};
use netclock_sim::measure::metrics::Score;

/// The table of one case.
pub(crate) fn case_table(result: &CaseResult) -> Table {
    let best = best_published(&result.rows, |row| row.score.p99_ms).map(|(name, _)| name);
    let rows: Vec<(&str, &Score)> = result.rows.iter().map(|row| (row.clock.as_str(), &row.score)).collect();
    score_table("clock", &rows, best)
}

/// Column headings of [`summary_cells`].
pub(crate) const SUMMARY_HEADER: [&str; 10] = [
    "clock",
    "p50 ms",
    "p99 ms",
    "p50 / best",
    "p99 / best",
    "worst",
    "in",
    "p99 / oracle",
    "/ learner",
    "bytes",
];

/// A standing in the columns of [`SUMMARY_HEADER`].
pub(crate) fn summary_cells(standing: &Standing) -> [String; 10] {
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
        standing.bytes.to_string(),
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
