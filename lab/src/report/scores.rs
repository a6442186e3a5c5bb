//! Scores in tables.

use comfy_table::Color;

use super::table::painted;
use super::words::{ms, optional};
use crate::baseline::{LEARNER, ORACLE};
use netclock_sim::measure::metrics::Score;

/// Column headings of [`cells`].
pub(crate) const HEADER: &str = "clock | bias | p50 | p95 | p99 | max | settled s | back | rate ppm | \
                                 bound ms | covered | 1/2/3 sigma | bytes | bytes/s";

/// A table of the scores of clocks. The row called `best` stands out.
pub(crate) fn score_table<'a>(
    rows: impl IntoIterator<Item = (&'a str, &'a Score)>,
    best: Option<&str>,
) -> String {
    let mark = |name| if Some(name) == best { Some(Color::Green) } else { shade(name) };
    let rows = rows.into_iter().map(|(name, score)| (cells(name, score), mark(name)));
    painted(HEADER, rows)
}

/// A score in the columns of [`HEADER`].
pub(crate) fn cells(clock: &str, score: &Score) -> String {
    let percent = |share: f64| if share >= 100.0 { "100 %".into() } else { format!("{share:.2} %") };
    let Score { backward_steps, bytes, steady_bytes_per_s, .. } = score;
    let [bias, p50, p95, p99, max] =
        [score.bias_ms, score.p50_ms, score.p95_ms, score.p99_ms, score.max_ms].map(ms);
    let settled = optional(score.settle_s, |s| format!("{s:.1}"));
    let rate = score.rate_deviation * 1e6;
    let (bound, covered) = (optional(score.bound_ms, ms), optional(score.bound_coverage, percent));
    let sigmas = |c: [f64; 3]| format!("{:.0}/{:.0}/{:.0}", c[0], c[1], c[2]);
    let sigmas = score.expected_coverage.map_or_else(|| "-".into(), sigmas);
    format!(
        "{clock} | {bias} | {p50} | {p95} | {p99} | {max} | {settled} | {backward_steps} | {rate:.0} | \
         {bound} | {covered} | {sigmas} | {bytes} | {steady_bytes_per_s:.1}"
    )
}

/// The colour of the limits of any clock, which do not compete.
pub(crate) fn shade(clock: &str) -> Option<Color> {
    [LEARNER, ORACLE].contains(&clock).then_some(Color::DarkGrey)
}
