//! The results of the bench as tables in Markdown, for documents.

use super::suite::CaseResult;
use super::summary::{Standing, best_published};
use super::tables::{SUMMARY_HEADER, summary_cells};
use crate::baseline::{LEARNER, ORACLE};
use crate::report::table;
use crate::report::words::{ms, ratio};
use netclock_sim::measure::metrics::Score;
use netclock_sim::measure::product::PRODUCT;

/// A line for each case, with the product, the best published clock and the limits; then a line for each
/// clock.
pub(crate) fn markdown(results: &[CaseResult], standings: &[Standing]) -> String {
    let cases = table::markdown(
        &["scenario", "best published", "its p99", "p50", "p99", "p99 / best", "oracle p99", "learner p99"],
        results.iter().map(case_cells),
    );
    let clocks = table::markdown(&SUMMARY_HEADER, standings.iter().map(summary_cells));
    format!("{cases}\n{clocks}")
}

fn case_cells(result: &CaseResult) -> [String; 8] {
    let score = |clock: &str| result.rows.iter().find(|row| row.clock == clock).map(|row| &row.score);
    let figure = |clock: &str, figure: fn(&Score) -> f64| ms(score(clock).map_or(f64::NAN, figure));
    let (best, best_p99) = best_published(&result.rows, |row| row.score.p99_ms).unwrap_or(("-", f64::NAN));
    let own = score(PRODUCT).map_or(f64::NAN, |score| score.p99_ms);
    [
        result.case.clone(),
        best.to_owned(),
        ms(best_p99),
        figure(PRODUCT, |score| score.p50_ms),
        ms(own),
        ratio(own / best_p99),
        figure(ORACLE, |score| score.p99_ms),
        figure(LEARNER, |score| score.p99_ms),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::clock::suite::Row;
    use crate::study::clock::summary::standings;

    #[test]
    fn one_line_for_each_case_and_clock() {
        let row = |clock: &str, p99_ms| Row {
            clock: clock.into(),
            score: Score { p50_ms: p99_ms / 10.0, p99_ms, ..Default::default() },
        };
        let results = [CaseResult {
            case: "wifi".into(),
            about: "Wi-Fi".into(),
            seconds: 600.0,
            rows: vec![row(PRODUCT, 0.5), row("median", 4.0), row("ircam", 2.0), row(ORACLE, 0.25)],
        }];
        let text = markdown(&results, &standings(&results));
        assert!(text.contains("|---|---:|---:|---:|---:|---:|---:|---:|\n"), "{text}");
        assert!(text.contains("| wifi | ircam | 2.00 | 0.050 | 0.500 | 0.25 | 0.250 | - |\n"), "{text}");
        assert_eq!(text.lines().count(), 3 + 1 + 2 + 4, "{text}");
    }

    #[test]
    fn what_took_no_part_is_a_dash() {
        let alone = CaseResult { case: "x".into(), about: String::new(), seconds: 1.0, rows: Vec::new() };
        assert_eq!(case_cells(&alone), ["x", "-", "-", "-", "-", "-", "-", "-"]);
    }
}
