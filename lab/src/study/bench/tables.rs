use std::collections::BTreeMap;

use super::suite::{CaseResult, Row};
use super::summary::{Standing, best_published, floored};
use crate::baseline::{LEARNER, ORACLE};
use crate::report::{ms, optional, plain, ratio};
use netclock_sim::{PRODUCT, Score, sorted, upper_median};

pub(crate) const SCORES: &str = "clock | bias | p50 | p95 | p99 | max | settled s | back | rate ppm | \
                                 bound ms | covered | 1/2/3 sigma | bytes";

pub(crate) fn score_cells(Row { clock, score }: &Row) -> String {
    let percent = |share: f64| if share >= 100.0 { "100 %".into() } else { format!("{share:.2} %") };
    let Score { backward_steps, bytes, .. } = score;
    let [bias, p50, p95, p99, max] =
        [score.bias_ms, score.p50_ms, score.p95_ms, score.p99_ms, score.max_ms].map(ms);
    let settled = optional(score.settle_s, |s| format!("{s:.1}"));
    let rate = score.rate_deviation * 1e6;
    let (bound, covered) = (optional(score.bound_ms, ms), optional(score.bound_coverage, percent));
    let sigmas = |c: [f64; 3]| format!("{:.0}/{:.0}/{:.0}", c[0], c[1], c[2]);
    let sigmas = score.expected_coverage.map_or_else(|| "-".into(), sigmas);
    format!(
        "{clock} | {bias} | {p50} | {p95} | {p99} | {max} | {settled} | {backward_steps} | {rate:.0} | \
         {bound} | {covered} | {sigmas} | {bytes}"
    )
}

pub(crate) const CLOCKS: &str =
    "clock | p50 ms | p99 ms | p50 / best | p99 / best | worst | in | p99 / oracle | / learner | bytes";

pub(crate) fn clock_cells(standing: &Standing) -> String {
    let Standing { clock, worst: (worst, path), bytes, .. } = standing;
    let [p50, p99] = [standing.p50_ms, standing.p99_ms].map(ms);
    let [p50_to_best, p99_to_best, worst] = [standing.p50_to_best, standing.p99_to_best, *worst].map(ratio);
    let [oracle, learner] = [standing.p99_to_oracle_median, standing.p99_to_learner_median];
    let [oracle, learner] = [oracle, learner].map(|value| optional(value, ratio));
    format!(
        "{clock} | {p50} | {p99} | {p50_to_best} | {p99_to_best} | {worst} | {path} | {oracle} | {learner} | \
         {bytes}"
    )
}

pub(crate) const CASES: &str =
    "scenario | best published | its p99 | p50 | p99 | p99 / best | oracle p99 | learner p99";

const FAMILIES_HEADER: &str = "family | kind | draws | p50 | p99 | best published p99 | p99 / best, median | \
                               worst | within 1, 2, 3 expected errors (%)";

pub(crate) fn families(families: &[(&str, Vec<CaseResult>)]) -> String {
    let mut rows = Vec::new();
    for (family, results) in families {
        let mut kinds: BTreeMap<&str, Vec<&CaseResult>> = BTreeMap::new();
        for result in results {
            kinds.entry(kind(&result.about)).or_default().push(result);
        }
        rows.extend(kinds.iter().map(|(kind, draws)| family_cells(family, kind, draws)));
    }
    plain(FAMILIES_HEADER, rows, true)
}

fn kind(about: &str) -> &str {
    about.split([':', ';']).next().unwrap_or(about)
}

fn family_cells(family: &str, kind: &str, draws: &[&CaseResult]) -> String {
    let [mut p50, mut p99, mut best, mut to_best] = <[Vec<f64>; 4]>::default();
    let mut within = [0.0; 3];
    for draw in draws {
        let published = best_published(&draw.rows, |row| row.score.p99_ms);
        let Some((own, (_, published))) = draw.score(PRODUCT).zip(published) else { continue };
        p50.push(own.p50_ms);
        p99.push(own.p99_ms);
        best.push(published);
        to_best.push(floored(own.p99_ms) / floored(published));
        let shares = own.expected_coverage.unwrap_or_default();
        within.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
    }
    let count = p99.len() as f64;
    let worst = to_best.iter().copied().fold(0.0, f64::max);
    let median = |values: Vec<f64>| upper_median(&sorted(values)).unwrap_or(f64::NAN);
    let [p50, p99, best] = [p50, p99, best].map(|values| ms(median(values)));
    let [one, two, three] = within.map(|sum| sum / count);
    format!(
        "{family} | {kind} | {count} | {p50} | {p99} | {best} | {} | {} | \
         {one:.0}, {two:.0}, {three:.1}",
        ratio(median(to_best)),
        ratio(worst)
    )
}

pub(crate) fn case_cells(result: &CaseResult) -> String {
    let figure = |clock, figure: fn(&Score) -> f64| result.score(clock).map_or(f64::NAN, figure);
    let p99 = |score: &Score| score.p99_ms;
    let (best, best_p99) = best_published(&result.rows, |row| row.score.p99_ms).unwrap_or(("-", f64::NAN));
    let own = figure(PRODUCT, p99);
    let figures = [best_p99, figure(PRODUCT, |score| score.p50_ms), own].map(ms).join(" | ");
    let limits = [figure(ORACLE, p99), figure(LEARNER, p99)].map(ms).join(" | ");
    format!("{} | {best} | {figures} | {} | {limits}", result.case, ratio(own / best_p99))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_compared_with_its_best_clock_and_the_limits() {
        let score = |p99_ms: f64| Score { p50_ms: p99_ms / 10.0, p99_ms, ..Default::default() };
        let rows = [(PRODUCT, 0.5), ("median", 4.0), ("ircam", 2.0), (ORACLE, 0.25)];
        let result = CaseResult::of("wifi", "Wi-Fi", rows.map(|(clock, p99_ms)| (clock, score(p99_ms))));
        assert_eq!(case_cells(&result), "wifi | ircam | 2.00 | 0.050 | 0.500 | 0.25 | 0.250 | -");
        assert_eq!(case_cells(&CaseResult::of("x", "", [])), "x | - | - | - | - | - | - | -");
    }

    #[test]
    fn one_line_for_each_kind_of_a_family() {
        let draw = |about: &str, p99_ms, best| {
            let coverage = Some([50.0, 90.0, 99.0]);
            let score = Score { p50_ms: 0.1, p99_ms, expected_coverage: coverage, ..Score::default() };
            let published = Score { p99_ms: best, ..Score::default() };
            CaseResult::of("joins 1", about, [(PRODUCT, score), ("median", published)])
        };
        let draws = vec![
            draw("bursts of loss: up; 5 ms each way", 1.0, 2.0),
            draw("bursts of loss: down; 7 ms each way", 2.0, 2.0),
            draw("an outage: up; 9 ms each way", 3.0, 1.0),
        ];
        let text = families(&[("joins", draws)]);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "joins,an outage,1,0.100,3.00,1.00,3.00,3.00,\"50, 90, 99.0\"",
                "joins,bursts of loss,2,0.100,2.00,2.00,1.00,1.00,\"50, 90, 99.0\"",
            ]
        );
    }
}
