//! What a mechanism is worth: the same runs with it and without it.

use netclock_sim::measure::figures::{nearest_rank, sorted};
use netclock_sim::measure::metrics::Score;

/// A smaller error counts as this (ms): ratios of single ticks mean nothing.
const FLOOR_MS: f64 = 0.001;

/// A mechanism stays if errors are this much larger without it, in the geometric mean of all cases ...
const IN_THE_MEAN: f64 = 1.02;
/// ... or in one case ...
const IN_ONE_CASE: f64 = 1.10;
/// ... and there in more than this share of the seeds.
const BEYOND_CHANCE: f64 = 0.75;

/// One figure without a mechanism, over that with it.
#[derive(Clone, Debug)]
pub(super) struct Worth {
    /// Geometric mean over the cases of the ratio of medians.
    pub(super) mean: f64,
    /// The largest ratio of medians that is beyond chance, and its case.
    pub(super) most: Option<(f64, String)>,
    /// The smallest: where the mechanism does harm.
    pub(super) least: Option<(f64, String)>,
}

impl Worth {
    /// Compares the scores of each case, seed by seed.
    pub(super) fn of(
        names: &[String],
        with: &[Vec<Score>],
        without: &[Vec<Score>],
        figure: fn(&Score) -> f64,
    ) -> Self {
        let mut worth = Worth { mean: 1.0, most: None, least: None };
        let mut logs = 0.0;
        for ((name, with), without) in names.iter().zip(with).zip(without) {
            let (median_with, median_without) = (median(with, figure), median(without, figure));
            let ratio = median_without / median_with;
            logs += ratio.ln();
            let pairs: Vec<f64> =
                with.iter().zip(without).map(|(with, without)| figure(without) - figure(with)).collect();
            let share = |of: fn(&f64) -> bool| {
                pairs.iter().filter(|pair| of(pair)).count() as f64 / pairs.len().max(1) as f64
            };
            if share(|pair| *pair > 0.0) > BEYOND_CHANCE
                && worth.most.as_ref().is_none_or(|(most, _)| ratio > *most)
            {
                worth.most = Some((ratio, name.clone()));
            }
            if share(|pair| *pair < 0.0) > BEYOND_CHANCE
                && worth.least.as_ref().is_none_or(|(least, _)| ratio < *least)
            {
                worth.least = Some((ratio, name.clone()));
            }
        }
        worth.mean = (logs / names.len().max(1) as f64).exp();
        worth
    }

    /// Whether this figure alone keeps the mechanism.
    pub(super) fn stays(&self) -> bool {
        self.mean >= IN_THE_MEAN || self.most.as_ref().is_some_and(|(most, _)| *most >= IN_ONE_CASE)
    }
}

fn median(scores: &[Score], figure: fn(&Score) -> f64) -> f64 {
    let figures = sorted(scores.iter().map(figure));
    nearest_rank(&figures, 0.5).map_or(f64::NAN, |median| median.max(FLOOR_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(p99: &[f64]) -> Vec<Score> {
        p99.iter().map(|&p99_ms| Score { p99_ms, ..Score::default() }).collect()
    }

    #[test]
    fn a_case_counts_if_most_seeds_agree() {
        let names = ["calm".to_owned(), "noisy".to_owned()];
        let with = [scores(&[1.0, 1.0, 1.0, 1.0]), scores(&[1.0, 1.0, 9.0, 9.0])];
        let without = [scores(&[1.2, 1.2, 1.2, 1.2]), scores(&[2.0, 2.0, 1.0, 1.0])];
        let worth = Worth::of(&names, &with, &without, |score| score.p99_ms);
        assert_eq!(worth.most.as_ref().map(|(_, case)| case.as_str()), Some("calm"));
        assert!(worth.least.is_none() && worth.stays());
        let harmless = Worth::of(&names, &with, &with, |score| score.p99_ms);
        assert!(!harmless.stays() && (harmless.mean - 1.0).abs() < 1e-12);
    }
}
