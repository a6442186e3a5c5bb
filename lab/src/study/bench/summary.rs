use serde::Serialize;

use super::ours::HINTED;
use super::suite::{CaseResult, Row};
use crate::baseline::{HINTED_LEARNER, LEARNER, ORACLE, PUBLISHED};
use netclock_sim::{Score, nearest_rank, sorted};

/// Smaller errors are raised to this value, because ratios of single ticks are meaningless.
const FLOOR_MS: f64 = 0.001;

#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    pub clock: String,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub p50_to_best: f64,
    pub p99_to_best: f64,
    /// The largest ratio of the clock's p99 to the best published p99, and the case in which it occurs.
    pub worst: (f64, String),
    pub p99_to_oracle_median: Option<f64>,
    /// The median ratio of the clock's p99 to the learner's, over the cases for which the learner can be
    /// computed. A clock with a hint is compared with the learner that has the same hint.
    pub p99_to_learner_median: Option<f64>,
    pub bytes: u64,
}

pub fn best_published(rows: &[Row], figure: impl Fn(&Row) -> f64) -> Option<(&str, f64)> {
    rows.iter()
        .filter(|row| PUBLISHED.iter().any(|(name, _)| *name == row.clock))
        .map(|row| (row.clock.as_str(), figure(row)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

pub fn standings(results: &[CaseResult]) -> Vec<Standing> {
    let Some(first) = results.first() else { return Vec::new() };
    first.rows.iter().map(|row| standing(&row.clock, results)).collect()
}

fn standing(clock: &str, results: &[CaseResult]) -> Standing {
    let own: Vec<_> = results.iter().filter_map(|result| Some((result, result.score(clock)?))).collect();
    let all = |figure: &dyn Fn(&CaseResult, &Score) -> Option<f64>| -> Vec<f64> {
        own.iter().filter_map(|(result, score)| figure(result, score)).collect()
    };
    let ratio = |own: f64, (_, best): (&str, f64)| floored(own) / floored(best);
    let p99_to_best = |result: &CaseResult, score: &Score| {
        best_published(&result.rows, |row| row.score.p99_ms).map(|best| ratio(score.p99_ms, best))
    };
    let p50_to_best = |result: &CaseResult, score: &Score| {
        best_published(&result.rows, |row| row.score.p50_ms).map(|best| ratio(score.p50_ms, best))
    };
    let p99_to = |limit: &str| {
        all(&|result, score| result.score(limit).map(|it| ratio(score.p99_ms, (limit, it.p99_ms))))
    };
    let median = |values: Vec<f64>| nearest_rank(&sorted(values), 0.5);
    let mut worst = (0.0, String::new());
    for (result, score) in &own {
        if let Some(ratio) = p99_to_best(result, score).filter(|ratio| *ratio > worst.0) {
            worst = (ratio, result.case.clone());
        }
    }
    Standing {
        clock: clock.to_owned(),
        p50_ms: geometric_mean(&all(&|_, score| Some(floored(score.p50_ms)))),
        p99_ms: geometric_mean(&all(&|_, score| Some(floored(score.p99_ms)))),
        p50_to_best: geometric_mean(&all(&p50_to_best)),
        p99_to_best: geometric_mean(&all(&p99_to_best)),
        worst,
        p99_to_oracle_median: median(p99_to(ORACLE)),
        p99_to_learner_median: median(p99_to(if clock == HINTED { HINTED_LEARNER } else { LEARNER })),
        bytes: median(all(&|_, score| Some(score.bytes as f64))).map_or(0, |bytes| bytes as u64),
    }
}

pub(super) fn floored(ms: f64) -> f64 {
    ms.max(FLOOR_MS)
}

pub fn geometric_mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::super::suite::{BenchPlan, run};
    use super::*;
    use crate::baseline::BEST_RIVAL;
    use crate::scenario;

    fn result(case: &str, rows: &[(&str, f64)]) -> CaseResult {
        let score = |ms: f64| Score { p50_ms: ms / 10.0, p99_ms: ms, ..Default::default() };
        CaseResult::of(case, "", rows.iter().map(|&(clock, ms)| (clock, score(ms))))
    }

    #[test]
    fn ratios_are_to_the_best_of_each_case() {
        let results = [
            result("a", &[("median", 4.0), ("ircam", 2.0), (ORACLE, 0.5), (LEARNER, 2.0)]),
            result("b", &[("median", 1.0), ("ircam", 8.0), (ORACLE, 0.5)]),
        ];
        let standings = standings(&results);
        let median = &standings[0];
        assert!((median.p99_to_best - 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(median.worst, (2.0, "a".to_owned()));
        assert_eq!(median.p99_to_oracle_median, Some(2.0));
        assert_eq!(median.p99_to_learner_median, Some(2.0), "only one case has it");
        assert!((standings[2].p99_to_best - (0.25f64 * 0.5).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_hinted_clock_is_compared_with_the_hinted_learner() {
        let results = [result("a", &[("median", 6.0), (HINTED, 6.0), (LEARNER, 3.0), (HINTED_LEARNER, 1.0)])];
        let to_learner: Vec<_> = standings(&results).iter().map(|it| it.p99_to_learner_median).collect();
        assert_eq!(to_learner[..2], [Some(2.0), Some(6.0)]);
    }

    /// The demo and the README's picture show the clock that this test finds.
    #[test]
    fn the_best_rival_is_the_first_single_clock() {
        let only = PUBLISHED.map(|(name, _)| name.to_owned()).to_vec();
        let plan = BenchPlan {
            cases: scenario::group("all").unwrap(),
            seeds: vec![1],
            only,
            ..BenchPlan::default()
        };
        let standings = standings(&run(&plan).unwrap());
        let best = standings.iter().min_by(|a, b| a.p99_to_best.total_cmp(&b.p99_to_best)).unwrap();
        assert_eq!(best.clock, BEST_RIVAL);
    }
}
