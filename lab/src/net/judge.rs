//! Compares a clock's reads with the truth and checks its guarantees.

use netclock::{Reading, ServerTime, Span, State};
use serde::{Deserialize, Serialize};

use crate::report::quantiles::Quantiles;
use netclock_sim::measure::account::Account;

#[derive(Default)]
pub(crate) struct Judge {
    errors: Quantiles,
    within: [usize; 3],
    expecting: usize,
    judged: Judged,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Judged {
    #[serde(flatten)]
    pub(crate) account: Account,
    pub(crate) p50_ms: Option<f64>,
    pub(crate) p99_ms: Option<f64>,
    pub(crate) max_ms: Option<f64>,
    pub(crate) above_bound: usize,
    /// The shares of errors within one, two and three times the expected error (%).
    pub(crate) within: Option<[f64; 3]>,
}

impl Judge {
    /// If `counts` is false, this only checks the guarantees.
    pub(crate) fn read(&mut self, reading: &Reading, truth: ServerTime, counts: bool) {
        if reading.state == State::Unsynced {
            return;
        }
        let (error, expected) = (self.judged.account.add(reading, truth).abs(), reading.expected_error);
        self.judged.above_bound += usize::from(expected > reading.error_bound);
        if counts {
            self.errors.add(error.ticks());
            self.expecting += 1;
            for (times, count) in (1..).zip(&mut self.within) {
                *count += usize::from(error <= Span::from_ticks(expected.ticks().saturating_mul(times)));
            }
        }
    }

    pub(crate) fn add(&mut self, error: Span, bound: Option<Span>, counts: bool) {
        self.judged.account.is_outside(error, bound.unwrap_or(Span::MAX));
        if counts {
            self.errors.add(error.abs().ticks());
        }
    }

    pub(crate) fn judged(&self) -> Judged {
        let quantile = |share| self.errors.share(share).map(|ticks| Span::from_ticks(ticks).as_millis_f64());
        let share = |count: usize| 100.0 * count as f64 / self.expecting as f64;
        Judged {
            p50_ms: quantile(0.5),
            p99_ms: quantile(0.99),
            max_ms: quantile(1.0),
            within: (self.expecting > 0).then(|| self.within.map(share)),
            ..self.judged.clone()
        }
    }
}

impl Judged {
    pub(crate) fn is_kept(&self) -> bool {
        self.account.reads > 0 && self.account.is_kept() && self.above_bound == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarantees_are_checked_even_if_errors_do_not_count() {
        let mut judge = Judge::default();
        assert!(!Judge::default().judged().is_kept(), "there should be no reads");
        for error_ms in [-1, 2, 3, -4] {
            judge.add(Span::from_millis(error_ms), Some(Span::from_millis(4)), true);
        }
        let at = |ms: i64| ServerTime::from_ticks(ms * 10_000);
        let reading = |shown_ms| netclock_sim::reading(7, at(shown_ms), Span::from_millis(4));
        judge.read(&Reading { state: State::Unsynced, ..reading(0) }, at(0), true);
        judge.read(&reading(100), at(104), false);
        judge.read(&reading(99), at(104), false);
        let judged = judge.judged();
        assert_eq!((judged.p50_ms, judged.p99_ms, judged.max_ms), (Some(2.0), Some(4.0), Some(4.0)));
        let Account { reads, outside, backwards, .. } = judged.account;
        assert_eq!((reads, outside, backwards), (6, 1, 1));
        assert!(judged.within.is_none());
        assert!(!judged.is_kept());
    }
}
