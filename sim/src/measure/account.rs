use std::collections::BTreeMap;
use std::iter::Sum;

use netclock::{Reading, ServerTime, Span, State};
use serde::{Deserialize, Serialize};

/// Compares reads with the truth and counts violated guarantees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Account {
    pub reads: u64,
    pub unbounded: u64,
    pub outside: u64,
    /// Number of reads that were earlier than the previous read of the same epoch.
    pub backwards: u64,
    #[serde(skip)]
    last: Option<(u64, i64)>,
}

/// Rounds the magnitude of an error up to a whole tick.
pub fn size(error: f64) -> Span {
    Span::from_ticks(error.abs().ceil() as i64)
}

impl Account {
    /// Returns the shown time minus the true time.
    pub fn add(&mut self, reading: &Reading, truth: ServerTime) -> Span {
        self.goes_back(reading.epoch, reading.server_time.ticks());
        let error = reading.server_time - truth;
        self.is_outside(error, reading.error_bound);
        error
    }

    /// Adds a read. Returns whether the read's error exceeds the bound.
    pub fn is_outside(&mut self, error: Span, bound: Span) -> bool {
        let is_outside = error.abs() > bound;
        self.reads += 1;
        self.unbounded += u64::from(bound == Span::MAX);
        self.outside += u64::from(is_outside);
        is_outside
    }

    /// Only checks whether the shown time (ticks) runs backwards within an epoch.
    pub fn goes_back(&mut self, epoch: impl Into<u64>, shown: i64) -> bool {
        let epoch = epoch.into();
        let before = self.last.replace((epoch, shown));
        let goes_back = before.is_some_and(|(last, before)| last == epoch && shown < before);
        self.backwards += u64::from(goes_back);
        goes_back
    }

    pub fn is_kept(&self) -> bool {
        self.outside + self.backwards == 0
    }
}

impl Sum for Account {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Account::default(), |sum, it| Account {
            reads: sum.reads + it.reads,
            unbounded: sum.unbounded + it.unbounded,
            outside: sum.outside + it.outside,
            backwards: sum.backwards + it.backwards,
            last: None,
        })
    }
}

/// Detects reads that contradict each other, in whatever order they are added. Stores the latest time shown
/// in an epoch up to each local time. A monotonic clock never shows an earlier time at
/// a later local time.
#[derive(Default)]
pub struct Stairs {
    pub epoch: u32,
    steps: BTreeMap<i64, i64>,
}

impl Stairs {
    /// Returns the latest time shown at or before `now`.
    pub fn floor(&self, epoch: u32, now: i64) -> Option<i64> {
        if epoch != self.epoch {
            return None;
        }
        self.steps.range(..=now).next_back().map(|(_, &shown)| shown)
    }

    pub fn add(&mut self, epoch: u32, now: i64, shown: i64) {
        if epoch != self.epoch {
            *self = Stairs { epoch, steps: BTreeMap::new() };
        }
        if self.floor(epoch, now).is_none_or(|floor| shown > floor) {
            while let Some((&at, _)) = self.steps.range(now..).next().filter(|&(_, &later)| later <= shown) {
                self.steps.remove(&at);
            }
            self.steps.insert(now, shown);
        }
    }

    /// Returns how far the reading is behind earlier readings (ticks). Only a positive value violates
    /// monotonicity.
    pub fn backwards(&mut self, now: i64, reading: &Reading) -> i64 {
        let shown = reading.server_time.ticks();
        if reading.state == State::Unsynced {
            return 0;
        }
        let back = self.floor(reading.epoch, now).map_or(0, |floor| floor.saturating_sub(shown));
        self.add(reading.epoch, now, shown);
        back
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_read_below_the_previous_one_of_its_epoch_goes_back() {
        let mut account = Account::default();
        let reads = [(1_u32, 5), (1, 5), (1, 4), (1, 4), (2, 1), (1, 0), (1, 2), (1, 1)];
        let back = reads.map(|(epoch, shown)| account.goes_back(epoch, shown));
        assert_eq!(back, [false, false, true, false, false, false, false, true]);
        assert_eq!((account.backwards, account.is_kept()), (2, false));
    }

    #[test]
    fn an_error_as_large_as_the_bound_is_inside() {
        let mut account = Account::default();
        let truth = ServerTime::from_ticks(1_000);
        let read = |shown, bound| crate::reading(7, ServerTime::from_ticks(shown), Span::from_ticks(bound));
        assert_eq!(account.add(&read(998, 2), truth), Span::from_ticks(-2));
        assert!(account.is_kept());
        account.add(&read(1_003, 2), truth);
        account.add(&read(9_000, i64::MAX), truth);
        assert_eq!((account.reads, account.unbounded, account.outside), (3, 1, 1));
    }
}
