//! Computes a clock's [`Score`] for each run, and the median over all runs.

use netclock::Span;
use serde::Serialize;

use super::account::{self, Account};
use super::{nearest_rank, quantile, sorted};
use crate::TICKS_PER_MS;

/// A clock is settled once its error stays below this (ms).
pub const SETTLED_MS: f64 = 2.0;
/// A clock is close once its error stays below this (ms).
pub const CLOSE_MS: f64 = 1.0;
/// Timestamps are whole ticks, so a read may exceed its bound by a tick.
const ROUNDING: Span = Span::from_ticks(1);
/// Rounding of the later of two reads, and of the point where two lines meet (ticks).
const RATE_ROUNDING_TICKS: f64 = 2.0;

#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub at_s: f64,
    pub local: i64,
    /// Shown server time (ticks), or `None` before the first sync.
    pub shown: Option<i64>,
    pub error: f64,
    /// Guaranteed error bound (ticks), if the clock provides one.
    pub bound: Option<i64>,
    /// Expected error (one standard deviation in ticks), if the clock provides one.
    pub expected: Option<i64>,
    pub declared_step: bool,
    pub declared_slew: bool,
}

/// The results of one run. Settled reads are those after the settling time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Mean error of the settled reads, positive if the clock is ahead of the server (ms).
    pub bias_ms: f64,
    /// Median of |error| over the settled reads (ms).
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    pub first_sync_s: Option<f64>,
    /// Time after which |error| stays below 2 ms, if there is one (s).
    pub settle_s: Option<f64>,
    /// Time after which |error| stays below 1 ms, if there is one (s).
    pub close_s: Option<f64>,
    /// Number of reads that are earlier than the previous read, except at declared steps.
    pub backward_steps: u64,
    pub declared_steps: u64,
    pub declared_slews: u64,
    /// The largest |d shown / d local - 1| between two reads, except at declared steps.
    pub rate_deviation: f64,
    /// Share of all reads within their guaranteed bound (%).
    pub bound_coverage: Option<f64>,
    /// Median guaranteed bound of the settled reads (ms).
    pub bound_ms: Option<f64>,
    /// Shares of the settled reads within 1, 2 and 3 times the expected error (%).
    pub expected_coverage: Option<[f64; 3]>,
    pub bytes: u64,
}

#[derive(Default)]
pub struct Recorder {
    settle_cut_s: f64,
    errors: Vec<f32>,
    sum: f64,
    bounds: Vec<f32>,
    account: Account,
    within: [u64; 3],
    expecting: u64,
    last: Option<(i64, i64)>,
    score: Score,
}

impl Recorder {
    /// Reads in the first `settle_cut_s` seconds do not count as settled.
    pub fn new(settle_cut_s: f64) -> Self {
        Self { settle_cut_s, ..Self::default() }
    }

    /// Reads must be added in chronological order.
    pub fn read(&mut self, read: &Read) {
        let Some(shown) = read.shown else { return };
        self.score.declared_slews += u64::from(read.declared_slew);
        let ms = read.error / TICKS_PER_MS;
        self.score.first_sync_s.get_or_insert(read.at_s);
        let since = |since: Option<f64>, most| (ms.abs() <= most).then(|| since.unwrap_or(read.at_s));
        self.score.settle_s = since(self.score.settle_s, SETTLED_MS);
        self.score.close_s = since(self.score.close_s, CLOSE_MS);
        self.rate(read.local, shown, read.declared_step);
        if let Some(bound) = read.bound {
            self.account.is_outside(account::size(read.error), Span::from_ticks(bound) + ROUNDING);
        }
        if read.at_s < self.settle_cut_s {
            return;
        }
        self.sum += ms;
        self.errors.push(ms.abs() as f32);
        if let Some(bound) = read.bound {
            self.bounds.push((bound as f64 / TICKS_PER_MS) as f32);
        }
        if let Some(expected) = read.expected {
            self.expecting += 1;
            for (times, count) in (1..).zip(&mut self.within) {
                let limit = f64::from(times) * expected as f64 + ROUNDING.ticks() as f64;
                *count += u64::from(read.error.abs() <= limit);
            }
        }
    }

    fn rate(&mut self, local: i64, shown: i64, declared: bool) {
        let last = self.last.replace((local, shown));
        self.score.declared_steps += u64::from(declared);
        self.account.goes_back(self.score.declared_steps, shown);
        let Some((last_local, last_shown)) = last else { return };
        if declared {
            return;
        }
        let (passed, advanced) = (local - last_local, shown - last_shown);
        if passed > 0 {
            let beyond = ((advanced - passed).abs() as f64 - RATE_ROUNDING_TICKS).max(0.0);
            self.score.rate_deviation = self.score.rate_deviation.max(beyond / passed as f64);
        }
    }

    pub fn finish(mut self) -> Score {
        let share = |part: u64, whole: u64| (whole > 0).then(|| 100.0 * part as f64 / whole as f64);
        let mut score = std::mem::take(&mut self.score);
        let nothing = self.errors.is_empty();
        let mean = self.sum / self.errors.len() as f64;
        score.bias_ms = if nothing { f64::INFINITY } else { mean };
        score.p50_ms = quantile(&mut self.errors, 0.50);
        score.p95_ms = quantile(&mut self.errors, 0.95);
        score.p99_ms = quantile(&mut self.errors, 0.99);
        score.max_ms = quantile(&mut self.errors, 1.0);
        let Account { reads, outside, backwards, .. } = self.account;
        score.backward_steps = backwards;
        score.bound_coverage = share(reads - outside, reads);
        score.bound_ms = (!self.bounds.is_empty()).then(|| quantile(&mut self.bounds, 0.5));
        let percent = |count| 100.0 * count as f64 / self.expecting as f64;
        score.expected_coverage = (self.expecting > 0).then(|| self.within.map(percent));
        score
    }
}

impl Score {
    fn mean_coverage(runs: &[Self]) -> Option<[f64; 3]> {
        let shares: Vec<[f64; 3]> = runs.iter().filter_map(|run| run.expected_coverage).collect();
        let mean =
            |times: usize| shares.iter().map(|shares| shares[times]).sum::<f64>() / shares.len() as f64;
        (!shares.is_empty()).then(|| [mean(0), mean(1), mean(2)])
    }

    /// Returns all violations of the bound, of monotonicity and of the slew limit, if there is one.
    pub fn faults(&self, slew_limit: Option<f64>) -> Vec<String> {
        let mut faults = Vec::new();
        if self.first_sync_s.is_none() {
            faults.push("never synchronised".into());
        }
        if let Some(covered) = self.bound_coverage.filter(|&covered| covered < 100.0) {
            faults.push(format!("the bound held in only {covered:.3} % of the reads"));
        }
        if self.backward_steps > 0 {
            faults.push(format!("the clock went backward {} times", self.backward_steps));
        }
        if let Some(limit) = slew_limit.filter(|&limit| self.rate_deviation > limit) {
            faults.push(format!("the rate deviated by {:.4}, more than {limit}", self.rate_deviation));
        }
        faults
    }

    /// Returns the median of each value (the lower of the middle two for an even number of runs). Infinite
    /// and missing values count as the largest. A median would hide faults, so steps and deviations are
    /// maxima and coverage is a minimum. Shares within the expected error are means, because errors within a
    /// run are correlated.
    pub fn median(runs: &[Self]) -> Self {
        let middle = |figure: &dyn Fn(&Self) -> f64| {
            nearest_rank(&sorted(runs.iter().map(figure)), 0.5).unwrap_or(f64::INFINITY)
        };
        let optional = |figure: &dyn Fn(&Self) -> Option<f64>| {
            Some(middle(&|run| figure(run).unwrap_or(f64::INFINITY))).filter(|value| value.is_finite())
        };
        let worst = |figure: &dyn Fn(&Self) -> u64| runs.iter().map(figure).max().unwrap_or(0);
        Self {
            bias_ms: middle(&|run| run.bias_ms),
            p50_ms: middle(&|run| run.p50_ms),
            p95_ms: middle(&|run| run.p95_ms),
            p99_ms: middle(&|run| run.p99_ms),
            max_ms: middle(&|run| run.max_ms),
            first_sync_s: optional(&|run| run.first_sync_s),
            settle_s: optional(&|run| run.settle_s),
            close_s: optional(&|run| run.close_s),
            backward_steps: worst(&|run| run.backward_steps),
            declared_steps: worst(&|run| run.declared_steps),
            declared_slews: worst(&|run| run.declared_slews),
            rate_deviation: runs.iter().map(|run| run.rate_deviation).fold(0.0, f64::max),
            bound_coverage: runs.iter().filter_map(|run| run.bound_coverage).reduce(f64::min),
            bound_ms: optional(&|run| run.bound_ms),
            expected_coverage: Self::mean_coverage(runs),
            bytes: middle(&|run| run.bytes as f64) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(at_s: f64, error: f64) -> Read {
        let local = (at_s * 1e7) as i64;
        let shown = Some(local + error as i64);
        let (bound, expected) = (Some(20_000), Some(10_000));
        Read { at_s, local, shown, error, bound, expected, declared_step: false, declared_slew: false }
    }

    #[test]
    fn a_known_run_has_the_expected_score() {
        let mut recorder = Recorder::new(10.0);
        for i in 0..110 {
            let error = if i < 5 {
                50_000.0
            } else if i < 100 {
                -10_000.0
            } else {
                -30_000.0
            };
            recorder.read(&read(f64::from(i), error));
        }
        let score = recorder.finish();
        assert_eq!(score.p50_ms, 1.0);
        assert_eq!(score.max_ms, 3.0);
        assert!((score.bias_ms + 1.2).abs() < 1e-9, "{}", score.bias_ms);
        assert_eq!(score.settle_s, None);
        assert_eq!(score.first_sync_s, Some(0.0));
        assert_eq!(score.bound_coverage, Some(100.0 * 95.0 / 110.0));
        assert_eq!(score.expected_coverage, Some([90.0, 90.0, 100.0]));
        assert!((score.rate_deviation - 59_998.0 / 1e7).abs() < 1e-9);
    }

    #[test]
    fn backward_steps_count_unless_declared() {
        let mut recorder = Recorder::new(0.0);
        recorder.read(&read(0.0, 0.0));
        recorder.read(&read(1.0, -2e7));
        recorder.read(&Read { declared_step: true, ..read(2.0, -9e7) });
        let score = recorder.finish();
        assert_eq!((score.backward_steps, score.declared_steps), (1, 1));
    }

    #[test]
    fn a_settled_clock_stays_settled() {
        let mut recorder = Recorder::new(0.0);
        for (at, error) in [(0.0, 0.0), (1.0, 90_000.0), (2.0, 100.0), (3.0, 100.0)] {
            recorder.read(&read(at, error));
        }
        assert_eq!(recorder.finish().settle_s, Some(2.0));
    }

    #[test]
    fn every_kind_of_fault_is_listed() {
        let kept = Score { first_sync_s: Some(0.1), bound_coverage: Some(100.0), ..Default::default() };
        assert!(kept.faults(Some(0.05)).is_empty());
        let broken = Score { bound_coverage: Some(99.9), backward_steps: 1, rate_deviation: 0.06, ..kept };
        assert_eq!(broken.faults(Some(0.05)).len(), 3);
        assert_eq!(broken.faults(None).len(), 2, "without a slew limit, the rate is not a fault");
        assert_eq!(Score::default().faults(None), ["never synchronised"]);
    }

    #[test]
    fn median_keeps_the_worst_faults() {
        let run = |p99_ms, backward_steps, within: f64| Score {
            p99_ms,
            backward_steps,
            expected_coverage: Some([within; 3]),
            ..Default::default()
        };
        let median = Score::median(&[run(3.0, 0, 100.0), run(1.0, 2, 0.0), run(2.0, 0, 80.0)]);
        assert_eq!((median.p99_ms, median.backward_steps), (2.0, 2));
        assert_eq!(median.expected_coverage, Some([60.0; 3]), "a mean");
    }
}
